package hocket.schedulers.rings;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Recorder;
import hocket.schedulers.State;
import hocket.schedulers.Stateful;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What turns report, averaged over some rounds before it is recorded (of what is called {@code steps}, a count, its last value): every
 * round at first, then every fiftieth, and whenever it is asked. With turns of Java, whose rounds may be few and long, a
 * budget of few rounds is recorded more often. When it records depends on rounds and budget alone, so that a resumed run
 * records what the whole one would have.
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

    /** What was recorded of settings; the means are recorded before a run is saved. */
    @Override
    public State save() {
        State state = State.empty();
        for (Map.Entry<String, Map<String, Double>> turn : told.entrySet()) {
            State settings = State.empty();
            for (Map.Entry<String, Double> setting : turn.getValue().entrySet()) {
                settings = settings.with(setting.getKey(), setting.getValue());
            }
            state = state.with(turn.getKey(), settings);
        }
        return state;
    }

    @Override
    public void restore(State state) {
        told.clear();
        for (String turn : state.items().keySet()) {
            State settings = state.state(turn);
            Map<String, Double> recorded = new LinkedHashMap<>();
            settings.items().keySet().forEach(name -> recorded.put(name, settings.real(name)));
            told.put(turn, recorded);
        }
    }
}
