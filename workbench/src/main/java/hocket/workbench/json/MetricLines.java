package hocket.workbench.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.schedulers.checkpoint.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what a run reported: {@code metrics.jsonl}, a number a line. */
public final class MetricLines {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private MetricLines() {}

    /**
     * One number that was reported.
     *
     * @param round how many rounds had been taken
     * @param epoch how often the data had been seen
     * @param turn who reported it
     * @param name what it is
     * @param value may be infinite or no number
     */
    public record Metric(long round, double epoch, String turn, String name, double value) {}

    /**
     * Gives every line of a file in its order. A last line that cannot be read is one that is still being written, and
     * is passed over.
     *
     * @throws IllegalArgumentException if a line before it is no metric; the message names file, line and reason
     * @throws UncheckedIOException if the file cannot be read
     */
    public static void read(Path file, Consumer<Metric> each) {
        // not Files.newBufferedReader, which would stop at a damaged letter without saying where
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
            int number = 1;
            String line = in.readLine();
            while (line != null) {
                String next = in.readLine();
                try {
                    each.accept(metric(line));
                } catch (NotAMetric e) {
                    if (next != null) {
                        throw new IllegalArgumentException(file + ":" + number + ": is no metric: " + e.getMessage());
                    }
                }
                line = next;
                number++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be read: " + Reason.of(e), e);
        }
    }

    private static final class NotAMetric extends Exception {
        NotAMetric(String reason) {
            super(reason);
        }
    }

    private static Metric metric(String line) throws NotAMetric {
        JsonNode node;
        try {
            node = MAPPER.readTree(line);
        } catch (JsonProcessingException e) {
            throw new NotAMetric("it is not JSON");
        }
        return new Metric(
                (long) number(node, "round"),
                number(node, "epoch"),
                text(node, "turn"),
                text(node, "name"),
                number(node, "value"));
    }

    private static String text(JsonNode node, String key) throws NotAMetric {
        JsonNode value = node.path(key);
        if (!value.isTextual()) {
            throw new NotAMetric(key + " must be a text, was " + shown(value));
        }
        return value.textValue();
    }

    private static double number(JsonNode node, String key) throws NotAMetric {
        JsonNode value = node.path(key);
        Double number = value.isNumber() ? (Double) value.doubleValue() : special(value.asText());
        if (number == null) {
            throw new NotAMetric(key + " must be a number, was " + shown(value));
        }
        return number;
    }

    private static @Nullable Double special(String text) {
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> null;
        };
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "missing" : value.toString();
    }
}
