package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.stopGradient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a program holds, which is decided without an engine. */
class ProgramTest {
    private final Graph graph = new Graph();
    private final Value x = graph.input("x", Shape.of(4));
    private final Value other = graph.input("other", Shape.of(4));
    private Value hidden = x;
    private Value out = x;

    @BeforeEach
    void network() {
        try (var module = graph.module("m")) {
            hidden = dropout("drop", relu(batchNorm("norm", dense("first", x, 3))), 0.5);
            out = dense("last", hidden, 1);
            dense("unused", other, 2);
        }
    }

    @Test
    void itHoldsExactlyWhatItsTargetsNeed() {
        Program train = Program.compile("train", Mode.TRAIN, out);
        assertThat(paths(train.values()))
                .containsExactly(
                        "x",
                        "m/first/weight",
                        "m/first/bias",
                        "m/first",
                        "m/norm/scale",
                        "m/norm/shift",
                        "m/norm",
                        "m/relu",
                        "m/drop_mask",
                        "m/drop",
                        "m/last/weight",
                        "m/last/bias",
                        "m/last");
        assertThat(paths(train.inputs())).containsExactly("x");
        assertThat(paths(train.noises())).containsExactly("m/drop_mask");
    }

    @Test
    void inUseThereAreNoMasksAndTheRunningStatisticsAreRead() {
        Program eval = Program.compile("eval", Mode.EVAL, out);
        assertThat(paths(eval.values()))
                .contains("m/norm/mean", "m/norm/variance")
                .doesNotContain("m/drop_mask");
        assertThat(eval.noises()).isEmpty();
        assertThat(eval.batchNorms()).isEmpty();
    }

    @Test
    void frozenStatisticsAreReadInTraining() {
        Value frozen;
        try (var module = graph.module("frozen")) {
            frozen = batchNorm("norm", x, normalisation().frozenStatistics());
        }
        Program program = Program.compile("p", Mode.TRAIN, frozen);
        assertThat(program.parameters()).containsKey(Path.of("frozen/norm/mean"));
        assertThat(program.batchNorms()).isEmpty();
    }

    @Test
    void anIntermediateTargetNeedsLess() {
        Program program = Program.compile("p", Mode.TRAIN, graph.value("m/first"));
        assertThat(paths(program.values())).containsExactly("x", "m/first/weight", "m/first/bias", "m/first");
    }

    @Test
    void itPrintsWhatItIsFedAndComputes() {
        Program program = Program.compile("p", Mode.EVAL, graph.value("m/first"), mean(sigmoid(out)));
        assertThat(program.signature()).isEqualTo("p(x (batch,4)) -> m/first (batch,3), mean ()");
        assertThat(program.reading("m", "ema/m").toString())
                .startsWith("p(x (batch,4)) -> m/first (batch,3), mean ()  [EVAL]\n  x (batch,4) = input()\n")
                .contains("\n  m/first/weight (3,4) from ema/m/first/weight\n")
                .contains("\n  m/first (batch,3) = dense(x, ema/m/first/weight, ema/m/first/bias)\n")
                .contains("\n  m/drop (batch,3) = dropout(m/relu) rate 0.5\n");
    }

    @Test
    void otherParametersAreReadByAMapping() {
        Program program = Program.compile("p", Mode.EVAL, out);
        assertThat(program.reading("m/last", "ema/last").parameters().keySet())
                .contains(Path.of("ema/last/weight"), Path.of("m/first/weight"))
                .doesNotContain(Path.of("m/last/weight"));
        assertThat(program.reading("m", "a").reading("a/last", "b").stored(Path.of("m/last/bias")))
                .isEqualTo(Path.of("b/bias"));
    }

    @Test
    void aMappingThatReadsNothingIsRefused() {
        Program program = Program.compile("p", Mode.EVAL, out);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> program.reading("m/lats", "ema/last"))
                .withMessage("program p reads no parameter under m/lats; did you mean m/last?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> program.reading("m/unused", "ema"))
                .withMessageContaining("reads no parameter under m/unused");
    }

    @Test
    void theSameSettingsAreTheSameProgram() {
        Program program = Program.compile("p", Mode.EVAL, out);
        assertThat(program)
                .isEqualTo(Program.compile("p", Mode.EVAL, out))
                .hasSameHashCodeAs(Program.compile("p", Mode.EVAL, out))
                .isNotEqualTo(Program.compile("q", Mode.EVAL, out))
                .isNotEqualTo(Program.compile("p", Mode.TRAIN, out))
                .isNotEqualTo(Program.compile("p", Mode.EVAL, hidden))
                .isNotEqualTo(program.reading("m", "n"));
    }

    @Test
    void gradientsReachTheWeightsAlongAllPathsThatNothingCuts() {
        Value loss = mean(multiply(out, stopGradient(graph.value("m/unused"))));
        Program program = Program.compile("p", Mode.TRAIN, loss);
        assertThat(program.reached().stream().map(Path::text))
                .containsExactly(
                        "m/first/bias",
                        "m/first/weight",
                        "m/last/bias",
                        "m/last/weight",
                        "m/norm/scale",
                        "m/norm/shift");
        assertThat(program.reading("m/last", "ema/last").reached()).contains(Path.of("ema/last/weight"));
    }

    @Test
    void runningStatisticsBelongToWhoeverSelectsScaleAndShift() {
        Program program = Program.compile("p", Mode.TRAIN, mean(out));
        Path scale = Path.of("m/norm/scale");
        Path shift = Path.of("m/norm/shift");
        assertThat(paths(program.batchNormsOwnedBy(Set.of(scale, shift)))).containsExactly("m/norm");
        assertThat(program.batchNormsOwnedBy(Set.of(scale))).isEmpty();
        assertThat(program.batchNormsOwnedBy(Set.of(shift))).isEmpty();
    }

    @Test
    void batchNormsComeInTheOrderOfTheirCalls() {
        Network<Value, Value> critic = graph.module("critic", v -> batchNorm("norm", v));
        Value first = critic.apply(x);
        Value second = critic.apply(other);
        Program program = Program.compile("p", Mode.TRAIN, second, first);
        assertThat(program.batchNorms()).containsExactly(first, second);
    }

    @Test
    void furtherTargetsAreAddedOnce() {
        Program program = Program.compile("p", Mode.TRAIN, out);
        assertThat(program.with(List.of(hidden, out, hidden)).targets()).containsExactly(out, hidden);
    }

    @Test
    void targetsMustBeOfOneGraphAndComeOnce() {
        Value stranger = new Graph().input("y", Shape.of(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Program.compile("p", Mode.TRAIN, out, stranger))
                .withMessageContaining("y (batch,1) belongs to another graph");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Program.compile("p", Mode.TRAIN))
                .withMessageContaining("program p needs at least one target");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Program.compile("p", Mode.TRAIN, out, out))
                .withMessageContaining("program p: target m/last (batch,1) is asked for twice");
    }

    @Test
    void metricsAreSingleNumbersBesideTheLoss() {
        Value loss = mean(out);
        Value rate = mean(sigmoid(out));
        Program program = Program.compile(
                "p", Mode.TRAIN, Loss.of(loss).metric("rate", rate).metric("loss", loss));
        assertThat(program.targets()).containsExactly(loss, rate);
        assertThat(program.metrics()).containsEntry("rate", rate).containsEntry("loss", loss);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Program.compile("p", Mode.TRAIN, Loss.of(loss).metric("wide", out)))
                .withMessageContaining("metric wide must be a single number, was m/last (batch,1)");
    }

    private static List<String> paths(List<Value> values) {
        return values.stream().map(value -> value.path().text()).toList();
    }
}
