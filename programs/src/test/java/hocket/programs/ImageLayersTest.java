package hocket.programs;

import static hocket.programs.Fixture.assertGradientsAreDifferences;
import static hocket.programs.Fixture.batch;
import static hocket.programs.Fixture.bind;
import static hocket.programs.Fixture.none;
import static hocket.programs.Fixture.parameter;
import static hocket.programs.Fixture.random;
import static hocket.programs.Fixture.store;
import static hocket.programs.Fixture.weighed;
import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conditionalBatchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.conv1d;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.depthwiseConv;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Layers.residual;
import static hocket.programs.Layers.separableConv;
import static hocket.programs.Layers.spectralNorm;
import static hocket.programs.Layers.weightNorm;
import static hocket.programs.Operators.adaptiveAveragePool;
import static hocket.programs.Operators.adaptiveMaxPool;
import static hocket.programs.Operators.binomial;
import static hocket.programs.Operators.blurPool;
import static hocket.programs.Operators.film;
import static hocket.programs.Operators.filter2d;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.globalAveragePool;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.maxOverBatch;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.meanOverBatch;
import static hocket.programs.Operators.minibatchStdDev;
import static hocket.programs.Operators.pack;
import static hocket.programs.Operators.pad;
import static hocket.programs.Operators.productOverBatch;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.sumOverBatch;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.upfirdn2d;
import static hocket.programs.Operators.upsample2d;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.OrthogonalRegularisation;
import hocket.programs.layers.Padding;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Layers for images: values worked out by hand, what they declare, update and refuse. */
class ImageLayersTest {
    private static final Lowering REFERENCE = new ReferenceLowering();
    private static final Weights SPECTRAL = Weights.standard().withoutBias().spectralNorm();

    private final Graph graph = new Graph(ElementType.FLOAT64);
    private final Scope<Value> module = graph.module("m");

    @AfterEach
    void close() {
        module.close();
    }

    private static double[] of(Mode mode, Value value, int rows, Map<String, Tensor> feeds) {
        Program program = Program.compile("p", mode, value);
        try (Parameters store = store(value.graph());
                BoundProgram bound = bind(REFERENCE, program, store, none())) {
            feeds.forEach(bound::feed);
            bound.run(rows, 0, 0);
            return bound.target(0).doubles();
        }
    }

    private Map<String, Shape> declared() {
        return graph.declarations().stream()
                .collect(Collectors.toMap(d -> d.path().text(), Declaration::shape));
    }

    @Test
    void batchesAreCombinedElementByElement() {
        Value x = graph.input("x", Shape.of(2));
        Map<String, Tensor> feeds = Map.of("m/x", Tensor.of(Shape.of(3, 2), 1.0, -2.0, 4.0, 0.0, 1.0, 5.0));
        assertThat(of(Mode.EVAL, sumOverBatch(x), 3, feeds)).containsExactly(6, 3);
        assertThat(of(Mode.EVAL, meanOverBatch(x), 3, feeds)).containsExactly(2, 1);
        assertThat(of(Mode.EVAL, maxOverBatch(x), 3, feeds)).containsExactly(4, 5);
        assertThat(of(Mode.EVAL, productOverBatch(x, x), 3, feeds)).containsExactly(18, 3, 3, 29);
    }

    /** Rows 0 and 2 are one group, 1 and 3 the other; a fifth row joins the first. */
    @Test
    void groupsOfTheMinibatchAreEverySoManyRows() {
        Value x = graph.input("x", Shape.of(1));
        Value y = minibatchStdDev(x, 2, 1);
        Map<String, Tensor> four = Map.of("m/x", Tensor.of(Shape.of(4, 1), 1.0, 10.0, 3.0, 50.0));
        assertThat(of(Mode.TRAIN, y, 4, four)).containsExactly(new double[] {1, 1, 10, 20, 3, 1, 50, 20}, within(1e-6));
        Map<String, Tensor> five = Map.of("m/x", Tensor.of(Shape.of(5, 1), 1.0, 10.0, 4.0, 50.0, 7.0));
        double first = Math.sqrt(6);
        assertThat(of(Mode.TRAIN, y, 5, five))
                .containsExactly(new double[] {1, first, 10, 20, 4, first, 50, 20, 7, first}, within(1e-6));
    }

