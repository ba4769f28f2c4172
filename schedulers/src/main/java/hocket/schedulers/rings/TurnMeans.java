package hocket.schedulers.rings;

import hocket.schedulers.Event;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Means of losses, gradient norms and metrics since the last record; of the count {@code steps}, the last value. */
final class TurnMeans {
    /** Takes a mean. */
    @FunctionalInterface
    interface Sink {
        void scalar(Event.Position at, String turn, String name, double value);
    }

    /** A count that increases, such as the steps of an environment. */
    private static final String STEPS = "steps";

    /** Sums of one descending turn: loss, gradient norm, metrics. */
    private static final class Sums {
        final List<String> names;
        final double[] sums;
        long count;

        /** The settings of its last update. */
        Event.Metrics settings;

        Sums(List<String> names, double[] sums, long count, Event.Metrics settings) {
            this.names = names;
            this.sums = sums;
            this.count = count;
            this.settings = settings;
        }
    }

    /** The values that a turn of Java reported under one name. */
    private static final class Mean {
        double sum;
        long count;

        Mean(double sum, long count) {
            this.sum = sum;
            this.count = count;
        }
    }

    /** Sums of a descending turn as they are saved. */
    record HeldSums(List<String> names, List<Double> values, long count, Map<String, Double> settings) {}

    /** The sum under a name of a turn of Java as it is saved. */
    record HeldMean(double sum, long count) {}

    private final Map<String, Sums> turns = new LinkedHashMap<>();
    private final Map<String, Map<String, Mean>> acting = new LinkedHashMap<>();

    void add(Event.Descended turn) {
        Sums sums = turns.computeIfAbsent(turn.turn(), name -> {
            List<String> names = turn.metrics().names();
            return new Sums(names, new double[names.size() + 2], 0, Event.Metrics.none());
        });
        sums.settings = turn.settings();
        sums.count++;
        sums.sums[0] += turn.loss();
        sums.sums[1] += turn.gradientNorm();
        for (int i = 0; i < sums.names.size(); i++) {
            sums.sums[i + 2] += turn.metrics().get(sums.names.get(i));
        }
    }

    void add(Event.Acted turn) {
        for (String name : turn.metrics().names()) {
            Mean mean = acting.computeIfAbsent(turn.turn(), first -> new LinkedHashMap<>())
                    .computeIfAbsent(name, first -> new Mean(0, 0));
            boolean isCount = name.equals(STEPS);
            mean.sum = isCount
                    ? turn.metrics().get(name)
                    : mean.sum + turn.metrics().get(name);
            mean.count = isCount ? 1 : mean.count + 1;
        }
    }

    /** Sends the means since the last record to a sink, and resets them. */
    void record(Event.Position at, Sink sink) {
        acting.forEach((turn, means) -> means.forEach((name, mean) -> {
            if (mean.count > 0) {
                sink.scalar(at, turn, name, mean.sum / mean.count);
            }
        }));
        turns.forEach((turn, sums) -> {
            if (sums.count > 0) {
                sink.scalar(at, turn, "loss", sums.sums[0] / sums.count);
                sink.scalar(at, turn, "gradient_norm", sums.sums[1] / sums.count);
                for (int i = 0; i < sums.names.size(); i++) {
                    sink.scalar(at, turn, sums.names.get(i), sums.sums[i + 2] / sums.count);
                }
            }
        });
        clear();
    }

    /** Resets the means. */
    void clear() {
        acting.values().stream().flatMap(means -> means.values().stream()).forEach(mean -> {
            mean.sum = 0;
            mean.count = 0;
        });
        turns.values().forEach(sums -> {
            sums.count = 0;
            Arrays.fill(sums.sums, 0);
        });
    }

    /** Returns the settings of a turn's last update; none before the first. */
    Event.Metrics settings(String turn) {
        Sums sums = turns.get(turn);
        return sums == null ? Event.Metrics.none() : sums.settings;
    }

    /** Returns the turns that were updated since the last record. */
    List<String> updated() {
        return turns.entrySet().stream()
                .filter(turn -> turn.getValue().count > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    Map<String, HeldSums> heldDescending() {
        Map<String, HeldSums> held = new LinkedHashMap<>();
        turns.forEach((turn, sums) -> held.put(
                turn,
                new HeldSums(
                        sums.names,
                        Arrays.stream(sums.sums).boxed().toList(),
                        sums.count,
                        new LinkedHashMap<>(sums.settings.byName()))));
        return held;
    }

    Map<String, Map<String, HeldMean>> heldActing() {
        Map<String, Map<String, HeldMean>> held = new LinkedHashMap<>();
        acting.forEach((turn, means) -> {
            Map<String, HeldMean> of = new LinkedHashMap<>();
            means.forEach((name, mean) -> of.put(name, new HeldMean(mean.sum, mean.count)));
            held.put(turn, of);
        });
        return held;
    }

    void restore(Map<String, HeldSums> descending, Map<String, Map<String, HeldMean>> reported) {
        turns.clear();
        descending.forEach((turn, held) -> turns.put(
                turn,
                new Sums(
                        held.names(),
                        held.values().stream().mapToDouble(Double::doubleValue).toArray(),
                        held.count(),
                        Event.Metrics.of(new TreeMap<>(held.settings())))));
        acting.clear();
        reported.forEach((turn, held) -> {
            Map<String, Mean> means = new LinkedHashMap<>();
            held.forEach((name, mean) -> means.put(name, new Mean(mean.sum(), mean.count())));
            acting.put(turn, means);
        });
    }
}
