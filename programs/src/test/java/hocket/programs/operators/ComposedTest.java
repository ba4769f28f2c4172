package hocket.programs.operators;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import hocket.programs.Fixture;
import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Outcome;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.checks.CheckGradients;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Cost;
import hocket.programs.execution.Lowering;
import hocket.programs.json.ProgramJson;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.mxnet.MxLowering;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An operator of a user's own: one record. */
class ComposedTest {
    /** {@code x · sigmoid(slope · x)} (Ramachandran et al. 2017). */
    record Swish(double slope) implements Composed {
        @Override
        public Value composed(List<Value> inputs) {
            Value x = inputs.get(0);
            return multiply(x, sigmoid(scale(x, slope)));
        }
    }

    /** {@code a · b}, with a wrong derivative, so that a check has something to find. */
    record WrongProduct() implements Composed {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public Value composed(List<Value> inputs) {
            return multiply(inputs.get(0), new Swish(1).of(inputs.get(1)));
        }

        @Override
        public Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted) {
            return Map.of(0, upstream);
        }
    }

    /** The element at a label. */
    record Looked() implements Composed {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public Value composed(List<Value> inputs) {
            return pick(inputs.get(0), inputs.get(1));
        }
    }

    /** {@code a · b}, with no gradient by b. */
    record Guided() implements Composed {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public Value composed(List<Value> inputs) {
            return multiply(inputs.get(0), stopGradient(inputs.get(1)));
        }
    }

    /** {@code x} where it is trained, else {@code 3·x}. */
    record Eased() implements Composed {
        @Override
        public Value composed(List<Value> inputs) {
            Value x = inputs.get(0);
            return x.graph().numbered(new Elementwise.ByMode(), x, scale(x, 3));
        }
    }

    /** Has settings of every kind, and reads labels. */
    record Settled(long seed, float slope, String name, boolean on, List<Integer> places, Shape shape)
            implements Composed {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public Value composed(List<Value> inputs) {
            return multiply(inputs.get(0), oneHot(inputs.get(1), 3));
        }
    }

    /** Has a parameter of its own. */
    record Stateful() implements Composed {
        @Override
        public Value composed(List<Value> inputs) {
            return multiply(inputs.get(0), Fixture.parameter(inputs.get(0).graph(), "own"));
        }
    }

    private static Program program(ElementType type, boolean composed, boolean twice) {
        Graph graph = new Graph(type);
        try (Scope<Value> scope = graph.module("m")) {
            Value h = dense("hidden", graph.input("x", Shape.of(3)), 5);
            Value y = composed ? new Swish(1.5).of(h) : new Swish(1.5).composed(List.of(h));
            Value loss = mean(square(dense("out", multiply(y, composed ? new Swish(1.5).of(y) : y), 1)));
            if (twice) {
                Value slope = Gradients.of(sum(y), h).get(0);
                loss = mean(square(slope));
            }
            return Program.compile("p", Mode.TRAIN, loss);
        }
    }

    static Stream<Lowering> lowerings() {
        return Stream.of(new ReferenceLowering(), new JvmLowering(), new MxLowering());
    }

    private static void assumeAvailable(Lowering lowering) {
        assumeThat(lowering.unavailable()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void itRunsOnEveryLoweringAsWhatItIsComposedOf(Lowering lowering) {
        assumeAvailable(lowering);
        for (boolean twice : new boolean[] {false, true}) {
            Program composed = program(ElementType.FLOAT32, true, twice);
            assertThat(lowering.refuses(composed, composed.reached())).isEmpty();
            Outcome.of(lowering, composed, 4, 3)
                    .assertNear(
                            Outcome.of(new ReferenceLowering(), program(ElementType.FLOAT64, true, twice), 4, 3), 1e-5);
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void itsGradientsAreDifferences(Lowering lowering) {
        assumeAvailable(lowering);
        for (boolean twice : new boolean[] {false, true}) {
            Program program = program(ElementType.FLOAT32, true, twice);
            assertThat(CheckGradients.of(program).by(lowering).run().passes()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void aPartThatDependsOnTheModeIsThatOfTheProgram(Lowering lowering) {
        assumeAvailable(lowering);
        for (Mode mode : Mode.values()) {
            Graph graph = new Graph();
            try (Scope<Value> scope = graph.module("m")) {
                Value x = Fixture.parameter(graph, "x", 1);
                Program program = Program.compile("p", mode, sum(new Eased().of(x)));
                try (Parameters parameters = Fixture.store(graph);
                        BoundProgram bound = Fixture.bind(lowering, program, parameters, Fixture.none())) {
                    parameters.set("m/x", 2);
                    bound.run(1, 0, 0);
                    assertThat(bound.loss()).isEqualTo(mode == Mode.TRAIN ? 2 : 6);
                }
            }
        }
    }

    @Test
    void itsPartsComputeTheSameBitsAsTheSameOperatorsWrittenOut() {
        for (Lowering lowering : List.of(new ReferenceLowering(), new JvmLowering())) {
            List<Outcome> outcomes = Stream.of(true, false)
                    .map(composed -> {
                        Graph graph = new Graph();
                        try (Scope<Value> scope = graph.module("m")) {
                            Value x = Fixture.parameter(graph, "x", 7);
                            Value y = composed ? new Swish(1.5).of(x) : new Swish(1.5).composed(List.of(x));
                            return Outcome.of(lowering, Program.compile("p", Mode.TRAIN, sum(y)), 2, 3);
                        }
                    })
                    .toList();
            outcomes.get(0).assertNear(outcomes.get(1), 0);
        }
    }

    /** {@code a · swish(b)}. */
    record Gated() implements Composed {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public Value composed(List<Value> inputs) {
            return multiply(inputs.get(0), new Swish(1).of(inputs.get(1)));
        }
    }

    @Test
    void anInputMayBeMadeOfAnotherOrBeTheSame() {
        Graph graph = new Graph(ElementType.FLOAT64);
        try (Scope<Value> scope = graph.module("m")) {
            Value a = Fixture.parameter(graph, "a", 4);
            Value b = new Gated().of(a, a);
            Value loss = sum(new Gated().of(square(a), new Gated().of(b, a)));
            Program program = Program.compile("p", Mode.TRAIN, loss);
            assertThat(CheckGradients.of(program)
                            .by(new ReferenceLowering())
                            .run()
                            .passes())
                    .isTrue();
        }
    }

    /** MXNet derives gradients itself, from the composition. */
    static Stream<Lowering> loweringsByItsDerivative() {
        return Stream.of(new ReferenceLowering(), new JvmLowering());
    }

    @ParameterizedTest
    @MethodSource("loweringsByItsDerivative")
    void aWrongDerivativeIsFound(Lowering lowering) {
        Graph graph = new Graph();
        try (Scope<Value> scope = graph.module("m")) {
            Value a = Fixture.parameter(graph, "a", 4);
            Value loss = sum(new WrongProduct().of(a, a));
            Program program = Program.compile("p", Mode.TRAIN, loss);
            assertThat(CheckGradients.of(program).by(lowering).run().passes()).isFalse();
        }
    }

    @Test
    void aProgramPrintsAndStoresIt() {
        Program program = program(ElementType.FLOAT32, true, false);
        assertThat(program.toString()).contains("m/swish (batch,5)").contains("slope 1.5");
        String text = ProgramJson.write(program);
        assertThat(text).contains("\"hocket.programs.operators.ComposedTest$Swish\":{\"slope\":1.5}");
        Program read = ProgramJson.read(text);
        assertThat(read.value("m/swish").operator()).isEqualTo(new Swish(1.5));
        assertThat(ProgramJson.write(read)).isEqualTo(text);
    }

    @Test
    void anOperatorWithoutAPackageIsReadToo() {
        String text = ProgramJson.write(program(ElementType.FLOAT32, true, false))
                .replace("hocket.programs.operators.ComposedTest$Swish", "SwishWithoutPackage");
        Program read = ProgramJson.read(text);
        assertThat(read.value("m/swish").operator().getClass().getName()).isEqualTo("SwishWithoutPackage");
        assertThat(ProgramJson.write(read)).isEqualTo(text);
    }

    @Test
    void classesThatAreNoOperatorsAreNotLoadedFromFiles() {
        String text = ProgramJson.write(program(ElementType.FLOAT32, true, false));
        String swish = "hocket.programs.operators.ComposedTest$Swish";
        assertThatThrownBy(() -> ProgramJson.read(text.replace(swish, "java.lang.ProcessBuilder")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.ProcessBuilder is not a record that implements");
        assertThatThrownBy(() -> ProgramJson.read(text.replace(swish, "my.own.Operator")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no class my.own.Operator on the class path");
    }

    @Test
    void itsCostIsThatOfItsParts() {
        Cost composed = Cost.of(program(ElementType.FLOAT32, true, false), Set.of());
        // Each element: a scale, a sigmoid and a product.
        assertThat(composed.lines().stream()
                        .filter(line -> line.value().operator() instanceof Swish)
                        .map(line -> line.forward().perRow()))
                .containsExactly(15L, 15L);
    }

    @Test
    void settingsOfEveryKindAreStored() {
        Graph graph = new Graph();
        Settled operator = new Settled(1L << 60, 0.1f, "a \"name\"", true, List.of(1, 2), Shape.of(3, 4));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value y;
        try (Scope<Value> scope = graph.module("m")) {
            y = operator.of(Fixture.parameter(graph, "w", 3), label);
        }
        String text = ProgramJson.write(Program.compile("p", Mode.EVAL, y));
        assertThat(ProgramJson.read(text).value("m/settled").operator()).isEqualTo(operator);
        assertThat(text).contains("\"slope\":0.1,");
    }

    /** Returns what it should not. */
    record Odd(@Nullable Value result) implements Composed {
        @Override
        @SuppressWarnings("NullAway") // as code that is not checked would
        public Value composed(List<Value> inputs) {
            return result;
        }
    }

    @Test
    void whatIsNoOperatorIsRefused() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3));
        assertThatThrownBy(() -> new Odd(null).of(x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("odd must return a value made of its inputs, was null");
        assertThatThrownBy(() -> new Odd(square(x)).of(x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("odd must return a value made of its inputs, was ");
        assertThatThrownBy(() -> new Swish(1).of())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("swish needs an input");
        Composed lambda = inputs -> inputs.get(0);
        assertThatThrownBy(() -> lambda.of(x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be a record, whose components are its settings");
        assertThatThrownBy(() ->
                        ProgramJson.write(Program.compile("p", Mode.EVAL, new Unwritable(new StringBuilder()).of(x))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a setting of class java.lang.StringBuilder has no form in JSON: take a number");
    }

    /** Has a setting without a form in JSON. */
    record Unwritable(StringBuilder text) implements Composed {
        @Override
        public Value composed(List<Value> inputs) {
            return square(inputs.get(0));
        }
    }

    @Test
    void itMayHaveNoParametersOfItsOwn() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3));
        try (Scope<Value> scope = graph.module("m")) {
            assertThatThrownBy(() -> new Stateful().of(x))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("m/stateful")
                    .hasMessageContaining("must be made of its inputs and of constants");
        }
        assertThatThrownBy(() -> new WrongProduct().of(x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wrong_product needs 2 inputs, has 1");
    }

    @Test
    void theBoundOfItsIndicesIsThatOfItsParts() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(7));
        Value label = graph.input("label", Shape.of(), ElementType.INT64);
        Program program = Program.compile("p", Mode.EVAL, new Looked().of(x, label));
        assertThat(program.indexBound(label)).isEqualTo(7);
    }

    @Test
    void anInputMayGetNoGradient() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3));
        Value a = scale(x, 2);
        Value b = scale(x, 3);
        List<Value> by = Gradients.of(mean(new Guided().of(a, b)), a, b);
        assertThat(by.get(1).operator()).isInstanceOf(Arrangement.Spread.class); // zeros
        assertThat(by.get(0).operator()).isNotInstanceOf(Arrangement.Spread.class);
    }
}
