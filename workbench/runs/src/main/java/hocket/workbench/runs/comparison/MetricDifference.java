package hocket.workbench.runs.comparison;

import hocket.workbench.files.UserError;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.json.MetricLines;
import hocket.workbench.runs.json.MetricLines.Lines;
import hocket.workbench.runs.json.MetricLines.Metric;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The first difference between the metrics of two runs.
 *
 * @param equal whether there is none
 * @param step first step that differs; unknown if there is none
 * @param turn turn of the first metric that differs there
 * @param name name of that metric
 * @param left its value in the first run; unknown if absent or {@code NaN}
 * @param right its value in the second run
 * @param leftEnds last step of the first run; -1 without any
 * @param rightEnds last step of the second run
 */
public record MetricDifference(
        boolean equal,
        @Nullable Long step,
        @Nullable String turn,
        @Nullable String name,
        @Nullable Double left,
        @Nullable Double right,
        long leftEnds,
        long rightEnds) {
    /** The identity of a metric of a step. */
    private record Figure(String turn, String name, int time) {}

    /** The metrics of a step. */
    private record Step(long number, Map<Figure, Double> figures) {}

    /** The metrics of one run, a step at a time. */
    private static final class Steps implements AutoCloseable {
        private final @Nullable Lines lines;
        private Optional<Metric> ahead;
        private long last = -1;

        Steps(RunFolder folder) {
            lines = Files.exists(folder.metrics()) ? MetricLines.open(folder.metrics()) : null;
            ahead = read();
        }

        private Optional<Metric> read() {
            return lines == null ? Optional.empty() : lines.nextMetric();
        }

        Optional<Step> next() {
            if (ahead.isEmpty()) {
                return Optional.empty();
            }
            last = ahead.get().step();
            Map<Figure, Double> figures = new LinkedHashMap<>();
            while (ahead.isPresent() && ahead.get().step() == last) {
                Metric metric = ahead.get();
                int time = 0;
                while (figures.containsKey(new Figure(metric.turn(), metric.name(), time))) {
                    time++;
                }
                figures.put(new Figure(metric.turn(), metric.name(), time), metric.value());
                ahead = read();
            }
            return Optional.of(new Step(last, figures));
        }

        /** The last step there is. */
        long end() {
            while (next().isPresent()) {}
            return last;
        }

        @Override
        public void close() {
            if (lines != null) {
                lines.close();
            }
        }
    }

    /**
     * Compares the metrics of two runs; times are ignored.
     *
     * @throws UserError if the metrics of one cannot be read, naming file and line
     */
    public static MetricDifference of(RunFolder left, RunFolder right) {
        return UserError.unless(() -> {
            try (Steps one = new Steps(left);
                    Steps other = new Steps(right)) {
                while (true) {
                    Optional<Step> a = one.next();
                    Optional<Step> b = other.next();
                    if (a.isEmpty() || b.isEmpty()) {
                        return new MetricDifference(
                                a.isEmpty() && b.isEmpty(), null, null, null, null, null, one.end(), other.end());
                    }
                    Optional<MetricDifference> parting = parting(a.get(), b.get(), one, other);
                    if (parting.isPresent()) {
                        return parting.get();
                    }
                }
            }
        });
    }

    private static Optional<MetricDifference> parting(Step a, Step b, Steps one, Steps other) {
        long step = Math.min(a.number(), b.number());
        Map<Figure, Double> left = a.number() == step ? a.figures() : Map.of();
        Map<Figure, Double> right = b.number() == step ? b.figures() : Map.of();
        Set<Figure> all = new LinkedHashSet<>(left.keySet());
        all.addAll(right.keySet());
        for (Figure figure : all) {
            Double x = left.get(figure);
            Double y = right.get(figure);
            if (x == null || !x.equals(y)) {
                return Optional.of(
                        new MetricDifference(false, step, figure.turn(), figure.name(), x, y, one.end(), other.end()));
            }
        }
        return Optional.empty();
    }

    /** Returns a description. */
    String sentence() {
        if (equal) {
            return leftEnds < 0 ? "neither has any" : "equal, up to turn " + leftEnds;
        } else if (step == null) {
            boolean isLeft = leftEnds < rightEnds;
            long shorter = Math.min(leftEnds, rightEnds);
            return (shorter < 0
                            ? "the " + (isLeft ? "left" : "right") + " run has none"
                            : "equal up to turn " + shorter + ", where the " + (isLeft ? "left" : "right") + " ends")
                    + "; the " + (isLeft ? "right" : "left") + " continues to turn " + Math.max(leftEnds, rightEnds);
        }
        return "part at turn " + step + ": " + turn + "/" + name + " " + shown(left) + " | " + shown(right)
                + (leftEnds == rightEnds ? "" : "; they end at turn " + leftEnds + " | " + rightEnds);
    }

    private static String shown(@Nullable Double value) {
        return value == null ? "(none)" : value.toString();
    }
}
