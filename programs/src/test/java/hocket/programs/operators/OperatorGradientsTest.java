package hocket.programs.operators;

import static hocket.programs.Fixture.batch;
import static hocket.programs.Fixture.parameter;
import static hocket.programs.Fixture.weighed;
import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conditionalBatchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.conv1d;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.convTranspose1d;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.depthwiseConv;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.groupNorm;
import static hocket.programs.Layers.instanceNorm;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Layers.prelu;
import static hocket.programs.Layers.residual;
import static hocket.programs.Layers.rmsNorm;
import static hocket.programs.Layers.separableConv;
import static hocket.programs.Layers.weightNorm;
import static hocket.programs.Operators.adaptiveAveragePool;
import static hocket.programs.Operators.adaptiveMaxPool;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.averagePool;
import static hocket.programs.Operators.binomial;
import static hocket.programs.Operators.blurPool;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.constantPad;
import static hocket.programs.Operators.cumulativeSum;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.elu;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.film;
import static hocket.programs.Operators.gather;
import static hocket.programs.Operators.globalAveragePool;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.hardTanh;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.logSumExp;
import static hocket.programs.Operators.max;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.min;
import static hocket.programs.Operators.minibatchStdDev;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.pack;
import static hocket.programs.Operators.pad;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.pixelShuffle;
import static hocket.programs.Operators.productOverBatch;
import static hocket.programs.Operators.relu6;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sign;
import static hocket.programs.Operators.sin;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.spread;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.step;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.transpose;
import static hocket.programs.Operators.upfirdn2d;
import static hocket.programs.Operators.upsampleBilinear;
import static hocket.programs.Operators.upsampleNearest;
import static hocket.programs.Operators.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.programs.Fixture;
import hocket.programs.Golden;
import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Outcome;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Attention;
import hocket.programs.layers.Distributions.Bernoulli;
import hocket.programs.layers.Distributions.Categorical;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.programs.layers.Distributions.TanhGaussian;
import hocket.programs.layers.OrthogonalRegularisation;
import hocket.programs.layers.Padding;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Weights.WeightNormAlong;
import hocket.programs.layers.Window;
import hocket.programs.operators.Elementwise.Function;
import hocket.programs.operators.Elementwise.Pair;
import hocket.programs.operators.Reduction.How;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Gradients of every operator, in every mix of values with and without a batch: by the reference against central differences, by
 * every other lowering against the reference.
 */
public class OperatorGradientsTest {
    private static final int ROWS = 3;
    /** Functions of the C library are some units in the last place from Java's; gradients of gradients multiply a few of them. */
    private static final double AGREED = 1e-11;

    private static final Map<String, Tensor> LABELS = Map.of(
            "m/label", Tensor.of(Shape.of(ROWS), 2L, 0L, 2L),
            "m/indices", Tensor.of(Shape.of(ROWS, 2), 2L, 2L, 0L, 1L, 1L, 2L));

    /** Builds one number in a module {@code m}. */
    private interface Body {
        Value of(Graph graph);
    }

    @TestFactory
    Stream<DynamicTest> gradientsAreDifferences() {
        return each((lowering, body) -> check(lowering, program(body), 1e-7));
    }

    /**
     * The same of a number made of all gradients: their gradients are the second ones. What mixes them is not linear, so
     * that a second gradient that is left out is seen.
     */
    @TestFactory
    Stream<DynamicTest> gradientsOfGradientsAreDifferences() {
        return each((lowering, body) -> {
            Program first = program(body);
            Value loss = first.targets().get(0);
            Value[] by = first.parameters().values().stream()
                    .filter(value -> first.reached().contains(value.path()))
                    .toArray(Value[]::new);
            Value mixed = first.graph().constant(0);
            for (Value gradient : Gradients.of(loss, by)) {
                mixed = add(mixed, sum(sin(gradient)));
            }
            Program second = Program.compile("second", Mode.TRAIN, mixed);
            if (!second.reached().isEmpty()) {
                // The error of a central difference is a third derivative's, here a fourth one's, times the step
                // squared.
                check(lowering, second, 5e-6);
            }
        });
    }

    private static void check(Lowering lowering, Program program, double tolerance) {
        if (lowering instanceof ReferenceLowering) {
            Fixture.assertGradientsAreDifferences(lowering, program, ROWS, LABELS, tolerance);
        } else if (lowering.refuses(program, program.reached()).isEmpty()) {
            Outcome.of(lowering, program, ROWS, ROWS)
                    .assertNear(Outcome.of(new ReferenceLowering(), program, ROWS, ROWS), AGREED);
        }
    }

