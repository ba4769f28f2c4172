package hocket.workbench.files.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import hocket.schedulers.checkpoint.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Writes a JSON schema. */
public final class SchemaFile {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private SchemaFile() {}

    /** Writes the schema, over an existing file. */
    public static void write(Path file, Map<String, Object> schema) throws IOException {
        AtomicFile.write(file, text(schema));
    }

    /** Returns a schema as text. */
    public static String text(Map<String, Object> schema) {
        try {
            return MAPPER.writeValueAsString(schema) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a schema of maps and lists can be written", e);
        }
    }
}
