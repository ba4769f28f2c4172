package hocket.workbench.files.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.evaluation.Evaluation;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes objects of names and values as JSON, one a line. Numbers without a JSON form are strings: "NaN", "Infinity".
 */
public final class JsonLines {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonLines() {}

    /** Returns one object, without a line end. Values are Long, Integer, Double, Boolean, String, or such objects. */
    public static String line(Map<String, ?> values) {
        return object(values).toString();
    }

    private static ObjectNode object(Map<?, ?> values) {
        ObjectNode node = MAPPER.createObjectNode();
        values.forEach((name, value) -> {
            if (value instanceof Map<?, ?> inner) {
                node.set(name.toString(), object(inner));
            } else if (value instanceof Double number && !Double.isFinite(number)) {
                node.put(name.toString(), number.toString());
            } else {
                node.set(name.toString(), MAPPER.valueToTree(value));
            }
        });
        return node;
    }

    /** Returns scores as values of {@link #line}: counts are integers. */
    public static Map<String, Object> scores(Map<String, Double> scores, Map<String, Evaluation.Range> ranges) {
        Map<String, Object> values = new LinkedHashMap<>();
        scores.forEach((name, value) -> {
            Evaluation.Range range = ranges.get(name);
            boolean isWhole = range != null && range.whole() && value == Math.rint(value);
            values.put(name, isWhole ? (Object) value.longValue() : value);
        });
        return values;
    }

    /**
     * Returns the numbers by name of a file with one object.
     *
     * @throws UncheckedIOException if it cannot be read
     * @throws IllegalArgumentException if it is not an object of numbers
     */
    public static Map<String, Double> numbers(Path file) {
        String text = FileWork.get(file + " could not be read", () -> Files.readString(file));
        JsonNode node;
        try {
            node = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(file + " is not JSON", e);
        }
        Map<String, Double> numbers = new LinkedHashMap<>();
        node.properties().forEach(entry -> {
            try {
                JsonNode value = entry.getValue();
                numbers.put(entry.getKey(), value.isNumber() ? value.asDouble() : Double.parseDouble(value.asText()));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        file + ": " + entry.getKey() + " must be a number, was " + entry.getValue(), e);
            }
        });
        return numbers;
    }

    /**
     * Drops all lines of a file whose {@code step} is above a number, and an unfinished last line.
     *
     * @throws UncheckedIOException if writing fails; then the file is unchanged
     */
    public static void dropBeyond(Path file, long step) {
        if (!Files.isRegularFile(file)) { // a device keeps no lines, and its end may never come
            return;
        }
        FileWork.run(
                file + " could not be shortened",
                () -> AtomicFile.write(file, shortened -> {
                    try (BufferedReader in = Files.newBufferedReader(file, ISO_8859_1);
                            BufferedWriter out = Files.newBufferedWriter(
                                    shortened, ISO_8859_1)) { // bytes as they are: a torn line may be not UTF-8
                        for (String line = in.readLine(); line != null; line = in.readLine()) {
                            if (stepOf(line) <= step) {
                                out.write(line);
                                out.write('\n');
                            }
                        }
                    }
                }));
    }

    private static long stepOf(String line) {
        try {
            JsonNode node = MAPPER.readTree(line);
            return node.path("step").asLong(Long.MAX_VALUE);
        } catch (JsonProcessingException e) {
            return Long.MAX_VALUE;
        }
    }
}
