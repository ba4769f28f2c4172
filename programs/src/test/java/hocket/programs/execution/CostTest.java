package hocket.programs.execution;

import static hocket.programs.Fixture.parameter;
import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.max;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Costs, worked by hand. */
class CostTest {
    private final Graph graph = new Graph();
    private final Scope<Value> module = graph.module("m");

    @AfterEach
    void close() {
        module.close();
    }

    @Test
    void aDenseLayerMultipliesAndAddsEachWeightOnceARow() {
        Value x = graph.input("x", Shape.of(4));
        assertThat(forward(dense("biased", x, 3))).isEqualTo(rows(2 * 4 * 3 + 3));
        assertThat(forward(dense("plain", x, 3, Weights.standard().withoutBias())))
                .isEqualTo(rows(2 * 4 * 3));
        Value table = graph.input("table", Shape.of(5, 4));
        assertThat(forward(dense("each", table, 3))).isEqualTo(rows(5 * (2 * 4 * 3 + 3)));
        Value own = parameter(graph, "own", 4);
        assertThat(forward(dense("own_layer", own, 3))).isEqualTo(once(2 * 4 * 3 + 3));
    }

    @Test
    void aConvolutionSumsAWindowForEachOutput() {
        Value x = graph.input("x", Shape.of(2, 6, 6));
        // 3 filters of 2 channels of 3×3 at 3×3 places
        assertThat(forward(conv("strided", x, 3, kernel(3).stride(2).pad(1)))).isEqualTo(rows(27 * (2 * 18 + 1)));
        // 4 filters of 1 channel of 3×3 at 4×4 places
        assertThat(forward(conv("grouped", x, 4, kernel(3).groups(2)))).isEqualTo(rows(64 * (2 * 9 + 1)));
    }

    @Test
    void aTransposedConvolutionSpreadsAWindowFromEachInput() {
        Value x = graph.input("x", Shape.of(2, 3, 3));
        // each of 18 inputs goes to 4 filters of 4×4; the bias to 4 filters of 6×6
        assertThat(forward(convTranspose("conv", x, 4, kernel(4).stride(2).pad(1))))
                .isEqualTo(rows(18 * 2 * 64 + 4 * 36));
        assertThat(forward(convTranspose("grouped", x, 4, kernel(4).groups(2)))).isEqualTo(rows(18 * 2 * 32 + 4 * 36));
    }

    @Test
    void aBatchNormCostsMoreWhereItComputesTheMoments() {
        Value x = graph.input("x", Shape.of(3, 2, 2));
        Value norm = batchNorm("norm", x);
        assertThat(forward(norm)).isEqualTo(new RowCost(7 * 12, 4 * 3));
        assertThat(Cost.of(Program.compile("p", Mode.EVAL, norm), Set.of()).forward())
                .isEqualTo(new RowCost(4 * 12, 2 * 3));
        assertThat(forward(batchNorm("frozen", x, normalisation().frozenStatistics())))
                .isEqualTo(new RowCost(4 * 12, 2 * 3));
    }

    @Test
    void elementsCountOnceAndWhatMovesThemNothing() {
        Value x = graph.input("x", Shape.of(2, 3));
        assertThat(forward(relu(x))).isEqualTo(rows(6));
        assertThat(forward(scale(x, 2))).isEqualTo(rows(6));
        assertThat(forward(shift(scale(x, 2), 1))).isEqualTo(rows(12));
        assertThat(forward(stopGradient(x))).isEqualTo(RowCost.NONE);
        assertThat(forward(concat(0, slice(x, 0, 0, 1), x))).isEqualTo(RowCost.NONE);
        assertThat(forward(flatten(x))).isEqualTo(RowCost.NONE);
        assertThat(forward(dropout("drop", x, 0.5))).isEqualTo(rows(6));
        assertThat(Cost.of(Program.compile("p", Mode.EVAL, graph.value("m/drop")), Set.of())
                        .forward())
                .isEqualTo(RowCost.NONE);
    }

    @Test
    void whatIsTheSameForAllRowsCostsOnce() {
        Value x = graph.input("x", Shape.of(3));
        Value deviation = exp(parameter(graph, "log", 3));
        assertThat(forward(deviation)).isEqualTo(once(3));
        assertThat(forward(multiply(x, deviation))).isEqualTo(new RowCost(3, 3));
    }

    @Test
    void reductionsCountWhatTheyCombine() {
        Value x = graph.input("x", Shape.of(4, 5));
        Value label = graph.input("label", Shape.of(4), ElementType.INT64);
        assertThat(forward(sum(x))).isEqualTo(rows(20));
        assertThat(forward(mean(x))).isEqualTo(new RowCost(20, 1));
        assertThat(forward(mean(x, 1))).isEqualTo(rows(20 + 4));
        assertThat(forward(max(x, 1))).isEqualTo(rows(20));
        assertThat(forward(argMax(x))).isEqualTo(rows(20));
        assertThat(forward(softmax(x))).isEqualTo(rows(5 * 20));
        assertThat(forward(pick(logSoftmax(x), label))).isEqualTo(rows(5 * 20 + 4));
    }

