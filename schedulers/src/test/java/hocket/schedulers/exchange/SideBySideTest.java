package hocket.schedulers.exchange;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import hocket.programs.execution.ThreadTeam;
import hocket.schedulers.Budget;
import hocket.schedulers.ForwardingExecutable;
import hocket.schedulers.Lowered;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.HostView;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers of one process that compute at the same time, each on threads of its own. */
class SideBySideTest {
    /** Direct memory; an array refuses all threads but the one that made it. */
    private static final class OneThread implements Device {
        @Override
        public String name() {
            return "one thread";
        }

        @Override
        public Array allocate(Shape shape, ElementType type) {
            Array memory = Device.jvm().allocate(shape, type);
            Thread maker = Thread.currentThread();
            return new Array() {
                @Override
                public Device device() {
                    return OneThread.this;
                }

                @Override
                public Shape shape() {
                    return memory.shape();
                }

                @Override
                public ElementType type() {
                    return memory.type();
                }

                @Override
                public HostView view() {
                    if (Thread.currentThread() != maker) {
                        throw new IllegalStateException(
                                "asked for by " + Thread.currentThread().getName());
                    }
                    return memory.view();
                }

                @Override
                public void close() {
                    memory.close();
                }
            };
        }
    }

    private static Rows rows(String name, Shape row, int count) {
        float[] values = new float[count * row.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) Math.sin(i * 0.7);
        }
        return Rows.of(name, Tensor.of(row.prepend(count), values));
    }

    /** Of what runs programs side by side; 300 turns, so that the second worker surely computes on a thread of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"jvm", "reference"})
    void workersAskForNoArrayOfTheStoreOnThreadsOfTheirOwn(String lowering) {
        System.setProperty(Lowering.PROPERTY, lowering);
        DividedTest.Gan gan = DividedTest.gan(ElementType.FLOAT32, false, false);
        try (Parameters parameters =
                        Parameters.initialise(gan.graph().declarations(), Streams.seed(7), new OneThread());
                Scheduler scheduler = Scheduler.over(parameters, 2, DataParallelSplit.among(2))) {
            scheduler
                    .plan(sequence(gan.d(), gan.g()))
                    .feed(DividedTest.images(ElementType.FLOAT32).batches("image", 40), Resample.EACH_TURN)
                    .run(Budget.rounds(150));
            assertThat(scheduler.count("g")).isEqualTo(150);
        } finally {
            System.clearProperty(Lowering.PROPERTY);
        }
    }

    /**
     * The engine lays a convolution's weight out anew where it runs without gradients, and puts it back when the array is asked
     * for. Two threads that asked at the same time read its elements in another order, or ended the process.
     */
    @Test
    @Tag("engine")
    void workersReadAWeightThatTheEngineHasLaidOutAnew() {
        Graph graph = new Graph();
        Network<Value, Value> features =
                graph.module("features", x -> conv("conv", x, 64, kernel(5).pad(2)));
        Value seen = features.apply(graph.noise("image", Shape.of(64, 8, 8)));
        Value read;
        try (var module = graph.module("reader")) {
            read = mean(square(dense("out", graph.noise("noise", Shape.of(8)), 4)));
        }
        Value weight = graph.value("features/conv/weight");
        Program uses = Program.compile("uses", Mode.EVAL, seen);
        Program reads = Program.compile("reads", Mode.EVAL, read, mean(square(weight)));
        Lowering kernels = Lowering.of(reads);
        assertThat(List.of(Lowering.of(uses).name(), kernels.name())).containsExactly("mxnet", "jvm");
        Lowering divided = DataParallelSplit.among(2).over(kernels, reads, Consistency.USUAL);
        TreeSet<Path> none = new TreeSet<>();
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                BoundProgram engine = new BoundProgram(uses, parameters, Lowering.of(uses), 1, none, "");
                BoundProgram one = new BoundProgram(reads, parameters, kernels, 1, none, "");
                BoundProgram two = new BoundProgram(reads, parameters, divided, 2, none, "")) {
            one.run(1, 0, 0); // as many rows as each worker has
            Parameters.Cell cell = parameters.cell(Path.of("features/conv/weight"));
            for (int i = 0; i < 5000; i++) {
                engine.run(1, i, i);
                cell.written();
                two.run(2, i, i);
                assertThat(two.number(1)).isEqualTo(one.number(1));
            }
        }
    }

    private static Program train(String name, Value loss) {
        return Program.compile(name, Mode.TRAIN, Loss.of(loss));
    }

    /** Of the reference, but before a program is computed all threads that any worker has must come together. */
    private record AllTogether(CyclicBarrier barrier, Set<Thread> came) implements Lowering {
        @Override
        public String name() {
            return "all together";
        }

        @Override
        public int preference(Program program) {
            return 0;
        }

        @Override
        public boolean runsBeside() {
            return true;
        }

        @Override
        public Executable bind(Binding binding) {
            ThreadTeam threadTeam = ThreadTeam.shared(binding.threads(), binding.worker());
            return new ForwardingExecutable(Lowering.reference().bind(binding)) {
                @Override
                public void run() {
                    threadTeam.run((part, parts) -> {
                        came.add(Thread.currentThread());
                        await();
                    });
                    super.run();
                }

                @Override
                public void close() {
                    super.close();
                    threadTeam.release();
                }
            };
        }

        private void await() {
            try {
                barrier.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException("not all threads compute at the same time", e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "2, 4", "2, 8", "3, 8", "2, 1", "4, 2"})
    void allThreadsComputeAtTheSameTimeAndNoMore(int workers, int threads) {
        Graph graph = new Graph();
        Value y;
        try (var module = graph.module("m")) {
            y = dense("out", graph.noise("noise", Shape.of(3)), 2);
        }
        Program program = Program.compile("p", Mode.EVAL, y);
        Set<Thread> came = ConcurrentHashMap.newKeySet();
        Lowering together = new AllTogether(new CyclicBarrier(threads), came);
        Lowering divided = DataParallelSplit.among(workers).over(together, program, Consistency.USUAL);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7), new OneThread())) {
            parameters.enter();
            Lowering.Binding binding = new Lowering.Binding(program, parameters, new TreeSet<>(), 12, threads, 0, null);
            try (Executable executable = divided.bind(binding)) {
                executable.run();
            }
            parameters.leave();
        }
        assertThat(came).hasSize(threads);
    }

    /** Products of 64 rows by 256 by 256 are shared by the threads of a worker. */
    @Test
    void theNumberOfThreadsChangesNoBit() {
        // The engine, which would run it where there are no vectors, asks for its own storage.
        Lowered.by("jvm", SideBySideTest::assertTheNumberOfThreadsChangesNoBit);
    }

    private static void assertTheNumberOfThreadsChangesNoBit() {
        Set<String> digests = new HashSet<>();
        for (int threads : new int[] {1, 2, 3, 8}) {
            Graph graph = new Graph();
            Value image = graph.input("image", Shape.of(256));
            Value y;
            try (var module = graph.module("m")) {
                y = dense("out", tanh(dense("in", image, 256)), 256);
            }
            Turn.Descend turn = Turn.of("t", train("p", mean(square(y)))).updates("m/**", adam(1e-3));
            try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7), new OneThread());
                    Scheduler scheduler = Scheduler.over(parameters, threads, DataParallelSplit.among(2))) {
                scheduler
                        .plan(turn)
                        .feed(rows("image", Shape.of(256), 256).batches("image", 128), Resample.EACH_TURN)
                        .run(Budget.rounds(5));
                digests.add(parameters.digest());
            }
        }
        assertThat(digests).hasSize(1);
    }
}
