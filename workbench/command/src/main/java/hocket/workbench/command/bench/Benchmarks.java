package hocket.workbench.command.bench;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.lazy;

import com.sun.management.ThreadMXBean;
import hocket.schedulers.Definition;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.scopes.SimilarNames;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The benchmarks by name. */
public final class Benchmarks {
    private interface Benchmark {
        List<Measurement> measure(String name, int threads);
    }

    private static final int ADAM_ELEMENTS = 2_000_000;
    private static final int REPLAY_ROWS = 1_000_000;
    private static final int HEAP_ROUNDS = 200;
    private static final int AUDIT_ROUNDS = 50;
    private static final Map<String, Benchmark> ALL = new LinkedHashMap<>();

    static {
        ALL.put("dcgan/16", rate(threads -> new ScheduledLoop(Workload.dcgan(16), threads)));
        ALL.put("dcgan/64", rate(threads -> new ScheduledLoop(Workload.dcgan(64), threads)));
        ALL.put("batch/28x28/64", micros(threads -> new Batches(64)));
        ALL.put("sngan/64", rate(threads -> new ScheduledLoop(ImageWorkloads.sngan(64), threads)));
        for (int rows : new int[] {1, 8, 64}) {
            ALL.put("minatar/" + rows, micros(threads -> new InferenceWork(ImageWorkloads.minatar(), rows, threads)));
        }
        ALL.put("minatar/128", micros(threads -> new ScheduledLoop(ImageWorkloads.minatar(128), threads)));
        for (int rows : new int[] {1, 8, 64}) {
            ALL.put(
                    "lstm/64-128-32/" + rows,
                    micros(threads -> new ScheduledLoop(SequenceWorkloads.lstm(64, 128, 32, rows), threads)));
        }
        for (int rows : new int[] {1, 8, 32}) {
            ALL.put(
                    "attention/128-4-64/" + rows,
                    micros(threads -> new ScheduledLoop(SequenceWorkloads.attention(128, 4, 512, 64, rows), threads)));
        }
        for (int rows : new int[] {1, 8}) {
            ALL.put(
                    "gru/64-128/" + rows,
                    micros(threads -> new InferenceWork(SequenceWorkloads.gru(64, 128), rows, threads)));
        }
        for (int entries : new int[] {1000, 10_000, 100_000}) {
            embedding("embedding", entries, lazy(adam(1e-3)));
        }
        embedding("embedding-dense", 100_000, adam(1e-3));
        step(64, 4, 64, 64, 2);
        step(256, 17, 256, 256, 6);
        step(128, 784, 256, 128, 10);
        step(128, 784, 1024, 1024, 10);
        step(256, 1024, 2048, 2048, 1024);
        infer(1, 4, 64, 64, 2);
        infer(8, 4, 64, 64, 2);
        infer(64, 4, 64, 64, 2);
        ALL.put("adam/2000000", micros(threads -> new AdamUpdates(ADAM_ELEMENTS, threads)));
        ALL.put("rl/ppo-1x2048-10x64", agent(() -> AgentRounds.ppo(1, 2048, 10, 64)));
        ALL.put("rl/ppo-8x32-20x256", agent(() -> AgentRounds.ppo(8, 32, 20, 256)));
        ALL.put("rl/ppo-8x128-4x256", agent(() -> AgentRounds.ppo(8, 128, 4, 256)));
        ALL.put("rl/ppo-lstm-8x128-4x256", agent(AgentRounds::recurrentPpo));
        ALL.put("rl/ppo-taxi", agent(AgentRounds::maskedPpo));
        ALL.put("rl/ppo-cleanrl", agent(AgentRounds::ppoOfCleanRl));
        ALL.put("rl/dqn-cleanrl", agent(AgentRounds::dqnOfCleanRl));
        ALL.put("rl/c51-cleanrl", agent(AgentRounds::c51OfCleanRl));
        ALL.put("rl/sac-cleanrl", agent(AgentRounds::sacOfCleanRl));
        ALL.put("rl/td3-cleanrl", agent(AgentRounds::td3OfCleanRl));
        ALL.put("rl/ddpg-cleanrl", agent(AgentRounds::ddpgOfCleanRl));
        ALL.put("rl/a2c-zoo", agent(AgentRounds::a2c));
        ALL.put("rl/dqn-zoo", agent(AgentRounds::dqn));
        ALL.put("rl/qrdqn-zoo", agent(AgentRounds::qrDqn));
        ALL.put("rl/sac-pendulum", agent(AgentRounds::sac));
        ALL.put("rl/td3-pendulum", agent(AgentRounds::td3));
        ALL.put("rl/ddpg-pendulum", agent(AgentRounds::ddpg));
        ALL.put("audit/dcgan/16", audit(() -> Workload.dcgan(16)));
        ALL.put("audit/dcgan/64", audit(() -> Workload.dcgan(64)));
        ALL.put("overhead/dcgan/16", overhead(() -> Workload.dcgan(16)));
        ALL.put("overhead/step/4-64-64-2/64", overhead(() -> Workload.dense(List.of(4, 64, 64, 2), 64)));
        // 10,006,500 parameters
        ALL.put(
                "save/10000000",
                (name, threads) -> SavingCosts.held(name, Workload.dense(List.of(1000, 3000, 2000, 500), 64), threads));
        ALL.put("save-replay/1000000", (name, threads) -> SavingCosts.rows(name, REPLAY_ROWS, threads));
        ALL.put("queue/append", (name, threads) -> QueueAppends.measure(name));
    }