    /** Values and gradients by the JVM's fast kernels, against those of the plain reference in float64. */
    @TestFactory
    Stream<DynamicTest> fastKernelsAgreeWithTheReference() {
        return Stream.of(1, ROWS, 6 * ROWS)
                .flatMap(rows -> cases().entrySet().stream()
                        .filter(named -> rows > 1 || !named.getKey().startsWith("batchNorm"))
                        .map(named -> DynamicTest.dynamicTest(named.getKey() + " with " + rows + " rows", () -> {
                            Program exact = program(named.getValue());
                            Program fast = program(named.getValue(), ElementType.FLOAT32);
                            assumeTrue(
                                    new JvmLowering()
                                            .refuses(fast, fast.reached())
                                            .isEmpty(),
                                    "kernels are for dense programs");
                            Outcome.of(new JvmLowering(), fast, rows, ROWS)
                                    .assertNear(Outcome.of(new ReferenceLowering(), exact, rows, ROWS), 1e-4);
                        })));
    }

    private static Stream<DynamicTest> each(BiConsumer<Lowering, Body> check) {
        return Fixture.lowerings()
                .flatMap(lowering -> cases().entrySet().stream()
                        .map(named -> DynamicTest.dynamicTest(
                                named.getKey() + " by " + lowering.name(),
                                () -> check.accept(lowering, named.getValue()))));
    }

    @Test
    void everyOperatorIsAmongTheCases() {
        Set<Class<?>> operators = new HashSet<>();
        Set<Function> functions = new HashSet<>();
        Set<Pair> pairs = new HashSet<>();
        Set<How> hows = new HashSet<>();
        for (Body body : cases().values()) {
            for (Value value : program(body).values()) {
                if (value.operator() instanceof Primitive) {
                    operators.add(value.operator().getClass());
                }
                if (value.operator() instanceof Elementwise.Unary unary) {
                    functions.add(unary.function());
                } else if (value.operator() instanceof Elementwise.Binary binary) {
                    pairs.add(binary.pair());
                } else if (value.operator() instanceof Reduction.Reduce reduce) {
                    hows.add(reduce.how());
                }
            }
        }
        assertThat(operators).containsExactlyInAnyOrder(Fixture.primitives());
        assertThat(functions).containsExactlyInAnyOrder(Function.values());
        assertThat(pairs).containsExactlyInAnyOrder(Pair.values());
        assertThat(hows).containsExactlyInAnyOrder(How.values());
    }

    private static Program program(Body body) {
        return program(body, ElementType.FLOAT64);
    }

    private static Program program(Body body, ElementType type) {
        Graph graph = new Graph(type);
        try (var module = graph.module("m")) {
            return Program.compile("case", Mode.TRAIN, body.of(graph));
        }
    }

    /** The programs of all cases, by their names: every operator is in one of them. */
    public static Map<String, Program> programs(ElementType type) {
        Map<String, Program> programs = new LinkedHashMap<>();
        cases().forEach((name, body) -> programs.put(name, program(body, type)));
        return programs;
    }

    private static Map<String, Body> cases() {
        Map<String, Body> cases = new LinkedHashMap<>();
        functions(cases);
        pairs(cases);
        arrangements(cases);
        reductions(cases);
        layers(cases);
        imageLayers(cases);
        return cases;
    }

    private static void functions(Map<String, Body> cases) {
        Map<String, UnaryOperator<Value>> functions = new LinkedHashMap<>();
        functions.put("negate", Operators::negate);
        functions.put("relu", Operators::relu);
        functions.put("leakyRelu", x -> leakyRelu(x, 0.2));
        functions.put("elu", x -> elu(x, 1.3));
        functions.put("tanh", Operators::tanh);
        functions.put("sigmoid", Operators::sigmoid);
        functions.put("softplus", Operators::softplus);
        functions.put("logSigmoid", Operators::logSigmoid);
        functions.put("exp", Operators::exp);
        functions.put("log", x -> log(positive(x)));
        functions.put("sqrt", x -> sqrt(positive(x)));
        functions.put("square", Operators::square);
        functions.put("abs", Operators::abs);
        functions.put("selu", Operators::selu);
        functions.put("gelu", Operators::gelu);
        functions.put("geluTanh", Operators::geluTanh);
        functions.put("silu", Operators::silu);
        functions.put("mish", Operators::mish);
        functions.put("softsign", Operators::softsign);
        functions.put("hardTanh", x -> square(hardTanh(x)));
        functions.put("relu6", x -> square(relu6(scale(x, 8))));
        functions.put("logSumExp", x -> square(logSumExp(x, 1)));
        functions.put("logSumExp of the first axis", x -> square(logSumExp(x, 0)));
        functions.put("min", x -> square(min(x, 1)));
        functions.put("globalAveragePool", x -> square(globalAveragePool(x)));
        functions.put("scale", x -> scale(x, -1.7));
        functions.put("shift", x -> square(shift(x, 0.3)));
        functions.put("scale and shift", x -> square(shift(scale(x, 2), 0.3)));
        functions.put("sin", Operators::sin);
        functions.put("cos", Operators::cos);
        functions.put("erf", Operators::erf);
        functions.put("step", x -> multiply(step(x), x));
        functions.put("sign", x -> multiply(sign(x), x));
        functions.put("clip", x -> square(clip(x, -0.7, 0.4)));
        functions.put("cumulativeSum", x -> square(cumulativeSum(x, 1)));
        functions.put("cumulativeSum of the first axis", x -> square(cumulativeSum(x, 0)));
        functions.put("transpose", x -> square(transpose(x, 1, 0)));
        functions.put("pad", x -> square(pad(x, 1, 2, 1)));
        functions.put("pad of the first axis", x -> square(pad(x, 0, 0, 1)));
        functions.put("byMode", x -> byMode(square(x), x));
        functions.put("dropout", x -> dropout("drop", x, 0.4));
        functions.put("softmax", Operators::softmax);
        functions.put("logSoftmax", Operators::logSoftmax);
        functions.put("softmax of the first axis", x -> softmax(x, 0));
        functions.put("logSoftmax of the first axis", x -> logSoftmax(x, 0));
        functions.forEach((name, function) -> {
            cases.put(name, graph -> weighed(function.apply(batch(graph, "x", ROWS, 2, 3))));
            if (!name.equals("dropout")) {
                cases.put(name + " without a batch", graph -> weighed(function.apply(parameter(graph, "x", 2, 3))));
            }
        });
    }

