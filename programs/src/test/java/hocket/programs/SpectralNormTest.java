package hocket.programs;

import static hocket.programs.Fixture.assertGradientsAreDifferences;
import static hocket.programs.Fixture.batch;
import static hocket.programs.Fixture.bind;
import static hocket.programs.Fixture.none;
import static hocket.programs.Fixture.random;
import static hocket.programs.Fixture.store;
import static hocket.programs.Fixture.weighed;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.conv1d;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.convTranspose1d;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.sin;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.execution.BoundProgram;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The largest singular value is followed from turn to turn, by who moves the weight and by nobody else. */
@Tag("engine")
class SpectralNormTest {
    private static final Weights SPECTRAL = Weights.standard().spectralNorm();

    private final Graph graph = new Graph(ElementType.FLOAT64);
    private final Value x = graph.input("x", Shape.of(3));

    @TestFactory
    Stream<DynamicTest> powerIterationFindsTheLargestSingularValue() {
        return Fixture.lowerings()
                .map(lowering -> DynamicTest.dynamicTest(lowering.name(), () -> {
                    Graph own = new Graph(ElementType.FLOAT64);
                    Value out;
                    try (var module = own.module("m")) {
                        out = dense("layer", own.input("x", Shape.of(2)), 3, SPECTRAL);
                    }
                    Program train = Program.compile("p", Mode.TRAIN, mean(square(out)), out);
                    Program eval = Program.compile("p", Mode.EVAL, out);
                    try (Parameters parameters = store(own);
                            BoundProgram trained = bind(lowering, train, parameters, train.reached());
                            BoundProgram read = bind(lowering, eval, parameters, none())) {
                        // Singular values 5 and 1, the larger one along the first input.
                        parameters.set("m/layer/weight", 3, 0, 4, 0, 0, 1);
                        parameters.set("m/layer/v", 0.6, 0.8);
                        parameters.set("m/layer/u", 0.6, 0, 0.8);
                        Tensor rows = Tensor.of(Shape.of(1, 2), 10.0, 10.0);
                        trained.feed("m/x", rows);
                        for (int i = 0; i < 30; i++) {
                            trained.run(1, 0, 0);
                            trained.moveStatistics();
                        }
                        read.feed("m/x", rows);
                        read.run(1, 0, 0);
                        assertThat(trained.target(1).doubles()).containsExactly(new double[] {6, 8, 2}, within(1e-9));
                        assertThat(read.target(0).doubles()).containsExactly(new double[] {6, 8, 2}, within(1e-9));
                        assertThat(parameters.tensor("m/layer/v").doubles())
                                .containsExactly(new double[] {1, 0}, within(1e-9));
                    }
                }));
    }

