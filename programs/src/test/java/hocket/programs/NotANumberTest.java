package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Layers.prelu;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Reduction;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes in as NaN comes out as NaN, of every operator, by whatever runs it: a check of the loss behind it sees it. */
@Tag("engine")
class NotANumberTest {
    private static final Shape IMAGE = Shape.of(2, 4, 4);
    private static final int ROWS = 3;

    private static Map<String, UnaryOperator<Value>> operators() {
        Map<String, UnaryOperator<Value>> all = new LinkedHashMap<>();
        for (Elementwise.Function function : Elementwise.Function.values()) {
            if (function != Elementwise.Function.STEP) { // a comparison, as in PyTorch false for NaN
                all.put(function.toString(), x -> x.graph().numbered(new Elementwise.Unary(function), x));
            }
        }
        all.put("leakyRelu", x -> Operators.leakyRelu(x, 0.2));
        all.put("elu", x -> Operators.elu(x, 1));
        all.put("selu", Operators::selu);
        all.put("gelu", Operators::gelu);
        all.put("mish", Operators::mish);
        all.put("silu", Operators::silu);
        all.put("hardTanh", Operators::hardTanh);
        all.put("clip", x -> Operators.clip(x, 0, 6));
        all.put("clip without a bound above", x -> Operators.clip(x, 0, Double.POSITIVE_INFINITY));
        all.put("maximum", x -> Operators.maximum(x, x.graph().constant(0)));
        all.put("minimum", x -> Operators.minimum(x, x.graph().constant(0)));
        all.put("maximum of what is less", x -> Operators.maximum(x.graph().constant(-9), x));
        all.put("maximum of what is more", x -> Operators.maximum(x.graph().constant(9), x));
        all.put("max", x -> Operators.max(x, 2));
        all.put("min", x -> Operators.min(x, 0));
        all.put(
                "max of all",
                x -> x.graph().numbered(new Reduction.Reduce(Reduction.How.MAX, Reduction.Reduce.ALL), x));
        all.put(
                "max over the batch",
                x -> x.graph().numbered(new Reduction.Reduce(Reduction.How.MAX, Reduction.Reduce.BATCH), x));
        all.put("sum", x -> Operators.sum(x, 1));
        all.put("mean", Operators::mean);
        all.put("logSumExp", x -> Operators.logSumExp(x, 2));
        all.put("softmax", Operators::softmax);
        all.put("softmax of channels", x -> Operators.softmax(x, 0));
        all.put("logSoftmax", Operators::logSoftmax);
        all.put("cumulativeSum", x -> Operators.cumulativeSum(x, 1));
        all.put("maxPool", x -> Operators.maxPool(x, kernel(2).stride(2)));
        all.put("maxPool that overlaps", x -> Operators.maxPool(x, kernel(3).pad(1)));
        all.put("averagePool", x -> Operators.averagePool(x, kernel(2).stride(2), true));
        all.put("upsampleNearest", x -> Operators.upsampleNearest(x, 2));
        all.put("upsampleBilinear", x -> Operators.upsampleBilinear(x, 2));
        all.put("pixelNorm", Operators::pixelNorm);
        all.put("instanceNorm", Operators::instanceNorm);
        all.put("layerNorm", x -> layerNorm("l", x));
        all.put("batchNorm", x -> batchNorm("l", x));
        all.put("prelu", x -> prelu("l", x));
        all.put("dense", x -> dense("l", x, 5));
        all.put("conv", x -> conv("l", x, 3, kernel(2)));
        all.put(
                "conv of many",
                x -> conv("l", conv("m", x, 16, kernel(1)), 16, kernel(3).pad(1)));
        all.put("relu of a conv", x -> Operators.relu(conv("l", x, 16, kernel(3).pad(1))));
        all.put(
                "maxPool of a conv",
                x -> Operators.maxPool(
                        conv("l", x, 16, kernel(3).pad(1)), kernel(2).stride(2)));
        all.put("convTranspose", x -> convTranspose("l", x, 3, kernel(2).stride(2)));
        all.put("where", x -> Operators.where(Operators.step(x), x, Operators.scale(x, 2)));
        return all;
    }

    static Stream<Lowering> lowerings() {
        return Stream.of(new MxLowering(), new JvmLowering())
                .filter(lowering -> lowering.unavailable().isEmpty());
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void isNotSwallowed(Lowering lowering) {
        Map<String, String> wrong = new LinkedHashMap<>();
        operators().forEach((name, operator) -> {
            for (ElementType type : List.of(ElementType.FLOAT32, ElementType.FLOAT64)) {
                for (Mode mode : Mode.values()) {
                    Program program = program(type, mode, operator);
                    if (lowering.refuses(program, program.reached()).isEmpty()) {
                        String mine = places(lowering, program);
                        String exact = places(new ReferenceLowering(), program);
                        if (!mine.equals(exact)) {
                            wrong.put(name + " in " + type + " " + mode, "\n" + mine + "\n" + exact + "\n");
                        }
                    }
                }
            }
        });
        assertThat(wrong).isEmpty();
    }

    private static Program program(ElementType type, Mode mode, UnaryOperator<Value> operator) {
        Graph graph = new Graph(type);
        try (var module = graph.module("m")) {
            return Program.compile("one", mode, operator.apply(graph.input("x", IMAGE)));
        }
    }

    /** Which elements are NaN, of one NaN among numbers. */
    private static String places(Lowering lowering, Program program) {
        double[] numbers =
                Fixture.random(IMAGE.prepend(ROWS), program.floatType(), 3).doubles();
        numbers[21] = Double.NaN;
        Tensor fed = Golden.tensor(IMAGE.prepend(ROWS), program.floatType(), numbers);
        try (Parameters parameters = Fixture.store(program.graph());
                BoundProgram bound = Fixture.bind(lowering, program, parameters, new TreeSet<>())) {
            bound.feed("m/x", fed);
            bound.run(ROWS, 0, 0);
            double[] result = bound.target(0).doubles();
            return IntStream.range(0, result.length)
                    .mapToObj(i -> Double.isNaN(result[i]) ? "x" : ".")
                    .collect(Collectors.joining());
        }
    }
}