    private static Value positive(Value x) {
        return shift(square(x), 0.5);
    }

    private static void pairs(Map<String, Body> cases) {
        Map<String, BinaryOperator<Value>> pairs = new LinkedHashMap<>();
        pairs.put("add", Operators::add);
        pairs.put("subtract", Operators::subtract);
        pairs.put("multiply", Operators::multiply);
        pairs.put("divide", (a, b) -> divide(a, positive(b)));
        pairs.put("maximum", Operators::maximum);
        pairs.put("minimum", Operators::minimum);
        pairs.put("where", (a, b) -> where(step(shift(b, 0.1)), a, square(b)));
        pairs.put("greater", (a, b) -> multiply(greater(a, b), add(a, b)));
        pairs.put("equal", (a, b) -> multiply(equal(a, b), add(a, b)));
        int[][][] extents = {
            {{2, 3}, {2, 3}},
            {{2, 3}, {3}},
            {{3}, {2, 3}},
            {{2, 1}, {1, 3}},
            {{2, 3}, {}},
            {{}, {2, 3}},
            {{}, {}},
            {{4, 2, 3}, {2, 1}},
            {{3}, {4, 1, 3}},
            {{2, 1, 2, 1, 2}, {1, 2, 1, 2, 1}}
        };
        pairs.forEach((name, pair) -> {
            for (int[][] two : extents) {
                String shapes = name + " of " + Shape.of(two[0]) + " and " + Shape.of(two[1]);
                cases.put(
                        shapes,
                        graph -> weighed(pair.apply(batch(graph, "a", ROWS, two[0]), batch(graph, "b", ROWS, two[1]))));
                cases.put(
                        shapes + ", left without a batch",
                        graph -> weighed(pair.apply(parameter(graph, "a", two[0]), batch(graph, "b", ROWS, two[1]))));
                cases.put(
                        shapes + ", right without a batch",
                        graph -> weighed(pair.apply(batch(graph, "a", ROWS, two[0]), parameter(graph, "b", two[1]))));
                cases.put(
                        shapes + ", both without a batch",
                        graph -> weighed(pair.apply(parameter(graph, "a", two[0]), parameter(graph, "b", two[1]))));
            }
        });
        cases.put("a value and itself", graph -> {
            Value x = batch(graph, "x", ROWS, 2);
            return weighed(multiply(add(x, x), x));
        });
    }