    @Test
    void twoCallsBeginFromTheStoredVectorsAndMoveThemOnce() {
        Value other = graph.input("other", Shape.of(3));
        Network<Value, Value> critic = graph.module("critic", in -> dense("layer", in, 4, SPECTRAL));
        Value real = critic.apply(x);
        Value fake = critic.apply(other);
        Program one = Program.compile("one", Mode.TRAIN, mean(square(real)));
        Program two = Program.compile("two", Mode.TRAIN, mean(square(add(real, fake))), real, fake);
        assertThat(two.statisticsOwnedBy(two.reached()))
                .containsEntry(Path.of("critic/layer/u"), Path.of("critic/layer/weight"))
                .containsEntry(Path.of("critic/layer/v"), Path.of("critic/layer/weight"));
        Tensor rows = random(Shape.of(5, 3), ElementType.FLOAT64, 1);
        List<Tensor> once;
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(one, parameters)) {
            bound.feed("x", rows);
            bound.run(5, 0, 0);
            bound.moveStatistics();
            once = statistics(parameters);
        }
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(two, parameters)) {
            List<Tensor> before = statistics(parameters);
            bound.feed("x", rows);
            bound.feed("other", rows);
            bound.run(5, 0, 0);
            assertThat(statistics(parameters)).isEqualTo(before);
            bound.moveStatistics();
            assertThat(statistics(parameters)).isEqualTo(once).isNotEqualTo(before);
            assertThat(bound.target(1)).isEqualTo(bound.target(2));
            assertThat(bound.statistics()).containsExactly(Path.of("critic/layer/u"), Path.of("critic/layer/v"));
            assertThat(parameters.version("critic/layer/u")).isEqualTo(1);
        }
    }

    private static List<Tensor> statistics(Parameters parameters) {
        return List.of(parameters.tensor("critic/layer/u"), parameters.tensor("critic/layer/v"));
    }

    @Test
    void onlyWhoSelectsTheWeightMovesThem() {
        Network<Value, Value> critic = graph.module("critic", in -> dense("layer", in, 4, SPECTRAL));
        Value loss = mean(square(critic.apply(x)));
        try (Parameters parameters = store(graph)) {
            List<Tensor> before = statistics(parameters);
            for (Mode mode : Mode.values()) {
                TreeSet<Path> paths = new TreeSet<>(List.of(Path.of("critic/layer/bias")));
                if (mode == Mode.EVAL) {
                    paths.add(Path.of("critic/layer/weight"));
                }
                try (BoundProgram bound = bind(Program.compile("p", mode, loss), parameters, paths)) {
                    bound.feed("x", random(Shape.of(5, 3), ElementType.FLOAT64, 1));
                    bound.run(5, 0, 0);
                    bound.moveStatistics();
                    assertThat(bound.statistics()).isEmpty();
                    assertThat(statistics(parameters)).isEqualTo(before);
                }
            }
        }
    }

    /** In evaluation u and v are constants, so that differences see what gradients see. */
    @TestFactory
    Stream<DynamicTest> gradientsOnStoredVectorsAreDifferences() {
        Map<String, UnaryOperator<Value>> layers = new LinkedHashMap<>();
        Window window = kernel(2).weights(SPECTRAL);
        layers.put("dense", h -> dense("layer", h, 2, SPECTRAL));
        layers.put("conv", h -> conv("layer", h, 4, window.groups(2)));
        layers.put("convTranspose", h -> convTranspose("layer", h, 4, window.groups(2)));
        layers.put("convTranspose to one channel", h -> convTranspose("layer", h, 1, window));
        layers.put("conv1d", h -> conv1d("layer", reshape(h, 2, 9), 3, window));
        layers.put("convTranspose1d", h -> convTranspose1d("layer", reshape(h, 2, 9), 3, window));
        return Fixture.lowerings()
                .flatMap(lowering -> layers.entrySet().stream()
                        .map(layer -> DynamicTest.dynamicTest(layer.getKey() + " by " + lowering.name(), () -> {
                            Program first = program(layer.getValue());
                            assertGradientsAreDifferences(lowering, first, 3, Map.of(), 1e-6);
                            Value mixed = first.graph().constant(0);
                            for (Value gradient : Gradients.of(
                                    first.targets().get(0),
                                    first.parameters().entrySet().stream()
                                            .filter(e -> first.reached().contains(e.getKey()))
                                            .map(Map.Entry::getValue)
                                            .toArray(Value[]::new))) {
                                mixed = add(mixed, sum(sin(gradient)));
                            }
                            Program second = Program.compile("second", Mode.EVAL, mixed);
                            if (lowering.refuses(second, second.reached()).isEmpty()) {
                                assertGradientsAreDifferences(lowering, second, 3, Map.of(), 2e-4);
                            }
                        })));
    }

    private static Program program(UnaryOperator<Value> layer) {
        Graph own = new Graph(ElementType.FLOAT64);
        try (var module = own.module("m")) {
            Value out = layer.apply(batch(own, "x", 3, 2, 3, 3));
            return Program.compile("p", Mode.EVAL, weighed(tanh(out)));
        }
    }

    @Test
    void aStepIsNeeded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Weights.standard().spectralNorm(0))
                .withMessage("spectral norm: iterations must be at least 1, was 0");
    }
}
