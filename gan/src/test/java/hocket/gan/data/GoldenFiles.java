package hocket.gan.data;

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

/** Where test files lie, and what their JSON says. */
final class GoldenFiles {
    private GoldenFiles() {}

    /**
     * The folder {@code formats} of the golden data: of {@code -Dhocket.golden=DIR} if given (a relative DIR is
     * resolved against {@code hocket.root}), else the copy in the test resources. A DIR without such a folder skips the
     * test.
     */
    static Path formats() {
        String given = System.getProperty("hocket.golden", "");
        if (given.isEmpty()) {
            return resource("/golden/formats");
        }
        Path formats =
                Path.of(System.getProperty("hocket.root", "")).resolve(given).resolve("formats");
        assumeTrue(Files.exists(formats.resolve("contents.json")), formats + " has no contents.json: nothing to check");
        return formats;
    }

    /** A file or folder of the test resources; a name without a leading slash is beside this class. */
    static Path resource(String name) {
        URL url = Objects.requireNonNull(GoldenFiles.class.getResource(name), name);
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonNode json(Path file) {
        try {
            return new ObjectMapper().readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A JSON array of numbers. */
    static float[] floats(JsonNode array) {
        float[] values = new float[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) array.get(i).asDouble();
        }
        return values;
    }
}