    private static void arrangements(Map<String, Body> cases) {
        for (int axis = 0; axis < 2; axis++) {
            int along = axis;
            cases.put(
                    "concat along " + axis,
                    graph -> weighed(concat(
                            along,
                            batch(graph, "a", ROWS, 2, 2),
                            batch(graph, "b", ROWS, along == 0 ? 1 : 2, along == 0 ? 2 : 1),
                            batch(graph, "c", ROWS, 2, 2))));
            cases.put(
                    "concat without a batch along " + axis,
                    graph -> weighed(concat(along, parameter(graph, "a", 2, 2), parameter(graph, "b", 2, 2))));
            cases.put("slice of axis " + axis, graph -> weighed(slice(batch(graph, "x", ROWS, 3, 4), along, 1, 3)));
            cases.put(
                    "slice without a batch of axis " + axis,
                    graph -> weighed(slice(parameter(graph, "x", 3, 4), along, 0, 2)));
        }
        cases.put("spread", graph -> weighed(square(spread(batch(graph, "x", ROWS, 2, 1, 3), 2, 4, 3))));
        for (boolean shared : new boolean[] {true, false}) {
            cases.put("spread to each row, shared " + shared, graph -> {
                Value x = parameter(graph, "x", 2, 1);
                return weighed(square(graph.numbered(new Arrangement.Spread(Shape.of(2, 3), true, shared), x)));
            });
        }
        cases.put(
                "spread along many axes",
                graph -> weighed(square(spread(batch(graph, "x", ROWS, 1, 2, 1, 2, 1, 2), 2, 2, 2, 2, 2, 2))));
        cases.put("oneHot", graph -> weighed(square(multiply(batch(graph, "x", ROWS, 3), oneHot(label(graph), 3)))));
        cases.put("running", graph -> {
            Value x = batch(graph, "x", ROWS, 3);
            Value statistic = graph.parameter(
                    "statistic",
                    (path, type) -> new Declaration(
                            path, Shape.of(3), type, Initialiser.zeros(), Fan.NONE, Kind.RUNNING_STATISTIC));
            Value next = graph.constant(Golden.tensor(Shape.of(3), graph.floatType(), 1, 2, 3));
            Value owner = parameter(graph, "owner", 3);
            return weighed(multiply(x, add(owner, graph.numbered(new Elementwise.Running(), next, statistic, owner))));
        });
        cases.put("concat of one", graph -> weighed(concat(0, batch(graph, "x", ROWS, 3))));
        cases.put("reshape", graph -> weighed(square(reshape(batch(graph, "x", ROWS, 3, 4), 2, 6))));
        cases.put("reshape without a batch", graph -> weighed(square(reshape(parameter(graph, "x", 3, 4), 2, 6))));
        cases.put("reshape to a number", graph -> weighed(square(reshape(batch(graph, "x", ROWS, 1)))));
        cases.put("pick", graph -> weighed(pick(batch(graph, "x", ROWS, 3), label(graph))));
        cases.put("categorical", graph -> {
            Categorical classes = new Categorical(batch(graph, "x", ROWS, 3));
            Categorical other = new Categorical(batch(graph, "y", ROWS, 3));
            Value probability = classes.logProbability(label(graph));
            return weighed(square(add(add(probability, classes.entropy()), classes.kullbackLeibler(other))));
        });
        cases.put("diagonal Gaussian", graph -> {
            DiagonalGaussian normal = new DiagonalGaussian(batch(graph, "x", ROWS, 2), parameter(graph, "s", 2));
            DiagonalGaussian other = new DiagonalGaussian(batch(graph, "y", ROWS, 2), batch(graph, "t", ROWS, 2));
            Value probability = normal.logProbability(other.sample(graph.noise("z", Shape.of(2))));
            Value sums = add(add(probability, normal.entropy()), normal.kullbackLeibler(other));
            return weighed(tanh(scale(sums, 0.01)));
        });
        cases.put("tanh Gaussian", graph -> {
            TanhGaussian squashed = new TanhGaussian(batch(graph, "x", ROWS, 2), batch(graph, "s", ROWS, 2));
            Value u = squashed.normal().sample(graph.noise("z", Shape.of(2)));
            Value both =
                    add(squashed.logProbabilityBefore(u), squashed.epsilon(0.1).logProbabilityBefore(u));
            return weighed(tanh(scale(both, 0.1)));
        });
        cases.put("Bernoulli", graph -> {
            Bernoulli coins = new Bernoulli(batch(graph, "x", ROWS, 2));
            Bernoulli other = new Bernoulli(batch(graph, "y", ROWS, 2));
            Value probability =
                    coins.logProbability(graph.constant(Golden.tensor(Shape.of(2), graph.floatType(), 1, 0)));
            return weighed(square(add(add(probability, coins.entropy()), coins.kullbackLeibler(other))));
        });
        cases.put("gather", graph -> {
            Value index = graph.input("indices", Shape.of(2), ElementType.INT64);
            return weighed(square(gather(batch(graph, "x", ROWS, 3), index)));
        });
        for (int axis = 0; axis < 2; axis++) {
            int along = axis;
            cases.put("gather along " + axis, graph -> {
                Value index = graph.input("indices", Shape.of(2), ElementType.INT64);
                Value places = reshape(index, along == 0 ? new int[] {1, 2} : new int[] {2, 1});
                Value all = spread(places, along == 0 ? new int[] {2, 2} : new int[] {2, 2});
                int[] extents = along == 0 ? new int[] {3, 2} : new int[] {2, 3};
                return weighed(square(gather(batch(graph, "x", ROWS, extents), along, all)));
            });
            cases.put(
                    "sort along " + axis,
                    graph -> weighed(square(Operators.sort(batch(graph, "x", ROWS, 3, 2), along, along == 0))));
            cases.put("scatterAdd along " + axis, graph -> {
                Value x = batch(graph, "x", ROWS, 3, 2);
                Value order = Operators.argSort(batch(graph, "by", ROWS, 3, 2), along, true);
                return weighed(square(Operators.scatterAdd(x, along, order, batch(graph, "source", ROWS, 3, 2))));
            });
        }
        for (boolean left : new boolean[] {false, true}) {
            for (boolean right : new boolean[] {false, true}) {
                int[] a = left ? new int[] {2, 3, 5} : new int[] {2, 5, 3};
                int[] b = right ? new int[] {2, 4, 3} : new int[] {2, 3, 4};
                Matmul matmul = new Matmul(left, right);
                String name = "matmul " + matmul.settings();
                cases.put(
                        name,
                        graph -> weighed(square(
                                graph.numbered(matmul, batch(graph, "a", ROWS, a), batch(graph, "b", ROWS, b)))));
                cases.put(
                        name + " without a batch",
                        graph -> weighed(
                                square(graph.numbered(matmul, parameter(graph, "a", a), parameter(graph, "b", b)))));
            }
        }
        cases.put(
                "matmul of one matrix with those of a batch",
                graph -> weighed(
                        square(Operators.matmul(parameter(graph, "a", 2, 3), batch(graph, "b", ROWS, 4, 3, 2)))));
        cases.put("embedding of a sequence", graph -> {
            Value index = graph.input("indices", Shape.of(2), ElementType.INT64);
            Value moved = slice(pad(index, 0, 1, 1), 0, 0, 3);
            return weighed(square(embedding("layer", moved, 3, 4)));
        });
        cases.put(
                "attention",
                graph -> weighed(Attention.toThePast()
                        .of(
                                batch(graph, "q", ROWS, 2, 3, 2),
                                batch(graph, "k", ROWS, 2, 3, 2),
                                batch(graph, "v", ROWS, 2, 3, 2),
                                parameter(graph, "bias", 3, 3),
                                null)));
        cases.put("stopGradient", graph -> {
            Value x = batch(graph, "x", ROWS, 3);
            // The part that is cut must be one that does not depend on x: differences know of no cut.
            return weighed(multiply(x, stopGradient(graph.noise("z", Shape.of(3)))));
        });
        cases.put("two functions of one product", graph -> {
            Value h = dense("layer", batch(graph, "x", ROWS, 3), 4);
            Value both = multiply(Operators.relu(h), Operators.sigmoid(h));
            return weighed(add(both, multiply(leakyRelu(h, 0.3), Operators.softplus(h))));
        });
        cases.put("a step beside a sigmoid", graph -> {
            Value h = dense("layer", batch(graph, "x", ROWS, 3), 4);
            return weighed(multiply(add(h, Operators.sigmoid(h)), step(h)));
        });
        cases.put("what is looked up by the argmax of a constant", graph -> {
            Value constant = graph.constant(Golden.tensor(Shape.of(3), graph.floatType(), 1, 5, 2));
            Value chosen = add(oneHot(argMax(constant), 3), Operators.pick(constant, argMax(constant)));
            return weighed(multiply(batch(graph, "x", ROWS, 3), chosen));
        });
        cases.put("what is looked up by the argmax of a parameter", graph -> {
            Value table = parameter(graph, "table", 2, 3);
            return weighed(Operators.pick(square(table), argMax(table)));
        });
        cases.put("argMax", graph -> {
            Value x = batch(graph, "x", ROWS, 3);
            return weighed(multiply(equal(argMax(x), label(graph)), sum(x, 0)));
        });
    }