    @Test
    void aBatchSmallerThanItsGroupsHasNoDeviation() {
        Value x = graph.input("x", Shape.of(1));
        Map<String, Tensor> one = Map.of("m/x", Tensor.of(Shape.of(1, 1), 3.0));
        assertThat(of(Mode.TRAIN, minibatchStdDev(x, 4, 1), 1, one))
                .containsExactly(new double[] {3, 1e-4}, within(1e-12));
    }

    @Test
    void aPackStandsSideBySideAlongTheChannels() {
        Value x = graph.input("x", Shape.of(1, 1, 2));
        Value y = pack(x, square(x));
        assertThat(y.shape()).isEqualTo(Shape.of(2, 1, 2));
        assertThat(of(Mode.EVAL, y, 1, Map.of("m/x", Tensor.of(Shape.of(1, 1, 1, 2), 3.0, -2.0))))
                .containsExactly(3, -2, 9, 4);
    }

    @Test
    void separableConvolutionsDeclareTheirTwoWeights() {
        Value x = graph.input("x", Shape.of(4, 8, 8));
        Value y = separableConv("sep", x, 6, kernel(3).stride(2).pad(1).weights(SPECTRAL));
        assertThat(y.shape()).isEqualTo(Shape.of(6, 4, 4));
        assertThat(y.path().text()).isEqualTo("m/sep");
        assertThat(depthwiseConv("depth", x, 2, kernel(3)).shape()).isEqualTo(Shape.of(8, 6, 6));
        assertThat(declared())
                .containsEntry("m/sep/depthwise/weight", Shape.of(4, 1, 3, 3))
                .containsEntry("m/sep/depthwise/u", Shape.of(4))
                .containsEntry("m/sep/pointwise/weight", Shape.of(6, 4, 1, 1))
                .containsEntry("m/sep/pointwise/v", Shape.of(4))
                .doesNotContainKey("m/sep/pointwise/bias")
                .containsEntry("m/depth/weight", Shape.of(8, 1, 3, 3));
    }

    @Test
    void shortcutsAndEmbeddingsCanHaveSpectralNorm() {
        Value x = graph.input("x", Shape.of(4, 6, 6));
        residual("block", x, SPECTRAL, h -> conv("body", h, 8, kernel(3).pad(1)));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        embedding("table", label, 5, 3, Weights.weights(Initialiser.normal(1)).spectralNorm());
        conditionalBatchNorm("norm", x, label, 5, SPECTRAL, normalisation());
        assertThat(declared())
                .containsEntry("m/block/projection/u", Shape.of(8))
                .containsEntry("m/block/projection/v", Shape.of(4))
                .containsEntry("m/table/u", Shape.of(5))
                .containsEntry("m/table/v", Shape.of(3))
                .containsEntry("m/norm/gain/u", Shape.of(5))
                .containsEntry("m/norm/bias/v", Shape.of(4))
                .containsEntry("m/norm/mean", Shape.of(4))
                .doesNotContainKeys("m/norm/scale", "m/norm/shift");
    }

    /** With the stored vectors, as in SpectralNormTest: in training a step of the iteration stands between. */
    @TestFactory
    Stream<DynamicTest> gradientsThroughSpectralNormAreDifferences() {
        Map<String, UnaryOperator<Value>> layers = new LinkedHashMap<>();
        layers.put("residual", x -> residual("block", x, SPECTRAL, h -> conv("body", h, 3, kernel(1))));
        layers.put(
                "embedding",
                x -> embedding("table", x.graph().input("label", Shape.scalar(), ElementType.INT64), 3, 2, SPECTRAL));
        layers.put("parameter", x -> spectralNorm("norm", parameter(x.graph(), "w", 3, 2, 2), 2));
        layers.put(
                "conditionalBatchNorm",
                x -> conditionalBatchNorm(
                        "norm", x, globalAveragePool(x), Weights.standard().spectralNorm(), normalisation()));
        return Fixture.lowerings()
                .flatMap(lowering -> layers.entrySet().stream()
                        .map(layer -> DynamicTest.dynamicTest(layer.getKey() + " by " + lowering.name(), () -> {
                            Graph own = new Graph(ElementType.FLOAT64);
                            try (var m = own.module("m")) {
                                Value out = layer.getValue().apply(batch(own, "x", 3, 2, 3, 3));
                                Program program = Program.compile("p", Mode.EVAL, weighed(tanh(out)));
                                Tensor labels = Tensor.of(Shape.of(3), 2L, 0L, 2L);
                                assertGradientsAreDifferences(lowering, program, 3, Map.of("m/label", labels), 1e-6);
                            }
                        })));
    }

