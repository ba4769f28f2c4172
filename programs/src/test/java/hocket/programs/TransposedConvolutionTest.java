package hocket.programs;

import static hocket.programs.Fixture.assertGradientsAreDifferences;
import static hocket.programs.Fixture.batch;
import static hocket.programs.Fixture.bind;
import static hocket.programs.Fixture.feed;
import static hocket.programs.Fixture.parameter;
import static hocket.programs.Fixture.random;
import static hocket.programs.Fixture.store;
import static hocket.programs.Fixture.weighed;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.execution.BoundProgram;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.Products;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the engine's transposed convolution fails by itself: the lowering must meet each. */
@Tag("engine")
class TransposedConvolutionTest {
    private static final Window KERNEL = kernel(4).stride(2).pad(1);

    /** In float32 the engine's own backward pass fails at multiples of the vector width. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 16, 20, 32, 64})
    void oneOutputChannelForAnyNumberOfInputChannels(int channels) {
        assertFloatsAgreeWithDoubles(channels, 1, KERNEL);
    }

    @ParameterizedTest
    @CsvSource({"16, 2", "64, 4", "16, 16", "32, 32"})
    void oneFilterAGroup(int channels, int groups) {
        assertFloatsAgreeWithDoubles(channels, groups, KERNEL.groups(groups));
    }

    @Test
    void oneFilterAGroupWithoutABias() {
        assertFloatsAgreeWithDoubles(
                16, 2, KERNEL.groups(2).weights(Weights.standard().withoutBias()));
        assertFloatsAgreeWithDoubles(16, 1, KERNEL.weights(Weights.standard().withoutBias()));
    }

    /** In float64 the engine takes other kernels, none of which fails. */
    private static void assertFloatsAgreeWithDoubles(int channels, int filters, Window window) {
        SortedMap<Path, Tensor> floats = gradients(ElementType.FLOAT32, channels, filters, window);
        SortedMap<Path, Tensor> doubles = gradients(ElementType.FLOAT64, channels, filters, window);
        doubles.forEach((path, expected) -> assertThat(floats)
                .hasEntrySatisfying(
                        path,
                        actual ->
                                Golden.assertNearByMagnitude(path.text(), actual.doubles(), expected.doubles(), 1e-5)));
    }