    private static Value label(Graph graph) {
        return graph.input("label", Shape.scalar(), ElementType.INT64);
    }

    private static void reductions(Map<String, Body> cases) {
        cases.put("sum of all", graph -> square(sum(batch(graph, "x", ROWS, 2, 3))));
        cases.put("mean of all", graph -> square(mean(batch(graph, "x", ROWS, 2, 3))));
        cases.put("sum of all without a batch", graph -> square(sum(parameter(graph, "x", 2, 3))));
        cases.put("mean of all without a batch", graph -> square(mean(parameter(graph, "x", 2, 3))));
        for (int axis = 0; axis < 2; axis++) {
            int along = axis;
            cases.put("sum along " + axis, graph -> weighed(square(sum(batch(graph, "x", ROWS, 2, 3), along))));
            cases.put("mean along " + axis, graph -> weighed(square(mean(batch(graph, "x", ROWS, 2, 3), along))));
            cases.put("max along " + axis, graph -> weighed(square(max(batch(graph, "x", ROWS, 2, 3), along))));
            cases.put(
                    "sum without a batch along " + axis,
                    graph -> weighed(square(sum(parameter(graph, "x", 2, 3), along))));
            cases.put(
                    "max without a batch along " + axis,
                    graph -> weighed(square(max(parameter(graph, "x", 2, 3), along))));
        }
        for (How how : How.values()) {
            cases.put(
                    how + " over the batch",
                    graph -> weighed(square(graph.numbered(
                            new Reduction.Reduce(how, Reduction.Reduce.BATCH), batch(graph, "x", ROWS, 2, 3)))));
        }
        cases.put(
                "max of all",
                graph -> square(graph.numbered(
                        new Reduction.Reduce(How.MAX, Reduction.Reduce.ALL), batch(graph, "x", ROWS, 2, 3))));
        cases.put("sum of vectors", graph -> weighed(square(sum(batch(graph, "x", ROWS, 3), 0))));
        cases.put("mean of a vector without a batch", graph -> square(mean(parameter(graph, "x", 3), 0)));
    }

