package hocket.workbench.runs.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.schedulers.checkpoint.FileWork;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the metrics of a run: {@code metrics.jsonl}, a number a line. */
public final class MetricLines {
    /** The key that marks a setting, which holds until it is recorded again. */
    public static final String SETTING = "setting";

    /** The key that marks an interim mean, recorded when a clock said so. */
    public static final String INTERIM = "interim";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private MetricLines() {}

    /**
     * A recorded number.
     *
     * @param step turns taken before
     * @param round rounds completed before
     * @param epoch passes over the data before
     * @param turn the turn that recorded it
     * @param name name of the metric
     * @param value may be infinite or NaN
     * @param time when it was written, in seconds since 1970; 0 if the line has no time
     * @param setting whether it is a setting, which holds until it is recorded again; older versions mark only rates
     * @param interim whether it is an interim mean, recorded when a clock said so, and therefore not reproducible
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
        /** Returns the metric's name for people: {@code d/loss}. */
        public String path() {
            return turn + "/" + name;
        }
    }

    /**
     * Selects the numbers of a curve: interim means too, which replace the mean of all rounds since the last point if
     * one is at the same step.
     */
    public static final class Drawn {
        private final Map<String, Long> interim = new HashMap<>();

        /** Returns whether a number is part of its curve; called for all in order. */
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
     * @param metric its content; empty if it is unreadable
     * @param problem why it is unreadable, in words
     * @param isLast whether it is the last line
     */
    public record Line(long number, Optional<Metric> metric, String problem, boolean isLast) {}

    /** The lines of a file, in order. Close them after use. */
    public static final class Lines implements AutoCloseable {
        private final Path file;
        private final BufferedReader in;
        private @Nullable String line;
        private long number;

        private Lines(Path file) {
            this.file = file;
            // not Files.newBufferedReader, which would stop at an invalid character without its place
            in = FileWork.get(
                    failed(),
                    () -> new BufferedReader(
                            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8)));
            try {
                readLine();
            } catch (RuntimeException e) {
                try {
                    close();
                } catch (UncheckedIOException closing) {
                    e.addSuppressed(closing);
                }
                throw e;
            }
        }

        /**
         * Returns the next line, valid or not; empty after the last.
         *
         * @throws UncheckedIOException if the file cannot be read
         */
        public Optional<Line> next() {
            String text = line;
            if (text == null) {
                return Optional.empty();
            }
            readLine();
            number++;
            try {
                return Optional.of(new Line(number, Optional.of(metric(text)), "", line == null));
            } catch (NotAMetric e) {
                return Optional.of(new Line(number, Optional.empty(), String.valueOf(e.getMessage()), line == null));
            }
        }

        /**
         * Returns the next number that is not an interim mean; empty after the last. An unreadable last line is still
         * being written, and is skipped.
         *
         * @throws IllegalArgumentException if an earlier line is not a metric; the message names file, line and reason
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
                        file + ":" + number + ": is not a metric: " + read.get().problem());
            }
            return read.flatMap(Line::metric);
        }

        private String failed() {
            return file + " could not be read";
        }

        private void readLine() {
            FileWork.run(failed(), () -> line = in.readLine());
        }

        @Override
        public void close() {
            FileWork.run(failed(), in::close);
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

    /** Returns every number of a file in order, without interim means. Throws as {@link Lines#nextMetric}. */
    public static void read(Path file, Consumer<Metric> each) {
        try (Lines lines = open(file)) {
            for (Optional<Metric> next = lines.nextMetric(); next.isPresent(); next = lines.nextMetric()) {
                each.accept(next.get());
            }
        }
    }

    /** Returns the numbers of curves, with interim means ({@link Drawn}). Throws as {@link Lines#nextMetric}. */
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

    /** The numbers of curves of a file that grows, as {@link #readDrawn} gives them. */
    public static final class Tail {
        private final Drawn drawn = new Drawn();
        private long bytes;
        private long lines;

        /** Returns how much of the file has been read. */
        public long bytes() {
            return bytes;
        }

        /**
         * Gives the numbers of all lines that were completed since the last call. An unreadable last line is read again next time.
         *
         * @throws IllegalArgumentException as {@link Lines#nextMetric}
         * @throws UncheckedIOException if the file cannot be read
         */
        public void read(Path file, Consumer<Metric> each) {
            FileWork.run(file + " could not be read", () -> {
                try (FileChannel channel = FileChannel.open(file).position(bytes);
                        InputStream in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16)) {
                    read(file, in, each);
                }
            });
        }

        private void read(Path file, InputStream in, Consumer<Metric> each) throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            String problem = null;
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next != '\n') {
                    line.write(next);
                    continue;
                }
                if (problem != null) {
                    throw new IllegalArgumentException(file + ":" + (lines + 1) + ": is not a metric: " + problem);
                }
                try {
                    Metric metric = metric(line.toString(StandardCharsets.UTF_8));
                    bytes += line.size() + 1;
                    lines++;
                    if (drawn.draws(metric.step(), metric.path(), metric.interim())) {
                        each.accept(metric);
                    }
                } catch (NotAMetric e) {
                    problem = String.valueOf(e.getMessage());
                }
                line.reset();
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
                count(node, "step"),
                count(node, "round"),
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

    private static long count(JsonNode node, String key) throws NotAMetric {
        JsonNode value = node.path(key);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw new NotAMetric(key + " must be a whole number, 0 or more, was " + shown(value));
        }
        return value.longValue();
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
