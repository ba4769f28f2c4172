package hocket.programs.jvm;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import hocket.programs.Fixture;
import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Outcome;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.checks.CheckGradients;
import hocket.programs.checks.GradientCheck;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.json.ProgramJson;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.layers.Recurrence;
import hocket.programs.layers.Recurrence.Cell;
import hocket.programs.layers.Scan;
import hocket.programs.mxnet.MxLowering;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScanTest {
    static Stream<Lowering> lowerings() {
        return Stream.of(new ReferenceLowering(), new JvmLowering(), new MxLowering())
                .filter(lowering -> lowering.unavailable().isEmpty());
    }

    /** Two sequences, two states that change places, outputs of two kinds, and a parameter that is made in the step. */
    private static Value mixed(Graph graph, int steps) {
        Value x = graph.input("x", Shape.of(steps, 3));
        Value weights = graph.input("weights", Shape.of(steps));
        Value start = Fixture.parameter(graph, "start", 2);
        Value other = graph.input("other", Shape.of(2));
        Scan.Steps run = Scan.over(List.of(x, weights), List.of(start, other), (now, state) -> {
            Value h = tanh(add(dense("in", now.get(0), 2), multiply(state.get(0), now.get(1))));
            return new Scan.Next(List.of(state.get(1), h), List.of(h, reshape(sum(square(h), 0), 1)));
        });
        Value all = add(mean(square(run.outputs().get(0))), mean(run.outputs().get(1)));
        return add(all, add(mean(run.state().get(0)), mean(square(run.state().get(1)))));
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void gradientsAndThoseOfGradientsAreDifferences(Lowering lowering) {
        for (int steps : new int[] {1, 2, 7}) {
            Graph graph = new Graph();
            try (Scope<Value> module = graph.module("m")) {
                Value loss = mixed(graph, steps);
                Value start = graph.value("m/start");
                passes(Program.compile("p", Mode.TRAIN, loss), lowering);
                Value penalty = mean(square(Gradients.of(loss, start).get(0)));
                passes(Program.compile("q", Mode.TRAIN, add(loss, penalty)), lowering);
            }
        }
    }

    private static void passes(Program program, Lowering lowering) {
        GradientCheck check =
                CheckGradients.of(program).by(lowering).elements(6).run();
        assertThat(check.passes()).as(check.toString()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Cell.class)
    void scannedCellsComputeWhatUnrolledOnesDo(Cell cell) {
        for (int rows : new int[] {1, 5, 20}) {
            for (boolean masked : new boolean[] {false, true}) {
                for (boolean reversed : new boolean[] {false, true}) {
                    Recurrence cells = Recurrence.of(cell, 5).layers(2).maskedAsZeros();
                    Recurrence way = reversed ? cells.backward() : cells;
                    Outcome unrolled = outcome(way, masked, rows);
                    Outcome scanned = outcome(way.scanned(), masked, rows);
                    scanned.assertNear(unrolled, 1e-5); // the weights' gradients add up in another order
                }
            }
        }
    }

    private static Outcome outcome(Recurrence cells, boolean masked, int rows) {
        Graph graph = new Graph();
        Value mask = masked ? graph.input("mask", Shape.of(10)) : null;
        try (Scope<Value> module = graph.module("m")) {
            Recurrence.Unrolled run = apply(cells, graph.input("x", Shape.of(10, 3)), mask);
            Value loss = add(mean(square(run.outputs())), mean(run.state()));
            return Outcome.byThreads(new JvmLowering(), Program.compile("p", Mode.TRAIN, loss, run.outputs()), rows, 2);
        }
    }

    private static Recurrence.Unrolled apply(Recurrence cells, Value x, @Nullable Value mask) {
        return cells.apply("cells", x, null, mask == null ? null : hocket.programs.Operators.step(mask));
    }

    @Test
    void aProgramWithAScanIsStoredAndReadAgain() {
        Graph graph = new Graph();
        try (Scope<Value> module = graph.module("m")) {
            Value loss = mixed(graph, 5);
            Value penalty =
                    mean(square(Gradients.of(loss, graph.value("m/start")).get(0)));
            Program program = Program.compile("p", Mode.TRAIN, add(loss, penalty));
            Program read = ProgramJson.read(ProgramJson.write(program));
            Outcome.byThreads(new JvmLowering(), read, 3, 1)
                    .assertNear(Outcome.byThreads(new JvmLowering(), program, 3, 1), 0);
        }
    }

    /** Sixteen times as many steps would take sixteen times as much, were they unrolled. */
    @Test
    void memoryGrowsWithTheRootOfTheNumberOfSteps() {
        allocated(9);
        long some = allocated(64);
        long many = allocated(1024);
        assertThat(many).as("bytes for 1,024 steps, beside %s for 64", some).isLessThan(4 * some);
    }

    private static long allocated(int steps) {
        Graph graph = new Graph();
        Value y;
        try (Scope<Value> module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(steps, 1));
            Value start = Fixture.parameter(graph, "start", 64);
            y = Scan.over(List.of(x), List.of(start), (now, state) -> {
                        Value h = tanh(add(dense("in", now.get(0), 64), dense("on", state.get(0), 64)));
                        return new Scan.Next(List.of(h), List.of());
                    })
                    .state()
                    .get(0);
        }
        try (Parameters parameters = Fixture.store(graph)) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            Program program = Program.compile("p", Mode.TRAIN, mean(square(y)));
            Lowering plain = new JvmLowering(DenseKernels.plain());
            try (BoundProgram bound = Fixture.bind(plain, program, parameters, new TreeSet<>(program.reached()))) {
                bound.feed("m/x", Fixture.random(Shape.of(32, steps, 1), ElementType.FLOAT32, 1));
                bound.run(32, 0, 0);
            }
            return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        }
    }

    /** Unrolled and scanned alike; what is dropped is the same at all steps, and in EVAL programs nothing. */
    @ParameterizedTest
    @EnumSource(Cell.class)
    void droppedStatesAreTheSameAtAllSteps(Cell cell) {
        Recurrence cells = Recurrence.of(cell, 5).dropout(0.4);
        outcome(cells.scanned(), false, 6).assertNear(outcome(cells, false, 6), 1e-5);
        assertThat(outcome(cells, false, 6).numbers().values().iterator().next())
                .isNotEqualTo(outcome(cells.dropout(0), false, 6)
                        .numbers()
                        .values()
                        .iterator()
                        .next());
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3, 2));
        Value y;
        try (Scope<Value> module = graph.module("m")) {
            y = cells.scanned().apply("cells", x).outputs();
        }
        assertThat(Program.compile("p", Mode.TRAIN, y).noises()).hasSize(1);
    }

    /** Of a step of one's own, scanned and unrolled, with and without gradients. */
    @Test
    void dropoutOfAStepIsOffInEval() {
        for (Mode mode : Mode.values()) {
            double[] dropped = numbers(dropping(mode, 0.5));
            double[] whole = numbers(dropping(mode, 0));
            if (mode == Mode.EVAL) {
                assertThat(dropped).isEqualTo(whole);
            } else {
                assertThat(dropped).isNotEqualTo(whole);
            }
        }
    }

    private static Program dropping(Mode mode, double rate) {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(4, 3));
        Value start = graph.input("start", Shape.of(3));
        Scan.Steps run = Scan.over(List.of(x), List.of(start), (now, state) -> {
            Value sum = add(now.get(0), state.get(0));
            return new Scan.Next(List.of(rate == 0 ? sum : dropout("drop", sum, rate)), List.of());
        });
        return Program.compile("p", mode, run.state().get(0));
    }

    /** The same mask at every step, which variational dropout asks for. */
    @Test
    void noiseOfAStepIsTheSameAtEveryStep() {
        Graph graph = new Graph();
        Value noise = graph.noise("noise", Shape.of(2));
        Value x = graph.input("x", Shape.of(6, 2));
        Scan.Steps run = Scan.over(
                List.of(x),
                List.of(scale(noise, 0)),
                (now, state) ->
                        new Scan.Next(List.of(add(state.get(0), noise)), List.of(add(scale(now.get(0), 0), noise))));
        Program program = Program.compile("p", Mode.EVAL, run.state().get(0), noise);
        Outcome outcome = Outcome.byThreads(new JvmLowering(), program, 3, 1);
        List<double[]> numbers = List.copyOf(outcome.numbers().values());
        for (int i = 0; i < 6; i++) {
            assertThat(numbers.get(0)[i]).isCloseTo(6 * numbers.get(1)[i], within(1e-5));
        }
    }

    /** Labels that a step reads, and their bound, which is checked when they are fed. */
    @Test
    void aStepReadsLabelsOfEachRow() {
        Graph graph = new Graph();
        Value label = graph.input("label", Shape.of(), ElementType.INT64);
        Value x = graph.input("x", Shape.of(4, 3));
        Value start = graph.input("start", Shape.of());
        Scan.Steps run = Scan.over(
                List.of(x),
                List.of(start),
                (now, state) -> new Scan.Next(List.of(add(state.get(0), pick(now.get(0), label))), List.of()));
        Program program = Program.compile("p", Mode.EVAL, run.state().get(0));
        assertThat(program.indexBound(label)).isEqualTo(3);
        assertThat(numbers(program)).isEqualTo(numbers(unrolled(4)));
        Value own = graph.constant(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f));
        Value place = argMax(graph.constant(Tensor.of(Shape.of(3), 1f, 3f, 2f)));
        refuses(
                () -> Scan.over(
                        List.of(own),
                        List.of(graph.constant(0)),
                        (now, state) -> new Scan.Next(List.of(pick(now.get(0), place)), List.of())),
                "integers that a step reads must be of each row");
    }

    private static double[] numbers(Program program) {
        return Outcome.of(new JvmLowering(), program, 5, 3)
                .numbers()
                .values()
                .iterator()
                .next();
    }

    private static Program unrolled(int steps) {
        Graph graph = new Graph();
        Value label = graph.input("label", Shape.of(), ElementType.INT64);
        Value x = graph.input("x", Shape.of(steps, 3));
        Value sum = graph.input("start", Shape.of());
        for (int t = 0; t < steps; t++) {
            sum = add(sum, pick(reshape(slice(x, 0, t, t + 1), 3), label));
        }
        return Program.compile("p", Mode.EVAL, sum);
    }

    /** A state of each row may be set to a number that all rows share. */
    @Test
    void aNextStateIsSpreadToRows() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3, 2));
        Value fixed = graph.constant(Tensor.of(Shape.of(2), 4f, 5f));
        Scan.Steps run =
                Scan.over(List.of(x), List.of(fixed), (now, state) -> new Scan.Next(List.of(fixed), List.of()));
        assertThat(numbers(Program.compile("p", Mode.EVAL, run.state().get(0)))).startsWith(4, 5, 4, 5);
    }

    @Test
    void whatDoesNotFitIsRefusedByName() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(6, 2));
        Value y = graph.input("y", Shape.of(5, 2));
        Value h = graph.constant(0);
        refuses(
                () -> Scan.over(List.of(x), List.of(h), (now, state) -> new Scan.Next(now, List.of())),
                "each next state must be as its state, state 1 ");
        refuses(
                () -> Scan.over(List.of(x, y), List.of(h), (now, state) -> new Scan.Next(state, List.of())),
                "all of one T");
        refuses(
                () -> Scan.over(List.of(x), List.of(h), (now, state) -> new Scan.Next(now, now)),
                "each next state must be");
        refuses(
                () -> Scan.over(List.of(x), List.of(h), (now, state) -> new Scan.Next(List.of(), List.of())),
                "must give 1 next states, gave 0");
        Value own = graph.constant(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f));
        refuses(
                () -> Scan.over(
                        List.of(own),
                        List.of(h),
                        (now, state) ->
                                new Scan.Next(state, List.of(multiply(now.get(0), graph.input("c", Shape.of(3)))))),
                "states and outputs must all be of each row or none");
        refuses(
                () -> Scan.over(
                        List.of(x), List.of(h), (now, state) -> new Scan.Next(state, List.of(argMax(now.get(0))))),
                "states and outputs must be of one type: state 1 is FLOAT32, output 1 is INT64");
        Value[] leaked = new Value[1];
        Scan.over(List.of(x), List.of(h), (now, state) -> {
            leaked[0] = now.get(0);
            return new Scan.Next(state, now);
        });
        refuses(
                () -> Outcome.byThreads(new JvmLowering(), Program.compile("p", Mode.EVAL, scale(leaked[0], 2)), 3, 1),
                "used outside of the step");
    }

    private static void refuses(org.assertj.core.api.ThrowableAssert.ThrowingCallable made, String message) {
        assertThatIllegalArgumentException().isThrownBy(made).withMessageContaining(message);
    }
}