    private static Value byMode(Value train, Value eval) {
        return train.graph().numbered(new Elementwise.ByMode(), train, eval);
    }

    /** Of layers that are composed, each in one form; with 1 row a batch norm is not smooth. */
    private static void imageLayers(Map<String, Body> cases) {
        Map<String, UnaryOperator<Value>> images = new LinkedHashMap<>();
        for (Padding padding : Padding.values()) {
            images.put("pad " + padding, x -> pad(x, padding, 1, 2, 2, -1));
            images.put(
                    "conv padded by " + padding,
                    x -> conv("layer", x, 2, kernel(3).pad(1, 0), padding));
            images.put(
                    "conv1d padded by " + padding,
                    x -> conv1d("layer", reshape(x, 4, 20), 2, kernel(3).pad(1), padding));
        }
        images.put("constantPad", x -> constantPad(x, 1.5, 1));
        images.put("depthwiseConv", x -> depthwiseConv("layer", x, 2, kernel(3).pad(1)));
        images.put(
                "separableConv",
                x -> separableConv("layer", x, 3, kernel(3).dilation(2).pad(2), Operators::tanh));
        images.put("adaptiveAveragePool", x -> adaptiveAveragePool(x, 3, 2));
        images.put("adaptiveAveragePool, even", x -> adaptiveAveragePool(x, 1, 2));
        images.put("adaptiveMaxPool", x -> adaptiveMaxPool(x, 3, 3));
        images.put("adaptiveMaxPool, even", x -> adaptiveMaxPool(x, 5, 2));
        images.put("upfirdn2d", x -> upfirdn2d(x, 3, 2, new int[] {2, 1, -1, 2}, 2, 1, 2, 4));
        images.put("blurPool", x -> blurPool(x, 2, Padding.REFLECT, binomial(3)));
        images.put("film", x -> film(x, parameter(x.graph(), "gain", 4), batch(x.graph(), "bias", ROWS, 4)));
        images.put("minibatchStdDev", x -> minibatchStdDev(x));
        images.put("minibatchStdDev in groups", x -> minibatchStdDev(x, 2, 2));
        images.put("pack", x -> pack(x, square(x)));
        images.put("sumOverBatch", Operators::sumOverBatch);
        images.put("meanOverBatch", Operators::meanOverBatch);
        images.put("maxOverBatch", Operators::maxOverBatch);
        images.put("productOverBatch", x -> productOverBatch(globalAveragePool(x), reshape(x, 80)));
        images.put(
                "batchNorm without scale and shift",
                x -> batchNorm("layer", x, normalisation().affine(false)));
        images.put(
                "batchNorm, frozen, without scale and shift",
                x -> batchNorm("layer", x, normalisation().affine(false).frozenStatistics()));
        images.put(
                "batchNorm with a class",
                x -> conditionalBatchNorm("layer", x, x.graph().input("label", Shape.scalar(), ElementType.INT64), 3));
        images.put(
                "batchNorm with a condition",
                x -> conditionalBatchNorm(
                        "layer", x, batch(x.graph(), "c", ROWS, 2), Weights.standard(), normalisation()));
        for (int axis = WeightNormAlong.WHOLE; axis < 2; axis++) {
            Weights weights = Weights.standard().weightNorm(axis);
            images.put(
                    "weightNorm along " + axis,
                    x -> conv("layer", x, 3, kernel(3).weights(weights)));
            images.put(
                    "weightNorm of a transposed convolution along " + axis,
                    x -> convTranspose("layer", x, 4, kernel(2).groups(2).weights(weights)));
            images.put(
                    "weightNorm of a transposed line along " + axis,
                    x -> convTranspose1d(
                            "layer", reshape(x, 4, 20), 2, kernel(2).weights(weights)));
        }
        images.forEach((name, layer) ->
                cases.put(name, graph -> weighed(tanh(layer.apply(batch(graph, "x", ROWS, 4, 5, 4))))));
        cases.put(
                "embedding with weight norm",
                graph -> weighed(embedding(
                        "layer",
                        graph.input("label", Shape.scalar(), ElementType.INT64),
                        3,
                        4,
                        Weights.standard().weightNorm())));
        cases.put("weightNorm of a parameter", graph -> weighed(weightNorm("norm", parameter(graph, "w", 3, 2, 2), 1)));
        cases.put(
                "orthogonalRegularisation",
                graph -> OrthogonalRegularisation.orthogonal(0.3).of(parameter(graph, "w", 3, 2, 2)));
        cases.put(
                "orthogonalRegularisation of columns, to the identity",
                graph -> OrthogonalRegularisation.orthogonal(0.3)
                        .diagonal(true)
                        .columns(true)
                        .of(parameter(graph, "w", 3, 2)));
    }

