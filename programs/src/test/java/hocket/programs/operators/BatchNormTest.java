package hocket.programs.operators;

import static hocket.programs.Fixture.assertGradientsAreDifferences;
import static hocket.programs.Fixture.batch;
import static hocket.programs.Fixture.bind;
import static hocket.programs.Fixture.none;
import static hocket.programs.Fixture.random;
import static hocket.programs.Fixture.store;
import static hocket.programs.Fixture.weighed;
import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Golden;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.mxnet.MxLowering;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Running statistics move by Hocket's hand and by nothing else. */
@Tag("engine")
class BatchNormTest {
    private final Graph graph = new Graph(ElementType.FLOAT64);
    private final Value real = graph.input("real", Shape.of(2));
    private final Value fake = graph.input("fake", Shape.of(2));

    @Test
    void statisticsMoveOnceACallInTheOrderOfTheCalls() {
        Network<Value, Value> critic =
                graph.module("critic", x -> batchNorm("norm", x, normalisation().momentum(0.25)));
        Value loss = mean(square(add(critic.apply(real), critic.apply(fake))));
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(Program.compile("p", Mode.TRAIN, loss), parameters)) {
            bound.feed("real", Tensor.of(Shape.of(3, 2), 1.0, 10, 2, 20, 3, 30));
            bound.feed("fake", Tensor.of(Shape.of(3, 2), 5.0, 0, 5, 0, 8, 3));
            bound.run(3, 0, 0);
            assertThat(parameters.tensor("critic/norm/mean").doubles()).containsExactly(0, 0);
            bound.moveStatistics();
            // real: means 2 and 20, unbiased variances 1 and 100; fake: 6 and 1, 3 and 3. From 0 and 1 by a quarter.
            near(parameters, "critic/norm/mean", 0.75 * 0.5 + 0.25 * 6, 0.75 * 5 + 0.25);
            near(parameters, "critic/norm/variance", 0.75 * 1 + 0.25 * 3, 0.75 * (0.75 + 25) + 0.25 * 3);
            assertThat(bound.statistics())
                    .containsExactly(Path.of("critic/norm/mean"), Path.of("critic/norm/variance"));
            assertThat(parameters.version("critic/norm/mean")).isEqualTo(2);
        }
    }

    private static void near(Parameters parameters, String path, double... expected) {
        Golden.assertNear(path, parameters.tensor(path).doubles(), expected, 1e-9);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void nothingElseMovesThem(Mode mode) {
        Value out;
        try (var module = graph.module("m")) {
            out = batchNorm("norm", dense("layer", real, 4));
        }
        Program program = Program.compile("p", mode, mean(square(out)), out);
        try (Parameters parameters = store(graph);
                BoundProgram trained = bind(program, parameters);
                BoundProgram read = bind(program, parameters, none())) {
            parameters.set("m/norm/variance", 2, 3, 4, 5);
            List<Tensor> before = statistics(parameters);
            for (BoundProgram bound : List.of(trained, read, trained)) {
                bound.feed("real", random(Shape.of(5, 2), ElementType.FLOAT64, 1));
                bound.run(5, 0, 0);
            }
            assertThat(statistics(parameters)).isEqualTo(before);
            read.moveStatistics();
            assertThat(statistics(parameters)).as("no gradient, no owner").isEqualTo(before);
            trained.moveStatistics();
            assertThat(statistics(parameters).equals(before)).isEqualTo(mode == Mode.EVAL);
        }
    }

    private static List<Tensor> statistics(Parameters parameters) {
        return List.of(parameters.tensor("m/norm/mean"), parameters.tensor("m/norm/variance"));
    }

    @Test
    void onlyWhoSelectsScaleAndShiftMovesThem() {
        Value out;
        try (var module = graph.module("m")) {
            out = batchNorm("norm", dense("layer", real, 4));
        }
        Program program = Program.compile("p", Mode.TRAIN, mean(square(out)));
        try (Parameters parameters = store(graph)) {
            List<Tensor> before = statistics(parameters);
            for (String path : List.of("m/layer/weight", "m/norm/scale", "m/norm/shift")) {
                try (BoundProgram bound = bind(program, parameters, new TreeSet<>(List.of(Path.of(path))))) {
                    bound.feed("real", random(Shape.of(5, 2), ElementType.FLOAT64, 1));
                    bound.run(5, 0, 0);
                    bound.moveStatistics();
                    assertThat(bound.statistics()).isEmpty();
                    assertThat(statistics(parameters)).isEqualTo(before);
                }
            }
        }
    }

    @Test
    void statisticsBehindAStoppedGradientMoveToo() {
        Value loss;
        try (var module = graph.module("m")) {
            Value out = batchNorm("norm", real, normalisation().momentum(1));
            loss = add(mean(square(out)), mean(stopGradient(out)));
        }
        Program program = Program.compile("p", Mode.TRAIN, loss);
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(program, parameters)) {
            bound.feed("real", Tensor.of(Shape.of(2, 2), 1.0, 2, 3, 6));
            bound.run(2, 0, 0);
            bound.moveStatistics();
            near(parameters, "m/norm/mean", 2, 4);
            near(parameters, "m/norm/variance", 2, 8);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aConstantBatchHasNoVariance(ElementType type) {
        Graph g = new Graph(type);
        Value out;
        try (var module = g.module("m")) {
            out = batchNorm("norm", g.input("x", Shape.of(2)), normalisation().momentum(1));
        }
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(Program.compile("p", Mode.TRAIN, mean(out), out), parameters)) {
            bound.feed("m/x", Golden.tensor(Shape.of(3, 2), type, 7, -0.1, 7, -0.1, 7, -0.1));
            bound.run(3, 0, 0);
            bound.moveStatistics();
            assertThat(parameters.tensor("m/norm/mean").doubles())
                    .containsExactly(new double[] {7, -0.1}, within(1e-7));
            assertThat(DoubleStream.of(parameters.tensor("m/norm/variance").doubles()))
                    .allMatch(variance -> variance >= 0 && variance < 1e-10);
            assertThat(bound.target(1).doubles()).containsOnly(new double[] {0}, within(1e-4));
        }
    }

    @Test
    void oneValueAChannelHasNoVariance() {
        Value flat;
        Value deep;
        try (var module = graph.module("m")) {
            flat = mean(batchNorm("flat", real));
            deep = mean(batchNorm("deep", graph.input("image", Shape.of(2, 2, 2))));
        }
        try (Parameters parameters = store(graph);
                BoundProgram one = bind(Program.compile("p", Mode.TRAIN, flat), parameters);
                BoundProgram four = bind(Program.compile("p", Mode.TRAIN, deep), parameters);
                BoundProgram eval = bind(Program.compile("p", Mode.EVAL, flat), parameters)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> one.feed("real", Tensor.of(Shape.of(1, 2), 1.0, 2)))
                    .withMessage(
                            "m/flat: a batch norm in TRAIN mode needs more than one value a channel, got a batch of 1");
            four.feed("m/image", random(Shape.of(1, 2, 2, 2), ElementType.FLOAT64, 1));
            four.run(1, 0, 0);
            eval.feed("real", Tensor.of(Shape.of(1, 2), 1.0, 2));
            eval.run(1, 0, 0);
        }
    }

    /** After a forward pass of evaluation the engine's own backward pass would be wrong here. */
    @Test
    void gradientsOnRunningStatisticsAreDifferences() {
        try (var module = graph.module("m")) {
            Value x = batch(graph, "x", 3, 2, 2);
            Value loss = weighed(tanh(batchNorm("b", batchNorm("a", x))));
            assertGradientsAreDifferences(new MxLowering(), Program.compile("p", Mode.EVAL, loss), 3, Map.of(), 1e-7);
        }
    }

    @Test
    void frozenStatisticsNormaliseAndStay() {
        Value trained;
        try (var module = graph.module("m")) {
            trained = batchNorm("norm", real, normalisation().frozenStatistics());
        }
        Program program = Program.compile("p", Mode.TRAIN, mean(trained), trained);
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(program, parameters)) {
            parameters.set("m/norm/mean", 1, 2);
            parameters.set("m/norm/variance", 4, 9);
            List<Tensor> before = statistics(parameters);
            bound.feed("real", Tensor.of(Shape.of(1, 2), 5.0, 2));
            bound.run(1, 0, 0);
            bound.moveStatistics();
            assertThat(bound.target(1).doubles()).containsExactly(new double[] {2, 0}, within(1e-5));
            assertThat(statistics(parameters)).isEqualTo(before);
        }
    }
}
