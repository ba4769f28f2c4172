package hocket.programs.checks;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import hocket.programs.Fixture;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Weights;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.OperatorGradientsTest;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckGradientsTest {
    /** The default tests check one operator in eight. */
    private static final int OPERATORS_APART = 8;

    /** The reference, but for one element of one gradient. */
    private record Perturbed(int gradient, int element, double by) implements Lowering {
        @Override
        public String name() {
            return "perturbed";
        }

        @Override
        public int preference(Program program) {
            return 0;
        }

        @Override
        public Executable bind(Binding binding) {
            Executable right = new ReferenceLowering().bind(binding);
            return new Executable() {
                @Override
                public Device.Array feed(int index) {
                    return right.feed(index);
                }

                @Override
                public void run() {
                    right.run();
                    if (!binding.gradients().isEmpty()) {
                        ByteBuffer buffer = right.gradient(gradient).buffer();
                        ElementType type = binding.program().floatType();
                        type.put(buffer, element, type.get(buffer, element) + by);
                    }
                }

                @Override
                public Device.Array target(int index) {
                    return right.target(index);
                }

                @Override
                public Device.Array gradient(int index) {
                    return right.gradient(index);
                }

                @Override
                public void close() {
                    right.close();
                }
            };
        }
    }

    private static Program classifier(ElementType type) {
        Graph graph = new Graph(type);
        Value x = graph.input("x", Shape.of(3));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        try (var module = graph.module("m")) {
            Value h = tanh(batchNorm("bn", dense("first", x, 40)));
            Value y = Operators.logSoftmax(dense("second", dropout("drop", h, 0.3), 4), 0);
            return Program.compile("step", Mode.TRAIN, mean(Operators.pick(y, label)));
        }
    }

    /** A loss of one parameter {@code m/w (2,2)} of given values. */
    private static GradientCheck of(UnaryOperator<Value> function, double... values) {
        Graph graph = new Graph(ElementType.FLOAT64);
        try (var module = graph.module("m")) {
            Value loss = sum(function.apply(Fixture.parameter(graph, "w", 2, 2)));
            TreeMap<Path, Tensor> at = new TreeMap<>(Map.of(Path.of("m/w"), Tensor.of(Shape.of(2, 2), values)));
            return CheckGradients.of(Program.compile("p", Mode.TRAIN, loss)).run(new Snapshot(at));
        }
    }

    /** By the lowerings of this machine, each in the types in which it computes; {@link OperatorGradientsTest} has all of them. */
    @TestFactory
    Stream<DynamicTest> operatorsPass() {
        return checks(OPERATORS_APART);
    }

    @Tag("slow")
    @TestFactory
    Stream<DynamicTest> everyOperatorPasses() {
        return checks(1);
    }

    /** Checks one operator of each {@code apart}. */
    private static Stream<DynamicTest> checks(int apart) {
        return Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                .flatMap(type -> every(
                                apart,
                                List.copyOf(OperatorGradientsTest.programs(type).entrySet()))
                        .stream()
                        .flatMap(named -> Stream.of(new ReferenceLowering(), new JvmLowering(), new MxLowering())
                                .filter(lowering -> computes(lowering, named.getValue()))
                                .map(lowering -> DynamicTest.dynamicTest(
                                        named.getKey() + " by " + lowering.name() + " in " + type,
                                        () -> assertPasses(CheckGradients.of(named.getValue())
                                                .by(lowering)
                                                .rows(3)
                                                .elements(8))))));
    }

    private static <T> List<T> every(int apart, List<T> all) {
        return IntStream.range(0, all.size())
                .filter(i -> i % apart == 0)
                .mapToObj(all::get)
                .toList();
    }

    private static boolean computes(Lowering lowering, Program program) {
        return lowering.unavailable().isEmpty()
                && lowering.refuses(program, program.reached()).isEmpty();
    }

    private static void assertPasses(CheckGradients check) {
        GradientCheck checked = check.run();
        assertThat(checked.passes()).as(checked.toString()).isTrue();
    }

    @Test
    void aNetworkPassesAndPrintsAsATableOfAtMost80Columns() {
        GradientCheck check = CheckGradients.of(classifier(ElementType.FLOAT64)).run();
        assertThat(check.passes()).as(check.toString()).isTrue();
        assertThat(check.parameters())
                .extracting(one -> one.path().text() + " " + one.checked())
                .containsExactly(
                        "m/bn/scale 40",
                        "m/bn/shift 40",
                        "m/first/bias 40",
                        "m/first/weight 64",
                        "m/second/bias 4",
                        "m/second/weight 64");
        assertThat(check.toString().lines())
                .hasSize(9)
                .allMatch(line -> line.length() <= 80)
                .contains("no gradient is wrong, tolerance 1.0e-06")
                .anyMatch(line -> line.matches("m/first/weight +64/120 +\\S+ +\\S+ ok"));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aWrongGradientIsFoundAndItsPlaceNamed(ElementType type) {
        GradientCheck check = CheckGradients.of(classifier(type))
                .by(new Perturbed(4, 2, 1e-3))
                .run();
        assertThat(check.passes()).isFalse();
        assertThat(check.parameters().stream().filter(one -> one.wrong() > 0))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.path()).isEqualTo(Path.of("m/second/bias"));
                    assertThat(one.wrong()).isOne();
                    assertThat(one.absolute().index()).isEqualTo(2);
                    assertThat(one.absolute().absolute()).isBetween(0.9e-3, 1.1e-3);
                });
        assertThat(check.toString())
                .contains("1 parameter WRONG", "1 wrong, the most at [2]")
                .containsPattern("gradient -?\\d\\.\\d+, difference -?\\d\\.\\d+");
    }

    @Test
    @Tag("engine")
    void gradientsOfTheEngineAreChecked() {
        GradientCheck check = CheckGradients.of(classifier(ElementType.FLOAT64))
                .by(new MxLowering())
                .run();
        assertThat(check.passes()).as(check.toString()).isTrue();
        assertThat(check.lowering()).startsWith("mxnet");
    }

    @Test
    void aKinkIsReportedAsOneAndNotAsWrong() {
        GradientCheck at = of(x -> abs(x), 0, 1, -1, 2);
        assertThat(at.passes()).isTrue();
        assertThat(at.parameters().get(0).kinks()).isZero(); // the slopes' mean is the gradient that is used there
        GradientCheck rectified = of(x -> relu(x), 0, 1, -1, 0);
        assertThat(rectified.passes()).isTrue();
        assertThat(rectified.parameters().get(0).kinks()).isEqualTo(2);
        assertThat(rectified.toString()).contains("kinks", "2 at kinks, which say nothing");
        GradientCheck near = of(x -> clip(x, -1, 1), 1 + 2e-6, -1 - 7e-6, 0.99, 1.01);
        assertThat(near.passes()).isTrue();
        assertThat(near.parameters().get(0).kinks()).isEqualTo(2);
        GradientCheck all = of(x -> relu(x), 0, 0, 0, 0);
        assertThat(all.toString()).contains("all at kinks, such as [0,0]");
    }

    @Test
    void aWrongGradientBesideAKinkIsWrong() {
        Graph graph = new Graph(ElementType.FLOAT64);
        try (var module = graph.module("m")) {
            Value loss = sum(square(relu(Fixture.parameter(graph, "w", 3))));
            TreeMap<Path, Tensor> at = new TreeMap<>(Map.of(Path.of("m/w"), Tensor.of(Shape.of(3), 0.0, 1, 2)));
            GradientCheck check = CheckGradients.of(Program.compile("p", Mode.TRAIN, loss))
                    .by(new Perturbed(0, 0, 0.5))
                    .run(new Snapshot(at));
            assertThat(check.parameters().get(0).wrong()).isOne();
        }
    }

    @Test
    void whatNoGradientFlowsThroughIsHeld() {
        assertThat(of(x -> multiply(x, stopGradient(square(x))), 1, 2, 3, 4).passes())
                .isTrue();
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x = graph.input("x", Shape.of(3));
        try (var module = graph.module("m")) {
            Value y = dense("layer", x, 4, Weights.standard().spectralNorm());
            Value loss = mean(multiply(y, stopGradient(tanh(y))));
            GradientCheck check =
                    CheckGradients.of(Program.compile("p", Mode.TRAIN, loss)).run();
            assertThat(check.passes()).as(check.toString()).isTrue();
        }
    }

    @Test
    void aProgramThatReadsOtherParametersIsCheckedAtThese() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x = graph.input("x", Shape.of(3));
        Network<Value, Value> critic = graph.module("critic", h -> dense("layer", h, 2));
        Value loss = mean(
                square(add(critic.apply(x), stopGradient(critic.at("target").apply(x)))));
        GradientCheck check = CheckGradients.of(
                        Program.compile("p", Mode.TRAIN, loss).reading("critic", "ema/critic"))
                .run();
        assertThat(check.passes()).as(check.toString()).isTrue();
        assertThat(check.parameters())
                .extracting(one -> one.path().text())
                .containsExactly("ema/critic/layer/bias", "ema/critic/layer/weight");
    }

    @Test
    void theSameSettingsGiveTheSameNumbersAndAnotherSeedOthers() {
        CheckGradients check =
                CheckGradients.of(classifier(ElementType.FLOAT64)).elements(5);
        assertThat(check.run()).isEqualTo(check.run());
        assertThat(check.seed(1).run()).isNotEqualTo(check.run());
    }

    @Test
    void whatCannotBeCheckedIsRefused() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x = graph.input("x", Shape.of(3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CheckGradients.of(Program.compile("p", Mode.EVAL, x)))
                .withMessageContaining("the first target must be a loss, a single number, was x (batch,3)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CheckGradients.of(Program.compile("p", Mode.EVAL, mean(x))))
                .withMessageContaining("reaches no parameter");
        CheckGradients check = CheckGradients.of(classifier(ElementType.FLOAT64));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check.feed("y", Tensor.of(Shape.of(4, 3), new double[12]))
                        .run())
                .withMessageContaining("reads no input y");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check.feed("x", Tensor.of(Shape.of(4, 2), new double[8]))
                        .run())
                .withMessageContaining("input x needs rows (3)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check.elements(0))
                .withMessage("elements must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(w -> Operators.log(w), -1, 1, 1, 1))
                .withMessageContaining("the loss is NaN at these values");
    }
}
