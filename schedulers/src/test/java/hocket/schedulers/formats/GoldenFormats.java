package hocket.schedulers.formats;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Where the files of the golden data lie, and what their JSON says. */
final class GoldenFormats {
    private GoldenFormats() {}

    /** Whether the files are the copy in the test resources. */
    static boolean isOurCopy() {
        return System.getProperty("hocket.golden", "").isEmpty();
    }

    /**
     * The folder {@code formats} of the golden data: of {@code -Dhocket.golden=DIR} if given (a relative DIR is resolved
     * against {@code hocket.root}), else the copy in the test resources. A DIR without such a folder skips the test.
     */
    static Path folder() {
        if (isOurCopy()) {
            return resource("/golden/formats");
        }
        Path formats = Path.of(System.getProperty("hocket.root", ""))
                .resolve(System.getProperty("hocket.golden"))
                .resolve("formats");
        assumeTrue(Files.exists(formats.resolve("contents.json")), formats + " has no contents.json: nothing to check");
        return formats;
    }

    /** A file or folder of the test resources; a name without a leading slash is beside this class. */
    static Path resource(String name) {
        URL url = Objects.requireNonNull(GoldenFormats.class.getResource(name), name);
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonNode contents() {
        try {
            return new ObjectMapper().readTree(folder().resolve("contents.json").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
