package hocket.workbench.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files of JSON objects, read strictly: one a line, nothing else. */
public final class Parsed {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Parsed() {}

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
