package hocket.schedulers.turns;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.optimizers.Optimizers.accumulate;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipAdaptively;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.lazy;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Budget;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.HostView;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A second device, as a newcomer would write one, and a lowering whose programs run on its arrays. */
public class SecondDeviceTest {
    /** Memory that the host does not see: a view is a copy, and an update writes its views back. */
    private static final class Far implements Device {
        static final Far MEMORY = new Far();

        private final Set<Array> open = new HashSet<>();
        private final List<FarArray> viewed = new ArrayList<>();
        private boolean updates;

        @Override
        public String name() {
            return "far";
        }

        @Override
        public Array allocate(Shape shape, ElementType type) {
            Array array = new FarArray(shape, type);
            open.add(array);
            return array;
        }

        @Override
        public void update(Runnable update) {
            updates = true;
            try {
                update.run();
            } finally {
                updates = false;
                viewed.forEach(FarArray::writeBack);
                viewed.clear();
            }
        }

        private final class FarArray implements Array {
            private final Shape shape;
            private final ElementType type;
            private final byte[] memory;
            private @Nullable HostView view;

            FarArray(Shape shape, ElementType type) {
                this.shape = shape;
                this.type = type;
                this.memory = new byte[shape.bytes(type)];
            }

            @Override
            public Device device() {
                return Far.this;
            }

            @Override
            public Shape shape() {
                return shape;
            }

            @Override
            public ElementType type() {
                return type;
            }

            @Override
            public HostView view() {
                assertThat(open).contains(this);
                HostView mapped = view;
                if (mapped == null) {
                    mapped = HostView.of(ByteBuffer.allocateDirect(memory.length));
                    mapped.bytes().put(memory);
                    if (updates) {
                        view = mapped;
                        viewed.add(this);
                    }
                }
                return mapped;
            }

            void writeBack() {
                view().bytes().get(memory);
                view = null;
            }

            @Override
            public void write(ByteBuffer from) {
                from.get(memory);
                if (view != null) {
                    view.bytes().put(memory);
                }
            }

            @Override
            public void close() {
                open.remove(this);
            }
        }
    }

    /** The JVM's lowering on parameters that it moves to the far device. Found by {@link java.util.ServiceLoader}. */
    public static final class OnFar implements Lowering {
        private static final String NAME = "far";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Optional<String> unavailable() {
            return System.getProperty(PROPERTY, "auto").equals(NAME) ? Optional.empty() : Optional.of("it is far");
        }

        @Override
        public int preference(Program program) {
            return Integer.MIN_VALUE;
        }

        @Override
        public Optional<Device> device() {
            return Optional.of(Far.MEMORY);
        }

        @Override
        public Executable bind(Binding binding) {
            binding.program()
                    .parameters()
                    .keySet()
                    .forEach(path -> binding.parameters().cell(path).array(Far.MEMORY));
            return Lowering.reference().bind(binding);
        }
    }

    /** The bits of a run, and how many arrays the far device had. */
    private record Run(String digest, State state, int far) {}

    /** Clipping by both norms, two optimizers, running statistics, an average, a trial; every turn is audited. */
    private static Run run(Device first, String lowering) {
        System.setProperty(Lowering.PROPERTY, lowering);
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3));
        Value y;
        try (var module = graph.module("net")) {
            y = dense("out", tanh(batchNorm("norm", dense("in", x, 5))), 3);
        }
        Turn.Descend fit = Turn.of("fit", Program.compile("fit", Mode.TRAIN, Loss.of(mean(square(subtract(y, x))))))
                .updates("net/in/**", chain(clipByGlobalNorm(0.1), adam(0.05)))
                .updates("net/norm/**", adam(0.05))
                .updates("net/out/**", chain(clipAdaptively(0.1), sgd(0.1).momentum(0.9)));
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7), first)
                        .copy("net/**", "ema/net/**");
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            scheduler
                    .plan(sequence(fit, trial(fit, 0.5), Turn.follow("ema", "net/**", "ema/net/**", 0.9)))
                    .audit(1)
                    .feed(rows().batches("x", 8), Resample.EACH_TURN)
                    .run(Budget.rounds(20));
            return new Run(parameters.digest(), scheduler.save(), Far.MEMORY.open.size());
        } finally {
            System.clearProperty(Lowering.PROPERTY);
            assertThat(Far.MEMORY.open).as("arrays that were not freed").isEmpty();
        }
    }

    private static Rows rows() {
        float[] values = new float[24 * 3];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) Math.sin(i * 0.7);
        }
        return Rows.of("x", Tensor.of(Shape.of(24, 3), values));
    }

    /** Adam has two slots for each of 4 weights, momentum one for each of 2. */
    private static final int SLOTS = 4 * 2 + 2;

    /** Parameters and slots, each with the copy for the trial, and 2 arrays between passes. */
    private static final int ARRAYS = 2 * (8 + SLOTS) + 2;

    @Test
    void trainingAStoreThatBeginsOnItGivesTheSameBits() {
        Run here = run(Device.jvm(), Lowering.REFERENCE);
        Run there = run(Far.MEMORY, Lowering.REFERENCE);
        assertThat(there.digest()).isEqualTo(here.digest());
        assertThat(there.state()).isEqualTo(here.state());
        assertThat(here.far()).isZero();
        assertThat(there.far()).isGreaterThan(0);
    }

    @Test
    void trainingByALoweringThatMovesParametersThereGivesTheSameBits() {
        Run here = run(Device.jvm(), Lowering.REFERENCE);
        Run moved = run(Device.jvm(), OnFar.NAME);
        assertThat(moved.digest()).isEqualTo(here.digest());
        assertThat(moved.state()).isEqualTo(here.state());
        assertThat(moved.far()).isEqualTo(ARRAYS);
    }

    @Test
    void rowsOfATableOnItAreReadAndUpdatedThere() {
        assertThat(table(Far.MEMORY)).isEqualTo(table(Device.jvm()));
    }

    private static String table(Device first) {
        System.setProperty(Lowering.PROPERTY, "jvm");
        Graph graph = new Graph();
        Value text = graph.input("text", Shape.of(3), ElementType.INT64);
        Value y;
        try (var module = graph.module("net")) {
            y = dense("out", embedding("words", text, 9, 4), 1);
        }
        Turn.Descend fit = Turn.of("fit", Program.compile("fit", Mode.TRAIN, Loss.of(mean(square(y)))))
                .updates("net/**", lazy(chain(accumulate(2), adam(0.05))));
        Tensor rows = Tensor.of(Shape.of(4, 3), new long[] {0, 1, 1, 2, 8, 8, 3, 0, 4, 4, 4, 4});
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7), first);
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            scheduler
                    .plan(fit)
                    .feed(Rows.of("text", rows).batches("text", 1), Resample.EACH_TURN)
                    .run(Budget.rounds(20));
            return parameters.digest();
        } finally {
            System.clearProperty(Lowering.PROPERTY);
        }
    }
}