    private Benchmarks() {}

    /** Returns the names of the benchmarks. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * Runs a benchmark, which takes some seconds.
     *
     * @param threads number of threads, at least 1
     * @return the measurement, or several whose names begin with the benchmark's name
     * @throws IllegalArgumentException if no benchmark has this name, naming the most similar one
     */
    public static List<Measurement> measure(String name, int threads) {
        return Optional.ofNullable(ALL.get(name))
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no benchmark " + name + SimilarNames.among(name, names())))
                .measure(name, threads);
    }

    /** Measures a training step of a dense network. */
    private static void step(int rows, Integer... widths) {
        List<Integer> all = List.of(widths);
        ALL.put(
                "step/" + named(all) + "/" + rows,
                micros(threads -> new ScheduledLoop(Workload.dense(all, rows), threads)));
    }

    /** Measures a training step of an embedding. */
    private static void embedding(String name, int entries, UpdateRule optimizer) {
        ALL.put(
                name + "/" + entries + "-64/32x64",
                micros(threads ->
                        new ScheduledLoop(SequenceWorkloads.embedding(entries, 64, 64, 32, optimizer), threads)));
    }

    /** Measures inference of a dense network. */
    private static void infer(int rows, Integer... widths) {
        List<Integer> all = List.of(widths);
        ALL.put(
                "infer/" + named(all) + "/" + rows,
                micros(threads -> new InferenceWork(Workload.inference(all), rows, threads)));
    }

    private static String named(List<Integer> widths) {
        return widths.stream().map(String::valueOf).collect(Collectors.joining("-"));
    }

    private static Benchmark rate(IntFunction<Work> work) {
        return (name, threads) -> {
            try (Work measured = work.apply(threads)) {
                return List.of(new Measurement(name, 1 / Stopwatch.seconds(measured)[0], "it/s", threads));
            }
        };
    }

    /** Measures environment steps a second of training, updates included. */
    private static Benchmark agent(Supplier<Definition> algorithm) {
        return (name, threads) -> {
            try (AgentRounds measured = new AgentRounds(algorithm.get(), threads)) {
                double steps = measured.stepsOfRound();
                return List.of(new Measurement(name, steps / Stopwatch.sustained(measured), "steps/s", threads));
            }
        };
    }

    private static Benchmark micros(IntFunction<Work> work) {
        return (name, threads) -> {
            try (Work measured = work.apply(threads)) {
                return List.of(new Measurement(name, 1e6 * Stopwatch.seconds(measured)[0], "us", threads));
            }
        };
    }

    /** Measures the cost of the scheduler over the bare programs and optimizers, in time and in Java heap, for each round. */
    private static Benchmark overhead(Supplier<Workload> workload) {
        return (name, threads) -> {
            try (Work scheduled = new ScheduledLoop(workload.get(), threads);
                    Work bare = new BareLoop(workload.get(), threads)) {
                double[] seconds = Stopwatch.seconds(scheduled, bare);
                return List.of(
                        new Measurement(name + "/share", 100 * (seconds[0] / seconds[1] - 1), "%", threads),
                        new Measurement(name + "/time", 1e6 * (seconds[0] - seconds[1]), "us", threads),
                        new Measurement(name + "/heap", heap(scheduled), "bytes", threads));
            }
        };
    }

    /** Measures the cost of auditing every 50th round by the difference between audited rounds and others. */
    private static Benchmark audit(Supplier<Workload> workload) {
        return (name, threads) -> {
            try (Work audited = new ScheduledLoop(workload.get(), threads).audit();
                    Work plain = new ScheduledLoop(workload.get(), threads)) {
                double[] seconds = Stopwatch.seconds(audited, plain);
                double more = seconds[0] - seconds[1];
                return List.of(
                        new Measurement(name + "/share", 100 * more / (AUDIT_ROUNDS * seconds[1]), "%", threads),
                        new Measurement(name + "/time", 1e6 * more, "us", threads));
            }
        };
    }

    private static double heap(Work work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        double least = Double.POSITIVE_INFINITY;
        for (int block = 0; block < 3; block++) {
            long before = threads.getThreadAllocatedBytes(self);
            work.run(HEAP_ROUNDS);
            least = Math.min(least, (threads.getThreadAllocatedBytes(self) - before) / (double) HEAP_ROUNDS);
        }
        return least;
    }
}
