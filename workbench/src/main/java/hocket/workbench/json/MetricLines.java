package hocket.workbench.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.schedulers.checkpoint.DiskFailureText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what a run reported: {@code metrics.jsonl}, a number a line. */
public final class MetricLines {
    /** The key that marks a setting, which holds until it is recorded again. */
    public static final String SETTING = "setting";

    /** The key that marks an interim mean, whose place a clock chose. */
    public static final String INTERIM = "interim";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private MetricLines() {}

    /**
     * One number that was reported.
     *
     * @param step turns that had been taken
     * @param round how many rounds had been taken
     * @param epoch how often the data had been seen
     * @param turn who reported it
     * @param name what it is
     * @param value may be infinite or no number
     * @param time when it was written, in seconds since 1970; 0 where the line does not say
     * @param setting whether it is a setting, which holds until it is recorded again; of former versions only rates are known
     * @param interim whether it is an interim mean, whose place a clock chose: not in what depends on the run alone
     */
    public record Metric(
            long step,
            long round,
            double epoch,
            String turn,
            String name,
            double value,
            double time,
            boolean setting,
            boolean interim) {
        /** As a person chooses its series: {@code d/loss}. */
        public String path() {
            return turn + "/" + name;
        }
    }

    /**
     * Which numbers a curve is drawn of: interim means too, and instead of a mean of all rounds since the last point where one
     * is of the same step.
     */
    public static final class Drawn {
        private final Map<String, Long> interim = new HashMap<>();

        /** Whether a number is part of its curve; asked for all in their order. */
        public boolean draws(long step, String path, boolean isInterim) {
            if (isInterim) {
                interim.put(path, step);
                return true;
            }
            @Nullable Long last = interim.isEmpty() ? null : interim.remove(path);
            return last == null || last != step;
        }
    }

    /**
     * A line of a file.
     *
     * @param number from 1 on
     * @param metric what it says; empty if that cannot be read
     * @param problem why it cannot, in words
     * @param isLast whether nothing follows
     */
    public record Line(long number, Optional<Metric> metric, String problem, boolean isLast) {}

    /** The lines of a file, one after the other. Close them after use. */
    public static final class Lines implements AutoCloseable {
        private final Path file;
        private final BufferedReader in;
        private @Nullable String line;
        private long number;

        private Lines(Path file) {
            this.file = file;
            try {
                // not Files.newBufferedReader, which would stop at a damaged letter without saying where
                in = new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8));
                line = in.readLine();
            } catch (IOException e) {
                throw refused(e);
            }
        }

        /**
         * The next line, whatever it is; empty after the last.
         *
         * @throws UncheckedIOException if the file cannot be read
         */
        public Optional<Line> next() {
            String text = line;
            if (text == null) {
                return Optional.empty();
            }
            try {
                line = in.readLine();
            } catch (IOException e) {
                throw refused(e);
            }
            number++;
            try {
                return Optional.of(new Line(number, Optional.of(metric(text)), "", line == null));
            } catch (NotAMetric e) {
                return Optional.of(new Line(number, Optional.empty(), String.valueOf(e.getMessage()), line == null));
            }
        }

        /**
         * The next number that is no interim mean; empty after the last. A last line that cannot be read is one that is still
         * being written, and is passed over.
         *
         * @throws IllegalArgumentException if a line before it is no metric; the message names file, line and reason
         * @throws UncheckedIOException if the file cannot be read
         */
        public Optional<Metric> nextMetric() {
            Optional<Metric> next = nextOfAll();
            while (next.isPresent() && next.get().interim()) {
                next = nextOfAll();
            }
            return next;
        }

        private Optional<Metric> nextOfAll() {
            Optional<Line> read = next();
            if (read.isPresent() && read.get().metric().isEmpty() && !read.get().isLast()) {
                throw new IllegalArgumentException(
                        file + ":" + number + ": is no metric: " + read.get().problem());
            }
            return read.flatMap(Line::metric);
        }

        private UncheckedIOException refused(IOException e) {
            return new UncheckedIOException(file + " could not be read: " + DiskFailureText.of(e), e);
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw refused(e);
            }
        }
    }

    /**
     * Opens a file.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public static Lines open(Path file) {
        return new Lines(file);
    }

    /** Gives every number of a file in its order, without interim means. Throws as {@link Lines#nextMetric}. */
    public static void read(Path file, Consumer<Metric> each) {
        try (Lines lines = open(file)) {
            for (Optional<Metric> next = lines.nextMetric(); next.isPresent(); next = lines.nextMetric()) {
                each.accept(next.get());
            }
        }
    }

    /** Gives the numbers that curves are drawn of, with interim means ({@link Drawn}). Throws as {@link Lines#nextMetric}. */
    public static void readDrawn(Path file, Consumer<Metric> each) {
        Drawn drawn = new Drawn();
        try (Lines lines = open(file)) {
            for (Optional<Metric> next = lines.nextOfAll(); next.isPresent(); next = lines.nextOfAll()) {
                Metric metric = next.get();
                if (drawn.draws(metric.step(), metric.path(), metric.interim())) {
                    each.accept(metric);
                }
            }
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
        String name = text(node, "name");
        return new Metric(
                (long) number(node, "step"),
                (long) number(node, "round"),
                number(node, "epoch"),
                text(node, "turn"),
                name,
                number(node, "value"),
                node.path("time").asDouble(0),
                node.path(SETTING).asBoolean(name.equals("rate")),
                node.path(INTERIM).asBoolean(false));
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