    @Test
    void aNormWithoutScaleAndShiftAgreesWithOneThatHasThem() {
        Value x = dense("layer", graph.input("x", Shape.of(4)), 3);
        Value bare = batchNorm("bare", x, normalisation().affine(false));
        Value usual = batchNorm("usual", x);
        SortedSet<Path> all =
                new TreeSet<>(List.of(Path.of("m/layer/weight"), Path.of("m/usual/scale"), Path.of("m/usual/shift")));
        Program train = Program.compile("train", Mode.TRAIN, mean(square(Operators.add(bare, usual))), bare, usual);
        Program eval = Program.compile("eval", Mode.EVAL, mean(bare), bare, usual);
        try (Parameters parameters = store(graph);
                BoundProgram trained = bind(REFERENCE, train, parameters, all);
                BoundProgram read = bind(REFERENCE, eval, parameters, none())) {
            for (int turn = 0; turn < 3; turn++) {
                trained.feed("m/x", random(Shape.of(5, 4), ElementType.FLOAT64, turn));
                trained.run(5, 0, turn);
                assertNear(trained);
                trained.moveStatistics();
            }
            for (String statistic : List.of("mean", "variance")) {
                assertThat(parameters.tensor("m/bare/" + statistic).doubles())
                        .containsExactly(
                                parameters.tensor("m/usual/" + statistic).doubles(), within(1e-12));
            }
            read.feed("m/x", random(Shape.of(5, 4), ElementType.FLOAT64, 9));
            read.run(5, 0, 0);
            assertNear(read);
        }
    }

    private static void assertNear(BoundProgram bound) {
        assertThat(bound.target(1).doubles()).containsExactly(bound.target(2).doubles(), within(1e-12));
    }

    /** A frozen encoder does not own the statistics of a head, whose turns would never move them. */
    @Test
    void itsStatisticsAreNotOwnedBeyondAStopGradient() {
        Value frozen = Operators.stopGradient(dense("encoder", graph.input("x", Shape.of(4)), 3));
        assertThatThrownBy(() -> batchNorm("bare", frozen, normalisation().affine(false)))
                .hasMessageContaining("a batch norm without scale and shift needs a weight before it");
    }

    @Test
    void itsStatisticsBelongToTheWeightBeforeItAndThoseOfAConditionToTheGain() {
        Value x = dense("second", dense("first", graph.input("x", Shape.of(4)), 3), 3);
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value bare = batchNorm("bare", x, normalisation().affine(false));
        Value y = conditionalBatchNorm("conditional", bare, label, 2);
        Program program = Program.compile("train", Mode.TRAIN, mean(square(y)));
        assertThat(program.statisticsOwnedBy(program.reached()))
                .containsEntry(Path.of("m/bare/mean"), Path.of("m/second/weight"))
                .containsEntry(Path.of("m/bare/variance"), Path.of("m/second/weight"))
                .containsEntry(Path.of("m/conditional/mean"), Path.of("m/conditional/gain/table"))
                .hasSize(4);
        Value shared = embedding("shared", label, 2, 5);
        Value z = conditionalBatchNorm("linear", x, shared, SPECTRAL, normalisation());
        Program other = Program.compile("other", Mode.TRAIN, mean(square(z)));
        assertThat(other.statisticsOwnedBy(other.reached()))
                .containsEntry(Path.of("m/linear/mean"), Path.of("m/linear/gain/weight"));
        assertThat(program.statisticsOwnedBy(java.util.Set.of(Path.of("m/first/weight"))))
                .isEmpty();
    }

