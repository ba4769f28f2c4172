package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.groupNorm;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.residual;
import static hocket.programs.Layers.separableConv;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.scopes.Shape;
import org.junit.jupiter.api.Test;

class ModuleSummaryTest {
    private final Graph graph = new Graph();

    @Test
    void aTableListsModulesScopesAndLayersWithTheirParameters() {
        Value z = graph.noise("noise", Shape.of(4));
        Value fake;
        try (var generator = graph.module("generator")) {
            Value h = relu(batchNorm("bn", dense("project", z, 8)));
            try (var up = graph.scope("up")) {
                fake = graph.name(
                        "image",
                        tanh(convTranspose(
                                "conv", reshape(h, 2, 2, 2), 1, kernel(2).stride(2))));
            }
        }
        assertThat(ModuleSummary.of(Program.compile("draw", Mode.EVAL, fake))).hasToString("""
                draw
                layer      kind            output of a row  weights  statistics
                generator                                        65          16
                  project  dense           (8)                   40           -
                  bn       batch_norm      (8)                   16          16
                  up                                              9           -
                    conv   conv_transpose  (1,4,4)                9           -
                    image  tanh            (1,4,4)                -           -
                all                                              65          16""");
    }

    @Test
    void aNetworkThatIsCalledAgainCountsOnce() {
        Network<Value, Value> critic = graph.module("critic", x -> dense("logit", flatten(x), 1));
        Value a = critic.apply(graph.input("a", Shape.of(3)));
        Value b = critic.apply(graph.input("b", Shape.of(3)));
        ModuleSummary summary = ModuleSummary.of(Program.compile("both", Mode.TRAIN, mean(add(a, b))));
        assertThat(summary).hasToString("""
                both
                layer     kind   output of a row  weights  statistics
                critic#1                                4           -
                  logit   dense  (1)                    4           -
                critic#2                                -           -
                  logit   dense  (1)                  (4)           -
                all                                     4           -""");
    }

    @Test
    void composedLayersAreCalledByTheirNames() {
        try (var module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(2, 4, 4));
            Value y = residual(
                    "block",
                    x,
                    h -> separableConv(
                            "sep", groupNorm("norm", h, 2), 2, kernel(3).pad(1)));
            Program program = Program.compile("p", Mode.TRAIN, mean(conv("out", y, 1, kernel(1))));
            assertThat(ModuleSummary.of(program).rows())
                    .extracting(row -> row.depth() + " " + row.path() + " " + row.kind() + " " + row.weights())
                    .containsExactly(
                            "0 m  33",
                            "1 m/block residual 0",
                            "2 m/block/norm group_norm 4",
                            "2 m/block/sep separable_conv 6",
                            "3 m/block/sep/depthwise depthwise_conv 20",
                            "1 m/out conv 3");
        }
    }
}
