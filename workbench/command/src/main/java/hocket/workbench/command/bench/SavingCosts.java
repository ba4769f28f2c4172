package hocket.workbench.command.bench;

import hocket.rl.replay.Replay;
import hocket.rl.replay.Transitions;
import hocket.rl.spaces.Box;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Trigger;
import hocket.schedulers.checkpoint.AtomicFolder;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.CheckpointPolicy.IfRefused;
import hocket.schedulers.checkpoint.CheckpointWriter;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Measures the cost of checkpoints: the delay of training, and the time for a replay buffer whose old rows are saved.
 */
final class SavingCosts {
    private static final float[] NO_MASKS = {};
    private static final int SAVES = 6;
    private static final int ROUNDS_BETWEEN = 40;
    private static final int NEW_ROWS = 1000;
    private static final double MILLIS = 1e3;
    private static final double KIB_OF_A_MIB = 1024;
    private static final CheckpointPolicy BACKGROUND = new CheckpointPolicy(1, 0, 0, true, IfRefused.STOP);

    private SavingCosts() {}

    /**
     * Measures how long saving parameters and Adam's slots delays training, compared with one copy of that state, and
     * by how much the process's peak memory grows from the first save on.
     */
    static List<Measurement> held(String name, Workload workload, int threads) {
        return inFolder(folder -> {
            try (Parameters parameters = Parameters.initialise(workload.graph().declarations(), Streams.seed(0));
                    Scheduler scheduler = Scheduler.over(parameters, threads)) {
                Holding holding = new Holding();
                scheduler
                        .plan(Plan.sequence(workload.turns().toArray(Plan[]::new)))
                        .feed(workload.source(), Resample.EACH_TURN)
                        .saveTo(folder, BACKGROUND)
                        .ring(holding)
                        .run(Budget.rounds((long) SAVES * ROUNDS_BETWEEN));
                double peak = status("VmHWM") - holding.resident;
                double copy = Double.POSITIVE_INFINITY;
                for (int i = 0; i < SAVES; i++) {
                    long start = System.nanoTime();
                    State state = scheduler.save();
                    copy = Math.min(copy, seconds(start));
                    if (state.items().isEmpty()) {
                        throw new IllegalStateException("the copied state is empty");
                    }
                }
                return List.of(
                        new Measurement(name + "/held", MILLIS * holding.least, "ms", threads),
                        new Measurement(name + "/copy", MILLIS * copy, "ms", threads),
                        new Measurement(name + "/written", MILLIS * holding.written, "ms", threads),
                        new Measurement(name + "/memory", peak / KIB_OF_A_MIB, "MiB", threads));
            }
        });
    }

    /** A callback that saves and measures the time. */
    private static final class Holding implements Ring {
        private double least = Double.POSITIVE_INFINITY;
        private double written = Double.POSITIVE_INFINITY;
        private double resident = Double.NaN;
        private long began;

        @Override
        public Optional<Trigger> trigger() {
            return Optional.of(Trigger.everyRounds(ROUNDS_BETWEEN));
        }

        @Override
        public void due(Run run) {
            if (Double.isNaN(resident)) {
                resident = status("VmRSS");
            }
            began = System.nanoTime();
            run.save();
            least = Math.min(least, seconds(began));
        }

        @Override
        public void saved(Run run, Event.Saved event) {
            written = Math.min(written, seconds(began));
        }
    }

    /** Measures a checkpoint with a thousand new rows of a full and of an almost empty replay buffer. */
    static List<Measurement> rows(String name, int capacity, int threads) {
        return List.of(
                new Measurement(name, MILLIS * withRows(capacity), "ms", threads),
                new Measurement(name + "/of-few", MILLIS * withRows(2 * NEW_ROWS), "ms", threads));
    }

    private static double withRows(int rows) {
        return inFolder(folder -> {
            Replay replay = Transitions.replay(Box.of(3, -1, 1), Box.of(1, -1, 1), rows, 1);
            float[] three = new float[3];
            float[] one = new float[1];
            CheckpointWriter writer = new CheckpointWriter(folder, BACKGROUND);
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < rows + 3 * SAVES * NEW_ROWS; i++) {
                three[0] = i;
                Transitions.add(replay, three, one, 0, i, three, NO_MASKS, 0, 1);
                if (i >= rows && i % NEW_ROWS == 0) {
                    long start = System.nanoTime();
                    writer.write(i, State.empty().with("replay", replay.save()));
                    least = i == rows ? least : Math.min(least, seconds(start)); // the first checkpoint writes all rows
                }
            }
            return least;
        });
    }

    /** Returns a memory value of this process in KiB from Linux; NaN on other systems. */
    private static double status(String name) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(name + ":"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException | UncheckedIOException e) {
            return Double.NaN;
        }
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    /** Measures in a folder that is deleted afterwards. */
    static <T> T inFolder(Function<Path, T> measure) {
        try {
            Path folder = Files.createTempDirectory("hocket-bench");
            try {
                return measure.apply(folder);
            } finally {
                AtomicFolder.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a folder to measure in: " + e.getMessage(), e);
        }
    }
}