    @Test
    void allSelectedMatricesAreRegularised() {
        Value a = parameter(graph, "a", 2, 2);
        parameter(graph, "b", 3, 1, 1, 2);
        parameter(graph, "bias", 3);
        OrthogonalRegularisation term = OrthogonalRegularisation.orthogonal(0.5);
        Value both = term.of(graph, "m/**");
        try (Parameters parameters = store(graph);
                BoundProgram bound =
                        bind(REFERENCE, Program.compile("p", Mode.EVAL, both, term.of(a)), parameters, none())) {
            parameters.set("m/a", 1, 2, 3, 4); // rows meet by 11
            parameters.set("m/b", 1, 0, 0, 1, 1, 1); // 0, 1 and 1
            bound.run(1, 0, 0);
            assertThat(bound.target(1).doubles()).containsExactly(121);
            assertThat(bound.target(0).doubles()).containsExactly(121 + 2);
        }
    }

    /** The networks of docs/java.md. */
    @Test
    void theLayersOfTheDocumentationFitTogether() {
        Graph pictures = new Graph();
        Value picture = pictures.input("picture", Shape.of(3, 16, 16));
        Value label = pictures.input("label", Shape.scalar(), ElementType.INT64);
        Weights spectral = Weights.named("orthogonal").withoutBias().spectralNorm();
        Network<Value, Value> critic = pictures.module("critic", x -> {
            Value h = conv("conv1", x, 32, kernel(3).pad(1).weights(spectral), Padding.REFLECT);
            h = blurPool(leakyRelu(h, 0.2), 2, Padding.REFLECT, binomial(3));
            Window same = kernel(3).pad(1).weights(spectral);
            h = residual("block", h, spectral, in -> separableConv("sep", in, 64, same));
            h = minibatchStdDev(h, 16, 1);
            return dense("logit", flatten(adaptiveAveragePool(h, 2, 2)), 1);
        });
        Value drawing;
        try (var painter = pictures.module("painter")) {
            Value first = conv("in", picture, 16, kernel(3).dilation(2).pad(2));
            Value large = upsample2d(relu(conditionalBatchNorm("bn", first, label, 10)), 2, binomial(4));
            drawing = tanh(conv("out", large, 3, kernel(3).stride(2).pad(1)));
        }
        Program program = Program.compile("score", Mode.TRAIN, mean(critic.apply(drawing)));
        try (Parameters parameters = store(pictures);
                BoundProgram bound = bind(Lowering.of(program), program, parameters, program.reached())) {
            bound.feed("picture", random(Shape.of(5, 3, 16, 16), ElementType.FLOAT32, 1));
            bound.feed("label", Tensor.of(Shape.of(5), 0L, 9L, 3L, 3L, 1L));
            bound.run(5, 0, 0);
            bound.moveStatistics();
            assertThat(bound.loss()).isFinite().isNotZero();
        }
        assertThat(ModuleSummary.of(program).rows())
                .extracting(row -> row.path() + " " + row.kind())
                .contains(
                        "painter/bn conditional_batch_norm",
                        "critic#1/block residual",
                        "critic#1/block/projection conv",
                        "critic#1/block/sep separable_conv",
                        "critic#1/logit dense");
    }

    @Test
    void binomialFiltersAreThoseOfPascal() {
        assertThat(binomial(1)).containsExactly(1);
        assertThat(binomial(4)).containsExactly(1, 3, 3, 1);
        assertThat(binomial(7)).containsExactly(1, 6, 15, 20, 15, 6, 1);
        refused(() -> binomial(0), "a binomial filter needs at least 1 tap, got 0");
    }