    private static SortedMap<Path, Tensor> gradients(ElementType type, int channels, int filters, Window window) {
        int rows = 3;
        Graph graph = new Graph(type);
        Value loss;
        try (var module = graph.module("m")) {
            Value x = batch(graph, "x", rows, channels, 4, 4);
            loss = mean(square(tanh(convTranspose("up", x, filters, window))));
        }
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(Program.compile("p", Mode.TRAIN, loss), parameters)) {
            feed(bound, rows, Map.of());
            bound.run(rows, 0, 0);
            return Fixture.gradients(bound, parameters);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 3, 1", "3, 1, 1", "4, 2, 2"})
    void gradientsAreDifferences(int channels, int filters, int groups) {
        Graph graph = new Graph(ElementType.FLOAT64);
        try (var module = graph.module("m")) {
            Value x = batch(graph, "x", 2, channels, 3, 2);
            Value loss = weighed(
                    tanh(convTranspose("up", x, filters, kernel(3).stride(2).groups(groups))));
            assertGradientsAreDifferences(new MxLowering(), Program.compile("p", Mode.TRAIN, loss), 2, Map.of(), 1e-7);
        }
    }

    /** Written as a plain convolution of an image with zeros between its pixels; the paddings reach beyond the stride. */
    @ParameterizedTest
    @CsvSource({"1, 1, 0, 0", "1, 1, 1, 2", "2, 1, 3, 0", "1, 3, 0, 1", "2, 3, 2, 3", "3, 2, 1, 4"})
    void aComputedWeightsOutputIsTheReferencesForAnyOutputPadding(int down, int across, int downPad, int acrossPad) {
        Window window = kernel(3).stride(down, across).pad(1).outputPad(downPad, acrossPad);
        for (int batched = 0; batched < 2; batched++) {
            Graph graph = new Graph(ElementType.FLOAT64);
            try (var module = graph.module("m")) {
                Value x = batched == 1 ? batch(graph, "x", 2, 4, 3, 2) : parameter(graph, "x", 4, 3, 2);
                Value weight = tanh(parameter(graph, "w", 4, 3, 3, 3));
                Value y = graph.numbered(new Products.TransposedConvolution(window), x, weight);
                Program program = Program.compile("p", Mode.TRAIN, weighed(tanh(y)));
                // Sums of some hundred products in another order.
                Outcome.of(new MxLowering(), program, 2, 2)
                        .assertNear(Outcome.of(new ReferenceLowering(), program, 2, 2), 1e-12);
            }
        }
    }

    /** Two readers of one weight, and a penalty as a third: by itself the engine crashes in its backward pass. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aWeightThatSeveralReadHasTheSumOfTheirGradients(int filters) {
        Program program = calledTwice(ElementType.FLOAT64, 2, 3, filters);
        assertGradientsAreDifferences(new MxLowering(), program, 2, Map.of(), 1e-7);
    }

    @ParameterizedTest
    @CsvSource({"16, 1", "16, 8", "32, 3", "8, 3"})
    void aNetworkMayBeCalledTwiceInOneProgram(int channels, int filters) {
        SortedMap<Path, Tensor> floats = twice(ElementType.FLOAT32, channels, filters);
        twice(ElementType.FLOAT64, channels, filters)
                .forEach((path, expected) -> assertThat(floats)
                        .hasEntrySatisfying(
                                path,
                                actual -> Golden.assertNearByMagnitude(
                                        path.text(), actual.doubles(), expected.doubles(), 2e-5)));
    }

    private static SortedMap<Path, Tensor> twice(ElementType type, int channels, int filters) {
        Program program = calledTwice(type, channels, 4, filters);
        try (Parameters parameters = store(program.graph());
                BoundProgram bound = bind(program, parameters)) {
            feed(bound, 2, Map.of());
            bound.run(2, 0, 0);
            SortedMap<Path, Tensor> gradients = Fixture.gradients(bound, parameters);
            bound.run(2, 0, 0);
            assertThat(Fixture.gradients(bound, parameters))
                    .as("what is added up begins from nothing each time")
                    .isEqualTo(gradients);
            return gradients;
        }
    }

    private static Program calledTwice(ElementType type, int channels, int size, int filters) {
        Graph graph = new Graph(type);
        Network<Value, Value> up = graph.module(
                "up", x -> tanh(convTranspose("conv", x, filters, kernel(3).stride(2))));
        Value loss;
        try (var module = graph.module("m")) {
            Value first = up.apply(batch(graph, "a", 2, channels, size, size));
            Value second = up.apply(batch(graph, "b", 2, channels, size, size));
            Value penalty = sum(square(graph.value("up/conv/weight")));
            loss = add(add(weighed(first), mean(square(second))), penalty);
        }
        return Program.compile("p", Mode.TRAIN, loss);
    }

    @Test
    void aPaddedWeightFollowsTheStore() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(16, 3, 3));
        Value out;
        try (var module = graph.module("m")) {
            out = convTranspose("up", x, 1, kernel(3));
        }
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(Program.compile("p", Mode.EVAL, out), parameters, Fixture.none())) {
            bound.feed("x", random(Shape.of(2, 16, 3, 3), ElementType.FLOAT32, 1));
            bound.run(2, 0, 0);
            double before = bound.target(0).get(0);
            double bias = parameters.tensor("m/up/bias").get(0);
            double[] weight = parameters.tensor("m/up/weight").doubles();
            for (int i = 0; i < weight.length; i++) {
                weight[i] *= 2;
            }
            parameters.set("m/up/weight", weight);
            bound.run(2, 0, 0);
            assertThat(bound.target(0).get(0) - bias).isCloseTo(2 * (before - bias), within(1e-5));
        }
    }
}
