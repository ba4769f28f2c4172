package hocket.schedulers.rings;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Memory;
import hocket.schedulers.Recorder;
import hocket.schedulers.State;
import hocket.schedulers.Stateful;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What turns report, averaged over some rounds before it is recorded (of what is called {@code steps}, a count, its last value): every
 * round at first, then every fiftieth, and whenever it is asked. With turns of Java, whose rounds may be few and long, a
 * budget of few rounds is recorded more often. When it records depends on rounds and budget alone, and what is held back is
 * saved, so that a resumed run records what the whole one would have.
 */
final class MetricMeans implements Consumer<Event>, Stateful {
    /** What counts on, such as the steps of an environment. */
    private static final String STEPS = "steps";

    private static final long FIRST = 10;
    private static final long EVERY = 50;

    /** How often a run with turns of Java is recorded at least, if it has as many rounds. */
    private static final long TIMES = 200;

    /** Sums of one turn since they were recorded last. */
    private static final class Sums {
        final List<String> names;
        final double[] sums;
        long count;

        /** The settings by which it was updated last. */
        Event.Metrics settings = Event.Metrics.none();

        Sums(List<String> names) {
            this.names = names;
            this.sums = new double[names.size() + 2];
        }
    }

    /** What a turn of Java reported under one name since it was recorded last. */
    private static final class Mean {
        double sum;
        long count;

        void add(double value) {
            sum += value;
            count++;
        }

        void set(double value) {
            sum = value;
            count = 1;
        }
    }

    /** {@link Sums} as they are saved. */
    private record HeldSums(List<String> names, List<Double> values, long count, Map<String, Double> settings) {
        Sums sums() {
            Sums sums = new Sums(names);
            for (int i = 0; i < sums.sums.length; i++) {
                sums.sums[i] = values.get(i);
            }
            sums.count = count;
            sums.settings = Event.Metrics.of(new TreeMap<>(settings));
            return sums;
        }
    }

    /** A {@link Mean} as it is saved. */
    private record HeldMean(double sum, long count) {
        Mean mean() {
            Mean mean = new Mean();
            mean.sum = sum;
            mean.count = count;
            return mean;
        }
    }

    /** All of this as it is saved. */
    private record Held(
            Map<String, HeldSums> descending,
            Map<String, Map<String, HeldMean>> acting,
            Map<String, Map<String, Double>> told,
            long every) {
        static final Held NOTHING = new Held(Map.of(), Map.of(), Map.of(), EVERY);
    }

    private final Recorder recorder;
    private final Map<String, Sums> turns = new LinkedHashMap<>();

    /** By turns, the settings that were recorded: each is again when it changes. */
    private final Map<String, Map<String, Double>> told = new LinkedHashMap<>();

    private final Map<String, Map<String, Mean>> acting = new LinkedHashMap<>();
    private long every = EVERY;
    private long everyActing = EVERY;

    MetricMeans(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void accept(Event event) {
        if (event instanceof Event.Descended turn) {
            Sums sums = turns.get(turn.turn());
            if (sums == null) {
                sums = new Sums(turn.metrics().names());
                turns.put(turn.turn(), sums);
            }
            sums.count++;
            sums.settings = turn.settings();
            sums.sums[0] += turn.loss();
            sums.sums[1] += turn.gradientNorm();
            for (int i = 0; i < sums.names.size(); i++) {
                sums.sums[i + 2] += turn.metrics().get(sums.names.get(i));
            }
        } else if (event instanceof Event.Acted turn) {
            every = everyActing;
            add(turn);
        } else if (event instanceof Event.Started begun) {
            everyActing = begun.budget() instanceof Budget.Rounds rounds
                    ? Math.max(1, Math.min(EVERY, rounds.count() / TIMES))
                    : EVERY;
        } else if (event instanceof Event.RoundEnded) {
            long round = event.at().round();
            if (round <= FIRST || round % every == 0) {
                record(event.at());
            }
        }
    }

    private void add(Event.Acted turn) {
        List<String> names = turn.metrics().names();
        if (names.isEmpty()) {
            return;
        }
        Map<String, Mean> means = acting.computeIfAbsent(turn.turn(), name -> new LinkedHashMap<>());
        for (String name : names) {
            Mean mean = means.computeIfAbsent(name, first -> new Mean());
            if (name.equals(STEPS)) {
                mean.set(turn.metrics().get(name));
            } else {
                mean.add(turn.metrics().get(name));
            }
        }
    }

    /** Records what there is since the last time. */
    void record(Event.Position at) {
        acting.forEach((turn, means) -> means.forEach((name, mean) -> {
            if (mean.count > 0) {
                recorder.scalar(at, turn, name, mean.sum / mean.count);
                mean.sum = 0;
                mean.count = 0;
            }
        }));
        turns.forEach((turn, sums) -> {
            if (sums.count > 0) {
                recorder.scalar(at, turn, "loss", sums.sums[0] / sums.count);
                recorder.scalar(at, turn, "gradient_norm", sums.sums[1] / sums.count);
                for (int i = 0; i < sums.names.size(); i++) {
                    recorder.scalar(at, turn, sums.names.get(i), sums.sums[i + 2] / sums.count);
                }
                Map<String, Double> recorded = told.computeIfAbsent(turn, first -> new LinkedHashMap<>());
                for (String name : sums.settings.names()) {
                    double now = sums.settings.get(name);
                    Double before = recorded.put(name, now);
                    if (name.equals("rate") ? !Double.valueOf(now).equals(before) : before != null && now != before) {
                        recorder.scalar(at, turn, name, now);
                    }
                }
                sums.count = 0;
                Arrays.fill(sums.sums, 0);
            }
        });
    }

    /** All that is held back, and what was recorded of settings. */
    @Override
    public State save() {
        Map<String, HeldSums> descending = new LinkedHashMap<>();
        turns.forEach((turn, sums) -> descending.put(
                turn,
                new HeldSums(
                        sums.names,
                        Arrays.stream(sums.sums).boxed().toList(),
                        sums.count,
                        new LinkedHashMap<>(sums.settings.byName()))));
        Map<String, Map<String, HeldMean>> reported = new LinkedHashMap<>();
        acting.forEach((turn, means) -> {
            Map<String, HeldMean> held = new LinkedHashMap<>();
            means.forEach((name, mean) -> held.put(name, new HeldMean(mean.sum, mean.count)));
            reported.put(turn, held);
        });
        return Memory.save(new Held(descending, reported, told, every));
    }

    @Override
    public void restore(State state) {
        Held held = Memory.restore(Held.NOTHING, state);
        turns.clear();
        held.descending().forEach((turn, sums) -> turns.put(turn, sums.sums()));
        acting.clear();
        held.acting().forEach((turn, means) -> {
            Map<String, Mean> restored = new LinkedHashMap<>();
            means.forEach((name, mean) -> restored.put(name, mean.mean()));
            acting.put(turn, restored);
        });
        told.clear();
        held.told().forEach((turn, settings) -> told.put(turn, new LinkedHashMap<>(settings)));
        every = held.every();
    }
}
