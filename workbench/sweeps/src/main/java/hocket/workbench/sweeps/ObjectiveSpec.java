package hocket.workbench.sweeps;

import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.Setting;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.json.MetricLines;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeSet;

/** The objective of a sweep: a final score, or a metric if its name has a slash. */
public sealed interface ObjectiveSpec {
    /** An objective to maximise. */
    record MaximiseSpec(
            @Setting(help = "a score such as return_mean, or a metric such as collect/episode_return")
            String maximise,

            @Setting(
                    usually = "1",
                    least = 1,
                    most = 1e6,
                    help = "for metrics: number of last values that are averaged")
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

    /** An objective to minimise. */
    record MinimiseSpec(
            @Setting(help = "a score such as energy_distance, or a metric such as d/loss")
            String minimise,

            @Setting(
                    usually = "1",
                    least = 1,
                    most = 1e6,
                    help = "for metrics: number of last values that are averaged")
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

    /** The number of a metric's last values that count. */
    int over();

    /** Returns whether it is recorded during training instead of at the end. */
    default boolean isMetric() {
        return name().contains("/");
    }

    /** Returns which of two values is better. */
    default Evaluation.Merit merit() {
        return new Evaluation.Merit(name(), larger());
    }

    /** Returns the name in messages. */
    default String text() {
        return name() + (over() > 1 ? " over the last " + over() : "") + ", "
                + (larger() ? "the larger" : "the smaller") + " the better";
    }

    /**
     * Returns its value for a run that has ended; NaN if the run recorded NaN.
     *
     * @throws IllegalArgumentException if the run has no such score or metric, naming what it has
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
