package hocket.programs.execution;

import static hocket.programs.Fixture.bind;
import static hocket.programs.Fixture.gradient;
import static hocket.programs.Fixture.none;
import static hocket.programs.Fixture.random;
import static hocket.programs.Fixture.store;
import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import hocket.programs.Fixture;
import hocket.programs.Golden;
import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs on a store: feeding, running, reading, several numbers of rows. */
@Tag("engine")
class BoundProgramTest {
    private final Graph graph = new Graph();
    private final Value x = graph.input("x", Shape.of(1, 6, 6));
    private final Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
    private final Value image;
    private final Value loss;

    BoundProgramTest() {
        try (var module = graph.module("m")) {
            Value h = leakyRelu(
                    batchNorm("norm", conv("down", x, 4, kernel(4).stride(2).pad(1))), 0.2);
            image = graph.name(
                    "image", tanh(convTranspose("up", h, 1, kernel(4).stride(2).pad(1))));
            Value scores = dense("scores", reshape(image, 36), 3);
            loss = graph.name("loss", mean(softplus(pick(add(scores, embedding("shift", label, 3, 3)), label))));
        }
    }

    private record Result(double loss, Tensor image, SortedMap<Path, Tensor> gradients) {}

    private static Tensor images(int rows) {
        return random(Shape.of(rows, 1, 6, 6), ElementType.FLOAT32, rows);
    }

    private static Tensor labels(int rows) {
        return Tensor.of(
                Shape.of(rows), LongStream.range(0, rows).map(i -> i % 3).toArray());
    }

    private static Map<String, Tensor> feeds(int rows) {
        return Map.of("x", images(rows), "label", labels(rows));
    }

    private static Result run(BoundProgram bound, Parameters parameters, int rows) {
        Fixture.feed(bound, rows, feeds(rows));
        bound.run(rows, 0, 0);
        return new Result(bound.loss(), bound.target(1), Fixture.gradients(bound, parameters));
    }

    @Test
    void severalNumbersOfRowsInterleavedEqualSeparateOnesToTheBit() {
        Program program = Program.compile("p", Mode.TRAIN, loss, image);
        try (Parameters parameters = store(graph);
                BoundProgram together = bind(program, parameters)) {
            for (int rows : new int[] {5, 16, 2, 5, 33, 16, 2, 33, 5}) {
                try (BoundProgram alone = bind(program, parameters)) {
                    assertThat(run(together, parameters, rows))
                            .as("%s rows", rows)
                            .isEqualTo(run(alone, parameters, rows));
                }
            }
        }
    }

