package hocket.workbench.sweeps;

import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.Setting;
import hocket.workbench.json.JsonLines;
import hocket.workbench.json.MetricLines;
import hocket.workbench.runs.RunFolder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeSet;

/** What trials are judged by: a score of the run's end, or, with a slash in its name, a metric. */
public sealed interface ObjectiveSpec {
    /** A larger one is better. */
    record MaximiseSpec(
            @Setting(help = "a score such as return_mean, or a metric such as collect/episode_return")
            String maximise,

            @Setting(usually = "1", least = 1, most = 1e6, help = "of a metric: the mean of so many of its last values")
            int over)
            implements ObjectiveSpec {
        @Override
        public String name() {
            return maximise;
        }

        @Override
        public boolean larger() {
            return true;
        }
    }

    /** A smaller one is better. */
    record MinimiseSpec(
            @Setting(help = "a score such as energy_distance, or a metric such as d/loss")
            String minimise,

            @Setting(usually = "1", least = 1, most = 1e6, help = "of a metric: the mean of so many of its last values")
            int over)
            implements ObjectiveSpec {
        @Override
        public String name() {
            return minimise;
        }

        @Override
        public boolean larger() {
            return false;
        }
    }

    String name();

    boolean larger();

    /** How many of a metric's last values count. */
    int over();

    /** Whether it is recorded while a run trains, and not judged at its end. */
    default boolean isMetric() {
        return name().contains("/");
    }

    /** Which of two values is better. */
    default Evaluation.Merit merit() {
        return new Evaluation.Merit(name(), larger());
    }

    /** For people. */
    default String text() {
        return name() + (over() > 1 ? " over the last " + over() : "") + ", "
                + (larger() ? "the larger" : "the smaller") + " the better";
    }

    /**
     * Its value for a run that has ended; not a number where the run says so.
     *
     * @throws IllegalArgumentException if the run has no such thing, naming what it has
     * @throws java.io.UncheckedIOException if it cannot be read
     */
    default double of(RunFolder run) {
        return isMetric() ? metric(run) : score(run);
    }

    private double score(RunFolder run) {
        Map<String, Double> scores = JsonLines.numbers(run.scores());
        Double value = scores.get(name());
        if (value == null) {
            throw new IllegalArgumentException("there is no score " + name() + "; there is " + scores.keySet());
        }
        return value;
    }

    private double metric(RunFolder run) {
        Deque<Double> last = new ArrayDeque<>();
        TreeSet<String> names = new TreeSet<>();
        MetricLines.read(run.metrics(), metric -> {
            String name = metric.turn() + "/" + metric.name();
            names.add(name);
            if (name.equals(name())) {
                last.add(metric.value());
                if (last.size() > over()) {
                    last.remove();
                }
            }
        });
        if (last.isEmpty()) {
            throw new IllegalArgumentException("there is no metric " + name() + "; there is " + names);
        }
        return last.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
}