    @Test
    void aWrongInputIsNamedWithTheRule() {
        Value x = graph.input("x", Shape.of(4, 3, 5));
        Value row = graph.input("row", Shape.of(4));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        refused(
                () -> pad(x, Padding.REFLECT, 1, 1, 3, 0),
                "reflect padding: axis 1 has 3 places, at most 2 fit, got 3 before and 0 after m/");
        refused(
                () -> pad(x, Padding.CIRCULAR, 6, 0),
                "circular padding: axis 2 has 5 places, at most 5 fit, got 6 before");
        refused(() -> pad(x, Padding.ZEROS, -2, -3), "zeros padding: axis 2 has 5 places, of which one must stay");
        refused(
                () -> pad(x, Padding.ZEROS, 1, 2, 3),
                "(left, right, top, bottom), got [1, 2, 3] for m/x (batch,4,3,5)");
        refused(
                () -> conv("c", x, 2, kernel(7).pad(3), Padding.REFLECT),
                "c: axis 1 has 3 places, at most 2 fit, got 3 before and 3 after m/");
        refused(() -> conv1d("c", x, 2, kernel(3), Padding.REFLECT), "c: needs rows (channels, length), input is m/x");
        refused(
                () -> depthwiseConv("d", x, 0, kernel(3)),
                "d: a depthwise convolution has a group for each channel and a multiplier of at least 1, got kernel 3x3"
                        + " and multiplier 0");
        refused(
                () -> separableConv("s", row, 2, kernel(3)),
                "s: needs an image (channels, height, width), input is m/row");
        refused(
                () -> adaptiveAveragePool(x, 2),
                "adaptive average pool: needs (channels, height, width) and two extents");
        refused(() -> adaptiveMaxPool(x, 2, 0), "got m/x (batch,4,3,5) FLOAT64 and [2, 0]");
        refused(() -> filter2d(row, 1, 2, 1), "filter2d: needs an image (channels, height, width), input is m/row");
        refused(() -> filter2d(x, 1, -1), "filter2d: needs taps with a finite sum other than 0, got [1.0, -1.0]");
        refused(() -> upfirdn2d(x, 0, 1, new int[4], 1, 1), "upfirdn2d: needs factors of at least 1");
        refused(
                () -> upfirdn2d(x, 1, 1, new int[4], 1, binomial(4)),
                "upfirdn2d: m/conv: kernel spans 4 pixels, the padded input has 3");
        refused(() -> blurPool(x, 2, Padding.REFLECT, binomial(7)), "blur pool: axis 1 has 3 places, at most 2 fit");
        refused(
                () -> minibatchStdDev(x, 2, 3),
                "features that divide the channels, got m/x (batch,4,3,5) FLOAT64, 2 groups and 3 features");
        refused(
                () -> minibatchStdDev(parameter(graph, "w", 2)),
                "minibatch standard deviation needs a batch (channels, …)");
        refused(() -> productOverBatch(x, row), "a product over the batch needs batches of vectors, got m/x");
        refused(() -> pack(x, row), "pack needs samples of one shape, got m/x (batch,4,3,5) FLOAT64 and m/row");
        refused(() -> film(x, row, graph.input("b", Shape.of(3))), "film: needs a gain and a bias (4) for m/x");
        refused(
                () -> batchNorm("n", x, normalisation().affine(false)),
                "n: a batch norm without scale and shift needs a weight before it, whose turns update its running"
                        + " statistics, input is m/x");
        refused(() -> conditionalBatchNorm("cn", x, row, 3), "m/cn/gain: needs INT64 indices, got m/row (batch,4)");
        refused(() -> conditionalBatchNorm("ct", sum(x), label, 3), "ct: needs rows (channels, …), input is m/sum");
        refused(() -> spectralNorm("s", x, 1), "s: needs a weight that is a parameter of at least one axis, got m/x");
        refused(
                () -> weightNorm("s", parameter(graph, "v", 2), 1),
                "s: weight norm along axis 1 needs a weight that has it, got m/v (2)");
        refused(() -> Weights.standard().weightNorm(-2), "weight norm: axis must be at least 0, or -1");
        OrthogonalRegularisation term = OrthogonalRegularisation.orthogonal(1);
        refused(
                () -> term.of(parameter(graph, "u", 2)),
                "orthogonal regularisation needs a weight of at least two axes, got m/u (2)");
        refused(() -> term.of(graph, "m/u"), "orthogonal regularisation: m/u selects no weight of at least two axes");
        refused(() -> OrthogonalRegularisation.orthogonal(-1), "beta must be at least 0 and finite, was -1.0");
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(message);
    }
}