    @Test
    void theSameSeedGivesTheSameBits() {
        Program program = Program.compile("p", Mode.TRAIN, loss, image);
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (Parameters parameters = store(graph);
                    BoundProgram bound = bind(program, parameters)) {
                results.add(run(bound, parameters, 7));
            }
        }
        assertThat(results.get(1)).isEqualTo(results.get(0));
    }

    @Test
    void programsOfOneStoreSeeEachWriteOfAParameter() {
        Program train = Program.compile("train", Mode.TRAIN, loss, image);
        Program draw = Program.compile("draw", Mode.EVAL, image);
        try (Parameters parameters = store(graph);
                BoundProgram trained = bind(train, parameters);
                BoundProgram drawn = bind(draw, parameters, none())) {
            run(trained, parameters, 4);
            for (String path : List.of("m/up/weight", "m/up/bias", "m/down/weight", "m/norm/variance")) {
                drawn.feed("x", images(4));
                drawn.run(4, 0, 0);
                Tensor before = drawn.target(0);
                double[] values = parameters.tensor(path).doubles();
                values[0] += 0.5;
                parameters.set(path, values);
                drawn.run(4, 0, 0);
                assertThat(drawn.target(0)).as(path).isNotEqualTo(before);
            }
            // What evaluation did to the layout of the weights is not seen in training.
            Result after = run(trained, parameters, 4);
            try (BoundProgram fresh = bind(train, parameters)) {
                assertThat(after).isEqualTo(run(fresh, parameters, 4));
            }
        }
    }

    @Test
    void wrongFeedsAreRefusedByName() {
        Program program = Program.compile("p", Mode.TRAIN, loss);
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(program, parameters)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.feed("y", images(2)))
                    .withMessageContaining("program p reads no input y; there is: x, label");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.feed("x", Tensor.of(Shape.of(2, 1, 6, 5), new float[60])))
                    .withMessage("input x needs rows (1,6,6) in a tensor (batch,1,6,6), got (2,1,6,5)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.feed("x", Tensor.of(Shape.of(1, 6, 6), new float[36])))
                    .withMessageContaining("got (1,6,6)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.feed("x", Tensor.of(Shape.of(2, 1, 6, 6), new double[72])))
                    .withMessage("input x is FLOAT32, got FLOAT64");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.feed("label", Tensor.of(Shape.of(2), 1f, 2f)))
                    .withMessage("input label is INT64, got FLOAT32");
            bound.feed("x", images(2));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.run(2, 0, 0))
                    .withMessage("program p: input label was not fed with 2 rows");
            bound.feed("label", labels(3));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.run(3, 0, 0))
                    .withMessage("program p: input x was not fed with 3 rows");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.run(0, 0, 0))
                    .withMessageContaining("needs at least 1 row, got 0");
        }
    }

    /** Columns of one input that look up different tables, as they come from a table of data. */
    @Test
    void eachColumnOfAnInputIsBoundedByItsOwnTable() {
        Graph g = new Graph();
        Value columns = g.input("cat", Shape.of(3), ElementType.INT64);
        Value y;
        try (var module = g.module("m")) {
            Value country = embedding("country", Operators.slice(columns, 0, 0, 1), 200, 4);
            Value sex = embedding("sex", Operators.slice(Operators.transpose(columns, 0), 0, 1, 2), 2, 4);
            y = add(country, sex);
        }
        Program program = Program.compile("p", Mode.EVAL, y);
        assertThat(program.indexBounds(columns)).containsExactly(200, 2, 0);
        assertThat(program.indexBound(columns)).isEqualTo(2);
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(program, parameters, Fixture.none())) {
            bound.feed("cat", Tensor.of(Shape.of(2, 3), 57L, 1L, -9L, 199L, 0L, 1000L));
            bound.run(2, 0, 0);
            bound.feed("cat", Tensor.of(Shape.of(2, 3), 57L, 1L, 0L, 57L, 2L, 0L));
            assertThatThrownBy(() -> bound.run(2, 0, 0))
                    .hasMessage("input cat: number 1 of a row must be 0 to 1, row 1 has 2");
        }
    }

    @Test
    void boundsGoWhereElementsAreMoved() {
        Graph g = new Graph();
        Value pair = g.input("pair", Shape.of(2, 1), ElementType.INT64);
        Value other = g.input("other", Shape.of(1, 2), ElementType.INT64);
        Value moved = Operators.concat(
                0, Operators.transpose(pair, 1, 0), Operators.pad(Operators.slice(other, 1, 1, 2), 1, 1, 0)); // (2, 2)
        Value first = Operators.oneHot(Operators.reshape(Operators.slice(moved, 1, 0, 1), 2), 7);
        Value second = Operators.oneHot(Operators.reshape(Operators.slice(moved, 1, 1, 2), 2), 5);
        Program program = Program.compile("p", Mode.EVAL, first, second);
        assertThat(program.indexBounds(pair)).containsExactly(7, 5);
        assertThat(program.indexBounds(other)).containsExactly(0, 5);
        Value spread = Operators.oneHot(Operators.spread(pair, 2, 3), 4);
        assertThat(Program.compile("q", Mode.EVAL, spread).indexBounds(pair)).containsExactly(4, 4);
    }

    @Test
    void indicesOutsideTheirTableAreRefusedWhenFed() {
        Program program = Program.compile("p", Mode.TRAIN, loss, image);
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(program, parameters)) {
            for (long wrong : new long[] {3, -1, Long.MAX_VALUE}) {
                Fixture.feed(bound, 2, feeds(2));
                bound.feed("label", Tensor.of(Shape.of(2), 0L, wrong));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> bound.run(2, 0, 0))
                        .withMessage("input label: must be 0 to 2, row 1 has " + wrong);
            }
            Result after = run(bound, parameters, 2);
            try (BoundProgram fresh = bind(program, parameters)) {
                assertThat(after).isEqualTo(run(fresh, parameters, 2));
            }
        }
    }

    @Test
    void nothingIsReadBeforeARunOrAfterClosing() {
        Program program = Program.compile("p", Mode.TRAIN, loss, image);
        try (Parameters parameters = store(graph)) {
            BoundProgram bound = bind(program, parameters);
            assertThatIllegalStateException().isThrownBy(bound::loss).withMessage("program p has not run");
            Fixture.feed(bound, 2, feeds(2));
            assertThatIllegalStateException().isThrownBy(() -> bound.target(1)).withMessage("program p has not run");
            assertThat(bound.rows()).isEmpty();
            bound.run(2, 0, 0);
            assertThat(bound.rows()).hasValue(2);
            assertThat(bound.target(1).shape()).isEqualTo(Shape.of(2, 1, 6, 6));
            bound.feed("x", images(3));
            assertThatIllegalStateException().isThrownBy(bound::loss).withMessage("program p has not run");
            bound.feed("x", images(2));
            bound.feed("label", labels(2));
            bound.run(2, 0, 0);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.number(1))
                    .withMessageContaining("m/image (batch,1,6,6) is not a single number");
            bound.close();
            bound.close();
            String closed = "program p is closed";
            assertThatIllegalStateException().isThrownBy(bound::loss).withMessage(closed);
            assertThatIllegalStateException()
                    .isThrownBy(() -> bound.gradient(0))
                    .withMessage(closed);
            assertThatIllegalStateException()
                    .isThrownBy(() -> bound.run(2, 0, 0))
                    .withMessage(closed);
            assertThatIllegalStateException()
                    .isThrownBy(() -> bound.feed("x", images(2)))
                    .withMessage(closed);
            assertThatIllegalStateException().isThrownBy(bound::moveStatistics).withMessage(closed);
        }
    }

    @Test
    void aClosedStoreIsNotUsed() {
        Program program = Program.compile("p", Mode.TRAIN, loss, image);
        Parameters parameters = store(graph);
        try (BoundProgram bound = bind(program, parameters)) {
            run(bound, parameters, 2);
            parameters.close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> bound.run(2, 0, 0))
                    .withMessage("the parameters are closed");
            assertThatIllegalStateException().isThrownBy(() -> bound.gradient(0));
        }
    }

    @Test
    void anotherThreadIsRefused() throws InterruptedException {
        Program program = Program.compile("p", Mode.TRAIN, loss, image);
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(program, parameters)) {
            run(bound, parameters, 2);
            List<String> messages = new ArrayList<>();
            Thread thread = new Thread(
                    () -> {
                        for (Runnable use : List.<Runnable>of(() -> bound.run(2, 0, 0), bound::loss)) {
                            try {
                                use.run();
                            } catch (IllegalStateException e) {
                                messages.add(String.valueOf(e.getMessage()));
                            }
                        }
                    },
                    "stranger");
            thread.start();
            thread.join();
            assertThat(messages).hasSize(2).allMatch(message -> message.contains("stranger"));
        }
    }

    @Test
    void aStoreThatLacksOrDiffersIsRefused() {
        Program program = Program.compile("p", Mode.TRAIN, loss);
        Graph narrow = new Graph();
        try (var module = narrow.module("m")) {
            conv("down", narrow.input("x", Shape.of(2, 6, 6)), 4, kernel(4));
        }
        try (Parameters parameters = store(narrow)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bind(program, parameters))
                    .withMessage("program p reads m/down/weight as FLOAT32(4,1,4,4), the store has FLOAT32(4,2,4,4)");
        }
        try (Parameters parameters = store(new Graph())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bind(program, parameters))
                    .withMessageContaining("there is no parameter m/down/bias");
        }
    }

    @Test
    void aGradientThatReachesNothingIsRefused() {
        Value cut;
        try (var module = graph.module("cut")) {
            cut = mean(stopGradient(dense("layer", image, 2)));
        }
        Program program = Program.compile("p", Mode.TRAIN, add(loss, cut));
        try (Parameters parameters = store(graph)) {
            TreeSet<Path> wanted = new TreeSet<>(List.of(Path.of("cut/layer/weight"), Path.of("m/up/weight")));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bind(program, parameters, wanted))
                    .withMessageContaining("program p: the gradient of add does not reach cut/layer/weight");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bind(program, parameters, new TreeSet<>(List.of(Path.of("m/norm/mean")))))
                    .withMessageContaining("does not reach m/norm/mean");
            Program wide = Program.compile("wide", Mode.TRAIN, image);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bind(wide, parameters))
                    .withMessageContaining("the first target is descended, so it must be a single number");
        }
    }

    @Test
    void stopGradientCutsItsPathAndNoOther() {
        Graph g = new Graph(ElementType.FLOAT64);
        Value cut;
        Value plain;
        Value whole;
        try (var module = g.module("m")) {
            Value w = Fixture.parameter(g, "w", 3);
            cut = sum(multiply(square(w), stopGradient(w)));
            plain = sum(square(w));
            whole = sum(multiply(square(w), w));
        }
        try (Parameters parameters = store(g)) {
            double[] w = {2, -1, 0.5};
            parameters.set("m/w", w);
            assertThat(gradientByW(cut, parameters)).containsExactly(8, 2, 0.5);
            assertThat(gradientByW(plain, parameters)).containsExactly(4, -2, 1);
            assertThat(gradientByW(whole, parameters)).containsExactly(12, 3, 0.75);
        }
    }

    private static double[] gradientByW(Value loss, Parameters parameters) {
        try (BoundProgram bound = bind(Program.compile("p", Mode.TRAIN, loss), parameters)) {
            bound.run(1, 0, 0);
            return gradient(bound, parameters, "m/w").doubles();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aGradientIsTheSameWhicheverOthersAreWanted(ElementType type) {
        Graph g = new Graph(type);
        Value out;
        try (var module = g.module("m")) {
            Value h = conv(
                    "conv",
                    g.input("x", Shape.of(2, 5, 5)),
                    16,
                    kernel(3).stride(2).pad(1));
            h = convTranspose("up", batchNorm("norm", h), 3, kernel(3));
            out = dense("dense", reshape(convTranspose("single", h, 1, kernel(2)), 36), 4);
        }
        Program program = Program.compile("p", Mode.TRAIN, mean(square(tanh(out))), out);
        Map<String, Tensor> feeds = Map.of("m/x", random(Shape.of(3, 2, 5, 5), type, 1));
        try (Parameters parameters = store(g);
                BoundProgram all = bind(program, parameters)) {
            Fixture.feed(all, 3, feeds);
            all.run(3, 0, 0);
            Fixture.gradients(all, parameters).forEach((path, expected) -> {
                try (BoundProgram one = bind(program, parameters, new TreeSet<>(List.of(path)))) {
                    Fixture.feed(one, 3, feeds);
                    one.run(3, 0, 0);
                    assertThat(one.target(1)).isEqualTo(all.target(1));
                    assertThat(one.gradients()).containsExactly(path).isUnmodifiable();
                    double[] alone = gradient(one, parameters, path.text()).doubles();
                    // What is not asked for is not computed, so another kernel may have summed.
                    double tolerance = type == ElementType.FLOAT32 ? 1e-5 : 1e-13;
                    Golden.assertNearByMagnitude(path.text(), alone, expected.doubles(), tolerance);
                }
            });
        }
    }

    @Test
    void otherParametersAreReadWhereAMappingPoints() {
        Program program = Program.compile("p", Mode.EVAL, image);
        try (Parameters parameters = store(graph).copy("m/**", "ema/m/**")) {
            parameters.set("m/up/bias", 0.7);
            try (BoundProgram own = bind(program, parameters, none());
                    BoundProgram average = bind(program.reading("m", "ema/m"), parameters, none())) {
                for (BoundProgram bound : List.of(own, average)) {
                    bound.feed("x", images(3));
                    bound.run(3, 0, 0);
                }
                assertThat(own.target(0)).isNotEqualTo(average.target(0));
                parameters.set("ema/m/up/bias", 0.7);
                average.run(3, 0, 0);
                assertThat(own.target(0)).isEqualTo(average.target(0));
            }
        }
    }

    @Test
    void twoPathsOfTheGraphMayBeReadFromOneParameter() {
        Graph g = new Graph(ElementType.FLOAT64);
        Value squares;
        try (var module = g.module("a")) {
            squares = sum(square(Fixture.parameter(g, "w", 2)));
        }
        Value cubes;
        try (var module = g.module("b")) {
            Value w = Fixture.parameter(g, "w", 2);
            cubes = sum(multiply(square(w), w));
        }
        Program program = Program.compile("p", Mode.TRAIN, add(squares, cubes)).reading("b", "a");
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(program, parameters)) {
            parameters.set("a/w", 2, 3);
            for (int i = 0; i < 2; i++) {
                bound.run(1, 0, 0);
                assertThat(gradient(bound, parameters, "a/w").doubles()).containsExactly(4 + 12, 6 + 27);
            }
        }
    }

    @Test
    void sharedNoiseIsThatOfASingleRowInEachRow() {
        Graph g = new Graph();
        Value shared = g.noise("noise", Shape.of(3), new Distribution.SharedNormal(3), Redraw.EACH_TURN);
        Value own = g.noise("own", Shape.of(3));
        Program program = Program.compile("p", Mode.TRAIN, shared, own);
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(program, parameters, none())) {
            bound.run(4, 5, 1);
            double[] four = bound.target(0).doubles();
            assertThat(bound.target(1).doubles()).doesNotHaveDuplicates();
            bound.run(1, 5, 1);
            double[] one = bound.target(0).doubles();
            assertThat(one).hasSize(3).doesNotHaveDuplicates();
            for (int i = 0; i < four.length; i++) {
                assertThat(four[i]).isEqualTo(one[i % 3]);
            }
        }
        assertThatThrownBy(() -> new Distribution.SharedNormal(0))
                .hasMessage("numbers of a row must be at least 1, were 0");
        assertThatThrownBy(() -> g.noise("n", Shape.of(2), new Distribution.SharedNormal(3), Redraw.EACH_TURN))
                .hasMessage("noise that rows share must have the 2 numbers of a row, has 3");
    }

    @Test
    void noiseIsDrawnByPathAndCounterUnlessItIsFed() {
        Graph g = new Graph();
        Value each = g.noise("turn", Shape.of(4));
        Value round = g.noise("round", Shape.of(4), new Distribution.Uniform(-1, 3), Redraw.EACH_ROUND);
        Value dropped;
        try (var module = g.module("m")) {
            dropped = dropout("drop", each, 0.5);
        }
        Program program = Program.compile("p", Mode.TRAIN, each, round, dropped);
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(program, parameters, none())) {
            bound.run(3, 5, 1);
            Tensor turn5 = bound.target(0);
            Tensor round1 = bound.target(1);
            Tensor masked = bound.target(2);
            bound.run(3, 6, 1);
            assertThat(bound.target(0)).isNotEqualTo(turn5);
            assertThat(bound.target(1)).isEqualTo(round1);
            bound.run(3, 5, 2);
            assertThat(bound.target(0)).isEqualTo(turn5);
            assertThat(bound.target(1)).isNotEqualTo(round1);
            assertThat(bound.target(2)).isEqualTo(masked);
            assertThat(DoubleStream.of(round1.doubles())).allMatch(value -> value >= -1 && value < 3);

            Tensor given = Tensor.of(Shape.of(3, 4), new float[12]);
            bound.feed("turn", given);
            bound.run(3, 5, 1);
            assertThat(bound.target(0)).isEqualTo(given);
            bound.run(3, 5, 1);
            assertThat(bound.target(0)).as("fed for one run only").isEqualTo(turn5);
            bound.feed("turn", given);
            bound.run(2, 5, 1);
            assertThat(bound.target(0).floats()).as("fed with other rows").doesNotContain(0f);
            bound.run(3, 5, 1);
            assertThat(bound.target(0)).isEqualTo(turn5);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void oneTypeAllTheWay(ElementType type) {
        Graph g = new Graph(type);
        Value in = g.input("x", Shape.of(5));
        Value out;
        try (var module = g.module("m")) {
            out = dropout("drop", relu(batchNorm("norm", dense("layer", in, 3))), 0.5);
        }
        Value error = mean(square(add(out, g.noise("z", Shape.of(3)))));
        Program program = Program.compile("p", Mode.TRAIN, error, out);
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(program, parameters)) {
            bound.feed("x", random(Shape.of(4, 5), type, 1));
            bound.run(4, 0, 0);
            bound.moveStatistics();
            assertThat(bound.target(0).type()).isEqualTo(type);
            assertThat(bound.target(1).type()).isEqualTo(type);
            assertThat(bound.loss()).isEqualTo(bound.target(0).scalar());
            assertThat(bound.gradient(0).buffer().limit()).isEqualTo(3 * type.bytes());
        }
    }

    @Test
    void aProgramWithoutABatchRunsWithAnyNumberOfRows() {
        Graph g = new Graph();
        Value w;
        try (var module = g.module("m")) {
            w = Fixture.parameter(g, "w", 2);
        }
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(Program.compile("p", Mode.TRAIN, sum(square(w)), w), parameters)) {
            parameters.set("m/w", 3, 4);
            bound.run(1, 0, 0);
            assertThat(bound.loss()).isEqualTo(25);
            bound.run(9, 0, 0);
            assertThat(bound.target(1)).isEqualTo(parameters.tensor("m/w"));
        }
    }

    @Test
    void whatIsWatchedDoesNotTouchTheGradientOfWhatIsDescended() {
        Graph g = new Graph();
        Program program;
        try (var module = g.module("m")) {
            Value w = Fixture.parameter(g, "w", 2);
            Value watched = Operators.where(Operators.step(w), Operators.log(w), w);
            program = Program.compile("p", Mode.TRAIN, sum(square(w)), watched);
        }
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(program, parameters)) {
            parameters.set("m/w", 1, 0);
            bound.run(1, 0, 0);
            assertThat(Fixture.gradient(bound, parameters, "m/w").doubles()).containsExactly(2, 0);
        }
    }

    /** Each is bound again when it comes again, and gives what it gave. */
    @Test
    void batchesOfManySizesComeAgainAndAgain() {
        Program program = Program.compile("p", Mode.EVAL, image);
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(program, parameters, Fixture.none())) {
            Map<Integer, Tensor> first = new HashMap<>();
            for (int round = 0; round < 2; round++) {
                for (int rows = 1; rows <= 40; rows++) {
                    Fixture.feed(bound, rows, feeds(rows));
                    bound.run(rows, 0, 0);
                    Tensor now = bound.target(0);
                    Tensor before = first.putIfAbsent(rows, now);
                    assertThat(before == null || before.equals(now)).isTrue();
                }
            }
        }
    }

    @Test
    void oneHotIndicesAreCheckedWhenTheyAreFed() {
        Graph g = new Graph();
        Value label = g.input("label", Shape.scalar(), ElementType.INT64);
        Program program = Program.compile("p", Mode.EVAL, Operators.oneHot(label, 3));
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(program, parameters, Fixture.none())) {
            bound.feed("label", Tensor.of(Shape.of(2), 4L, 0L));
            assertThatThrownBy(() -> bound.run(2, 0, 0)).hasMessageContaining("label: must be 0 to 2, row 0 has 4");
        }
    }

    /** In TRAIN programs running statistics are written, not read: not by gradients of gradients either. */
    @Test
    void aPenaltyThroughABatchNormDoesNotReadRunningStatistics() {
        Graph g = new Graph(ElementType.FLOAT64);
        Program program;
        try (var module = g.module("m")) {
            Value x = g.input("x", Shape.of(3));
            Value y = Operators.tanh(Layers.batchNorm("norm", Layers.dense("layer", x, 4)));
            Value slope = Gradients.of(sum(y), x).get(0);
            program = Program.compile("p", Mode.TRAIN, sum(square(slope)));
        }
        try (Parameters parameters = store(g);
                BoundProgram bound = Fixture.bind(new ReferenceLowering(), program, parameters, program.reached())) {
            bound.feed("m/x", Fixture.random(Shape.of(5, 3), ElementType.FLOAT64, 1));
            bound.run(5, 0, 0);
            Tensor before = Fixture.gradient(bound, parameters, "m/layer/weight");
            parameters.set("m/norm/variance", -1, -1, -1, -1);
            bound.run(5, 0, 0);
            assertThat(Fixture.gradient(bound, parameters, "m/layer/weight")).isEqualTo(before);
        }
    }

    @Test
    void aWarmRunAllocatesNextToNothing() {
        Program program = Program.compile("p", Mode.TRAIN, loss, image);
        Map<String, Tensor> feeds = feeds(8);
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(program, parameters)) {
            Fixture.feed(bound, 8, feeds);
            assertThat(allocated(() -> {
                        bound.run(8, 0, 0);
                        bound.loss();
                        bound.gradient(0);
                        bound.moveStatistics();
                    }))
                    .as("bytes a run")
                    .isLessThan(1);
        }
    }

    @Test
    void drawingNoiseAllocatesLittle() {
        Graph g = new Graph();
        Value z = g.noise("z", Shape.of(64));
        Value out;
        try (var module = g.module("m")) {
            out = mean(dropout("drop", dense("layer", z, 8), 0.5));
        }
        try (Parameters parameters = store(g);
                BoundProgram bound = bind(Program.compile("p", Mode.TRAIN, out), parameters)) {
            assertThat(allocated(() -> bound.run(16, 0, 0)))
                    .as("bytes a run with two noises")
                    .isLessThan(500);
        }
    }

    private static long allocated(Runnable run) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 3000; i++) {
            run.run();
        }
        int runs = 1000;
        long least = Long.MAX_VALUE;
        for (int window = 0; window < 5; window++) { // the JVM takes some itself now and then
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < runs; i++) {
                run.run();
            }
            long taken = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            least = Math.min(least, taken / runs);
        }
        return least;
    }
}
