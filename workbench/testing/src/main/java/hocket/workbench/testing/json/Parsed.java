package hocket.workbench.testing.json;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** JSON, read strictly: files of objects, one a line and nothing else, or a text that is one document. */
public final class Parsed {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Parsed() {}

    /** A whole document. */
    public static JsonNode document(String text) {
        try {
            return MAPPER.reader()
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line of it. */
    public static String line(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<JsonNode> objects(Path file) throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode node = MAPPER.readTree(line);
            if (!node.isObject()) {
                throw new IOException(file + ": no object: " + line);
            }
            objects.add(node);
        }
        return objects;
    }
}