    private static void layers(Map<String, Body> cases) {
        cases.put("dense", graph -> weighed(dense("layer", batch(graph, "x", ROWS, 4), 2)));
        cases.put("dense of a matrix", graph -> weighed(dense("layer", batch(graph, "x", ROWS, 2, 4), 3)));
        cases.put("dense of a vector without a batch", graph -> weighed(dense("layer", parameter(graph, "x", 4), 2)));
        cases.put(
                "dense of a matrix without a batch", graph -> weighed(dense("layer", parameter(graph, "x", 3, 4), 2)));
        cases.put(
                "conv",
                graph -> weighed(conv(
                        "layer",
                        batch(graph, "x", ROWS, 2, 5, 4),
                        3,
                        kernel(3).stride(2).pad(1))));
        cases.put(
                "conv without a batch", graph -> weighed(conv("layer", parameter(graph, "x", 2, 5, 4), 3, kernel(3))));
        cases.put(
                "convTranspose",
                graph -> weighed(convTranspose(
                        "layer",
                        batch(graph, "x", ROWS, 2, 3, 2),
                        3,
                        kernel(4).stride(2).pad(1))));
        cases.put(
                "convTranspose without a batch",
                graph -> weighed(convTranspose("layer", parameter(graph, "x", 2, 3, 2), 3, kernel(3))));
        cases.put(
                "convTranspose to one channel without a batch",
                graph -> weighed(convTranspose("layer", parameter(graph, "x", 2, 3, 2), 1, kernel(3))));
        cases.put(
                "denseInput",
                graph -> weighed(square(graph.numbered(
                        new Products.DenseInput(), batch(graph, "g", ROWS, 2, 4), parameter(graph, "w", 4, 3)))));
        cases.put(
                "denseInput without a batch",
                graph -> weighed(square(graph.numbered(
                        new Products.DenseInput(), parameter(graph, "g", 4), parameter(graph, "w", 4, 3)))));
        cases.put(
                "denseWeight",
                graph -> weighed(square(graph.numbered(
                        new Products.DenseWeight(), batch(graph, "x", ROWS, 2, 3), batch(graph, "g", ROWS, 2, 4)))));
        cases.put(
                "denseWeight without a batch",
                graph -> weighed(square(graph.numbered(
                        new Products.DenseWeight(), parameter(graph, "x", 3), parameter(graph, "g", 4)))));
        Map<String, Window> windows = new LinkedHashMap<>();
        windows.put("stride 2 pad 1", kernel(3).stride(2).pad(1));
        windows.put("dilation 2", kernel(2).dilation(2, 2));
        windows.put("two groups", kernel(3, 2).pad(1, 0).groups(2));
        windows.put("a stride that leaves a rest", kernel(2).stride(3, 2));
        windows.forEach((name, window) -> {
            cases.put(
                    "conv of " + name,
                    graph -> weighed(tanh(conv("layer", batch(graph, "x", ROWS, 2, 6, 5), 4, window))));
            cases.put(
                    "conv with a computed weight, " + name,
                    graph -> weighed(tanh(graph.numbered(
                            new Products.Convolution(window),
                            batch(graph, "x", ROWS, 2, 6, 5),
                            tanh(parameter(
                                    graph,
                                    "w",
                                    4,
                                    2 / window.groups(),
                                    window.size().get(0),
                                    window.size().get(1)))))));
            cases.put(
                    "convTranspose with a computed weight, " + name,
                    graph -> weighed(tanh(graph.numbered(
                            new Products.TransposedConvolution(window),
                            batch(graph, "x", ROWS, 4, 3, 2),
                            tanh(parameter(
                                    graph,
                                    "w",
                                    4,
                                    2 / window.groups(),
                                    window.size().get(0),
                                    window.size().get(1)))))));
            cases.put(
                    "convTranspose of " + name,
                    graph -> weighed(tanh(convTranspose("layer", batch(graph, "x", ROWS, 4, 3, 2), 2, window))));
        });
        cases.put(
                "convTranspose with an output pad, computed weight",
                graph -> weighed(tanh(graph.numbered(
                        new Products.TransposedConvolution(
                                kernel(3).stride(2).pad(1).outputPad(1, 0)),
                        batch(graph, "x", ROWS, 4, 3, 2),
                        tanh(parameter(graph, "w", 4, 3, 3, 3))))));
        cases.put(
                "convWeight",
                graph -> weighed(tanh(graph.numbered(
                        new Products.ConvolutionWeight(kernel(3).stride(2).pad(1), Shape.of(3, 3)),
                        batch(graph, "x", ROWS, 2, 5, 4),
                        batch(graph, "g", ROWS, 3, 3, 2)))));
        cases.put(
                "maxPool",
                graph -> weighed(square(Operators.maxPool(
                        batch(graph, "x", ROWS, 2, 5, 4), kernel(3).stride(2).pad(1)))));
        cases.put(
                "maxPool without a batch",
                graph -> weighed(square(Operators.maxPool(parameter(graph, "x", 2, 5, 4), kernel(2)))));
        Window pool = kernel(3).stride(2).pad(1);
        images(cases, pool);
        cases.put(
                "maxPoolInput",
                graph -> weighed(square(graph.numbered(
                        new Pooling.MaxPoolInput(pool),
                        graph.noise("z", Shape.of(2, 5, 4)),
                        batch(graph, "g", ROWS, 2, 3, 2)))));
        cases.put(
                "maxPoolPick",
                graph -> weighed(square(graph.numbered(
                        new Pooling.MaxPoolPick(pool),
                        graph.noise("z", Shape.of(2, 5, 4)),
                        batch(graph, "x", ROWS, 2, 5, 4)))));
        cases.put("batchNorm", graph -> weighed(tanh(batchNorm("layer", batch(graph, "x", ROWS, 2, 3)))));
        cases.put(
                "batchNorm on frozen statistics",
                graph -> weighed(tanh(batchNorm(
                        "layer", batch(graph, "x", ROWS, 2, 3), normalisation().frozenStatistics()))));
    }