    @Test
    void theBackwardPassComputesTheGradientsThatAreWantedAndThoseOnTheWay() {
        Value x = graph.input("x", Shape.of(4));
        Value hidden = relu(dense("first", x, 3));
        Program program = Program.compile("p", Mode.TRAIN, mean(dense("last", hidden, 1)));
        assertThat(Cost.of(program, Set.of()).backward()).isEqualTo(RowCost.NONE);
        RowCost mean = new RowCost(1, 1);
        RowCost last = rows(2 * 3 + 1); // by weight and bias
        assertThat(backward(program, "m/last/weight", "m/last/bias")).isEqualTo(mean.plus(last));
        assertThat(backward(program, "m/last/bias")).isEqualTo(mean.plus(rows(1)));
        RowCost way = mean.plus(rows(2 * 3)).plus(rows(3)); // by the last layer's input, then by relu's
        assertThat(backward(program, "m/first/weight")).isEqualTo(way.plus(rows(2 * 4 * 3)));
        assertThat(backward(program, "m/first/weight", "m/first/bias", "m/last/weight", "m/last/bias"))
                .isEqualTo(way.plus(rows(2 * 4 * 3 + 3)).plus(last));
    }

    @Test
    void nothingGoesBackThroughAStopGradientOrFromAMetric() {
        Value x = graph.input("x", Shape.of(4));
        Value hidden = dense("first", x, 3);
        Loss loss = Loss.of(sum(dense("last", stopGradient(hidden), 1))).metric("size", sum(hidden));
        Program program = Program.compile("p", Mode.TRAIN, loss);
        assertThat(backward(program, "m/first/weight")).isEqualTo(RowCost.NONE);
        assertThat(backward(program, "m/last/weight", "m/first/weight")).isEqualTo(rows(1 + 2 * 3));
    }

    @Test
    void aBatchNormsGradientByItsInputCostsAsMuchAsItself() {
        Value x = graph.input("x", Shape.of(4));
        Value norm = batchNorm("norm", dense("first", x, 3));
        Program program = Program.compile("p", Mode.TRAIN, sum(norm));
        assertThat(backward(program, "m/norm/scale", "m/norm/shift")).isEqualTo(rows(3 + 2 * 3 + 3));
        assertThat(backward(program, "m/first/bias")).isEqualTo(new RowCost(3 + 7 * 3 + 3, 4 * 3));
    }

    @Test
    void anEmbeddingLooksUpForNothingAndAddsUpItsGradient() {
        Value word = graph.input("word", Shape.of(6), ElementType.INT64);
        Program program = Program.compile("p", Mode.TRAIN, sum(embedding("words", word, 100, 8)));
        assertThat(Cost.of(program, Set.of()).forward()).isEqualTo(rows(48));
        assertThat(backward(program, "m/words/table")).isEqualTo(rows(48 + 48));
    }

    @Test
    void aParameterCountsOnceHoweverOftenItIsReadAndByWhereItIsStored() {
        module.close();
        Value x = graph.input("x", Shape.of(4));
        Network<Value, Value> critic = graph.module("critic", in -> dense("out", in, 3));
        Value loss = sum(add(critic.apply(x), critic.apply(scale(x, 2))));
        Cost cost = Cost.of(Program.compile("p", Mode.TRAIN, loss), Set.of());
        assertThat(cost.parameters()).isEqualTo(15);
        assertThat(cost.parameterBytes()).isEqualTo(60);
        Program target = Program.compile("p", Mode.TRAIN, loss).reading("critic", "target/critic");
        assertThat(backward(target, "critic/out/bias")).isEqualTo(RowCost.NONE);
        // sum and add, which has two inputs, and the bias, all of 3 numbers, the last two twice
        assertThat(backward(target, "target/critic/out/bias")).isEqualTo(rows(3 + 2 * 3 + 2 * 3));
    }

    @Test
    void valuesTakeMemoryByRowsAndTypes() {
        Value x = graph.input("x", Shape.of(4));
        Value index = argMax(x);
        Cost cost = Cost.of(Program.compile("p", Mode.TRAIN, sum(x), index), Set.of());
        assertThat(cost.bytes()).isEqualTo(new RowCost(4 * 4 + 8, 4));
        assertThat(cost.bytes().of(10)).isEqualTo(244);
        assertThat(cost.lines().stream().map(line -> line.value().path().text()))
                .containsExactly("m/x", "m/argmax", "m/sum");
    }

    private static RowCost forward(Value target) {
        return Cost.of(Program.compile("p", Mode.TRAIN, target), Set.of()).forward();
    }

    private static RowCost backward(Program program, String... gradients) {
        return Cost.of(program, Arrays.stream(gradients).map(Path::of).collect(Collectors.toSet()))
                .backward();
    }

    private static RowCost rows(long perRow) {
        return new RowCost(perRow, 0);
    }

    private static RowCost once(long count) {
        return new RowCost(0, count);
    }
}