    /** The first row of pixels of each channel. */
    private static Value firstRow(Value image) {
        return reshape(
                slice(image, 1, 0, 1), image.shape().get(0), image.shape().get(2));
    }

    private static void images(Map<String, Body> cases, Window pool) {
        Map<String, UnaryOperator<Value>> images = new LinkedHashMap<>();
        images.put("averagePool", x -> averagePool(x, pool, true));
        images.put("averagePool without the padding", x -> averagePool(x, pool, false));
        images.put("upsampleNearest", x -> upsampleNearest(x, 2));
        images.put("upsampleBilinear by 2", x -> upsampleBilinear(x, 2));
        images.put("upsampleBilinear by 3", x -> upsampleBilinear(x, 3));
        images.put("pixelShuffle", x -> pixelShuffle(concat(0, x, x), 2));
        images.put("instanceNorm without parameters", Operators::instanceNorm);
        images.put("pixelNorm", Operators::pixelNorm);
        images.put("instanceNorm", x -> instanceNorm("layer", x));
        images.put("groupNorm", x -> groupNorm("layer", x, 1));
        images.put("layerNorm", x -> layerNorm("layer", x, 1, 0.1));
        images.put("layerNorm over two axes", x -> layerNorm("layer", x, 2, 1e-5));
        images.put("rmsNorm", x -> rmsNorm("layer", x));
        images.put("prelu", x -> prelu("layer", x));
        images.put(
                "residual",
                x -> residual(
                        "block", x, h -> conv("layer", tanh(h), 2, kernel(3).pad(1))));
        images.put(
                "residual with a projection",
                x -> residual(
                        "block",
                        x,
                        h -> conv("layer", tanh(h), 3, kernel(3).stride(2, 1).pad(1))));
        images.put("residual with a dense projection", x -> residual("block", x, h -> tanh(dense("layer", h, 2))));
        images.put(
                "conv1d",
                x -> conv1d("layer", firstRow(x), 4, kernel(2).stride(2).groups(2)));
        images.put(
                "convTranspose1d",
                x -> convTranspose1d("layer", firstRow(x), 2, kernel(3).stride(2)));
        Weights norm = Weights.standard().weightNorm();
        images.put("weight norm of a dense layer", x -> dense("layer", x, 2, norm));
        images.put(
                "weight norm of a convolution",
                x -> conv("layer", x, 4, kernel(2).groups(2).weights(norm)));
        images.put(
                "weight norm of a transposed convolution",
                x -> convTranspose("layer", x, 4, kernel(2).groups(2).weights(norm)));
        images.put(
                "weight norm of a transposed convolution without a bias",
                x -> convTranspose("layer", x, 1, kernel(2).weights(norm.withoutBias())));
        images.put(
                "weight norm of rows",
                x -> conv1d("layer", firstRow(x), 2, kernel(2).weights(norm)));
        images.put(
                "weight norm of transposed rows",
                x -> convTranspose1d("layer", firstRow(x), 2, kernel(2).weights(norm)));
        images.forEach((name, function) -> {
            cases.put(name, graph -> weighed(square(function.apply(batch(graph, "x", ROWS, 2, 4, 3)))));
            cases.put(
                    name + " without a batch",
                    graph -> weighed(square(function.apply(parameter(graph, "x", 2, 4, 3)))));
        });
    }
}
