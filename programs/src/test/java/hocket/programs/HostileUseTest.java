package hocket.programs;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.json.ProgramJson;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Window;
import hocket.programs.mxnet.MxLowering;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nobody should do, done: right results or exceptions that say what was wrong, and the process goes on. */
class HostileUseTest {
    static Stream<Lowering> lowerings() {
        return Stream.concat(Fixture.lowerings(), Stream.of(new JvmLowering()));
    }

    private static Program small() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(4));
            return Program.compile("small", Mode.TRAIN, mean(square(dense("out", tanh(dense("hidden", x, 8)), 2))));
        }
    }

    private static void feed(BoundProgram bound, int rows) {
        bound.feed("m/x", Fixture.random(Shape.of(rows, 4), ElementType.FLOAT32, 3));
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void whatIsClosedSaysSoAndItsBuffersStayReadable(Lowering lowering) {
        Program program = small();
        List<ByteBuffer> kept = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Parameters parameters = Fixture.store(program.graph());
            BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached());
            feed(bound, 64);
            bound.run(64, 0, 0);
            kept.add(bound.feed(0, 64));
            kept.add(bound.gradient(0).buffer().asReadOnlyBuffer());
            kept.add(parameters.cell(Path.of("m/hidden/weight")).buffer().slice());
            bound.close();
            bound.close();
            List<ThrowingCallable> uses = List.of(
                    () -> bound.run(64, 0, 0),
                    () -> bound.feed(0, 64),
                    () -> bound.target(0),
                    bound::loss,
                    () -> bound.gradient(0),
                    bound::moveStatistics);
            uses.forEach(use -> assertThatThrownBy(use).isInstanceOf(IllegalStateException.class));
            parameters.close();
            parameters.close();
            List<ThrowingCallable> touches = List.of(
                    () -> parameters.tensor("m/hidden/weight"),
                    () -> parameters.set("m/hidden/bias", new double[8]),
                    parameters::snapshot,
                    parameters::digest,
                    () -> parameters.cell(Path.of("m/hidden/weight")).buffer(),
                    () -> Fixture.bind(lowering, program, parameters, program.reached())
                            .run(64, 0, 0));
            touches.forEach(touch -> assertThatThrownBy(touch).isInstanceOf(IllegalStateException.class));
            System.gc();
        }
        long sum = 0;
        for (ByteBuffer buffer : kept) {
            for (int i = 0; i < buffer.limit(); i++) {
                sum += buffer.get(i);
            }
            if (!buffer.isReadOnly()) {
                buffer.put(0, (byte) sum);
            }
        }
        assertThat(kept).hasSize(60);
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void otherThreadsAreRefusedAndCannotTakeOverWhatRuns(Lowering lowering) throws InterruptedException {
        Program program = small();
        try (Parameters parameters = Fixture.store(program.graph());
                BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
            feed(bound, 8);
            List<ThrowingCallable> uses = List.of(
                    () -> bound.run(8, 0, 0),
                    () -> bound.feed(0, 8),
                    bound::close,
                    parameters::close,
                    parameters::snapshot);
            for (ThrowingCallable use : uses) {
                assertThatThrownBy(() -> elsewhere(use))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("belong to thread");
            }
            parameters.enter();
            assertThatThrownBy(() -> elsewhere(parameters::adopt))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is running on the parameters");
            parameters.leave();
            bound.run(8, 0, 0);
            assertThat(bound.loss()).isFinite();
        }
    }

    private static void elsewhere(ThrowingCallable use) throws Throwable {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                use.call();
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        thread.start();
        thread.join();
        Throwable failure = thrown.get();
        if (failure != null) {
            throw failure;
        }
    }

    /** Each its own store: a lowering's workers and its engine are shared, nothing else is. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void twoThreadsWithAStoreEachComputeWhatOneDoes(Lowering lowering) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        List<Double> losses = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(2);
        for (int t = 0; t < 2; t++) {
            Thread thread = new Thread(() -> {
                Program program = small();
                try (Parameters parameters = Fixture.store(program.graph());
                        BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
                    start.countDown();
                    start.await();
                    for (int i = 0; i < 200; i++) {
                        feed(bound, 64);
                        bound.run(64, i, i);
                    }
                    synchronized (losses) {
                        losses.add(bound.loss());
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(losses).hasSize(2);
        assertThat(losses.get(0)).isEqualTo(losses.get(1));
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void wrongFeedsAndEmptyBatchesAreRefusedAndNothingIsLost(Lowering lowering) {
        Program program = small();
        try (Parameters parameters = Fixture.store(program.graph());
                BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
            feed(bound, 8);
            bound.run(8, 0, 0);
            double loss = bound.loss();
            List<ThrowingCallable> wrongs = List.of(
                    () -> bound.feed("m/x", Tensor.of(Shape.of(8, 5), new float[40])),
                    () -> bound.feed("m/x", Tensor.of(Shape.of(8, 4), new double[32])),
                    () -> bound.feed("m/x", Tensor.of(Shape.of(4), new float[4])),
                    () -> bound.feed("m/y", Tensor.of(Shape.of(8, 4), new float[32])),
                    () -> bound.feed(0, 0),
                    () -> bound.feed(0, -3),
                    () -> bound.run(0, 0, 0),
                    () -> bound.run(9, 0, 0));
            wrongs.forEach(wrong -> assertThatThrownBy(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .isNotBlank());
            feed(bound, 8);
            bound.run(8, 0, 0);
            assertThat(bound.loss()).isEqualTo(loss);
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void whatIsNotFiniteGoesThroughAndIndicesOutsideAreRefused(Lowering lowering) {
        Graph graph = new Graph();
        Program program;
        try (var module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(3));
            Value index = graph.input("index", Shape.scalar(), ElementType.INT64);
            Value h = add(dense("layer", x, 3), embedding("table", index, 5, 3));
            program = Program.compile("p", Mode.TRAIN, mean(square(Operators.logSoftmax(h))), Operators.argMax(h));
        }
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
            float[][] odd = {
                {Float.NaN, 0, 0},
                {Float.POSITIVE_INFINITY, 1, 1},
                {Float.NEGATIVE_INFINITY, Float.MAX_VALUE, -0.0f},
                {Float.MIN_VALUE, -Float.MIN_VALUE, 0},
                {Float.MAX_VALUE, Float.MAX_VALUE, -Float.MAX_VALUE}
            };
            for (float[] row : odd) {
                bound.feed("m/x", Tensor.of(Shape.of(1, 3), row));
                bound.feed("m/index", Tensor.of(Shape.of(1), 4L));
                bound.run(1, 0, 0);
                boolean tiny = Math.abs(row[0]) < 1;
                assertThat(Double.isFinite(bound.loss()))
                        .as(Arrays.toString(row))
                        .isEqualTo(tiny);
                assertThat(bound.target(1).get(0)).isBetween(0.0, 2.0);
            }
            for (long index : new long[] {-1, 5, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32}) {
                bound.feed("m/index", Tensor.of(Shape.of(1), index));
                assertThatThrownBy(() -> bound.run(1, 0, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("m/index: must be 0 to 4");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void aGraphOfTwentyFiveHundredOperatorsInARowRuns(Lowering lowering) {
        Graph graph = new Graph();
        Program program;
        try (var module = graph.module("m")) {
            Value h = dense("layer", graph.input("x", Shape.of(2)), 2);
            for (int i = 0; i < 1250; i++) {
                h = Operators.scale(tanh(h), 1.5);
            }
            program = Program.compile("deep", Mode.TRAIN, mean(square(h)));
        }
        assertThat(program.toString()).contains("tanh_1250");
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
            bound.feed("m/x", Tensor.of(Shape.of(1, 2), 0.3f, -0.2f));
            bound.run(1, 0, 0);
            // The fixed point of 1.5·tanh(x).
            assertThat(bound.loss()).isBetween(1.65, 1.66);
        }
    }

    @Test
    void gradientsOfADeepGraphAreAGraphAndRun() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Program program;
        try (var module = graph.module("m")) {
            Value x = Fixture.parameter(graph, "x", 2);
            Value h = x;
            for (int i = 0; i < 2500; i++) {
                h = Operators.sin(h);
            }
            Value slope = Gradients.of(Operators.sum(h), x).get(0);
            program = Program.compile("deep", Mode.TRAIN, Operators.sum(square(slope)));
        }
        for (Lowering lowering : Fixture.lowerings().toList()) {
            try (Parameters parameters = Fixture.store(graph);
                    BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
                bound.run(1, 0, 0);
                assertThat(bound.loss()).isBetween(0.0, 1e-3);
            }
        }
    }

    /** The engine lays weights out anew as it evaluates; everyone else must not see it. */
    @Test
    @Tag("engine")
    void engineKernelsOptimizerAndSnapshotsTakeTurnsOnTheSameWeights() {
        Graph graph = new Graph();
        Program evaluation;
        Program training;
        Program decay;
        try (var module = graph.module("m")) {
            Value image = graph.input("image", Shape.of(3, 8, 8));
            Value h = tanh(conv("conv1", image, 16, kernel(3).pad(1)));
            Value y = conv("conv2", h, 16, kernel(4).stride(2).pad(1));
            evaluation = Program.compile("evaluation", Mode.EVAL, y);
            training = Program.compile("training", Mode.TRAIN, mean(square(y)));
            Value weight = graph.value("m/conv2/weight");
            decay = Program.compile("decay", Mode.TRAIN, mean(square(reshape(flatten(weight), 64, 64))));
        }
        Tensor images = Fixture.random(Shape.of(4, 3, 8, 8), ElementType.FLOAT32, 1);
        List<Tensor> engine = new ArrayList<>();
        List<Tensor> reference = new ArrayList<>();
        for (boolean fast : new boolean[] {true, false}) {
            Lowering other = fast ? new MxLowering() : new ReferenceLowering();
            Lowering dense = fast ? new JvmLowering() : new ReferenceLowering();
            List<Tensor> seen = fast ? engine : reference;
            try (Parameters parameters = Fixture.store(graph);
                    BoundProgram answers = Fixture.bind(other, evaluation, parameters, Fixture.none());
                    BoundProgram steps = Fixture.bind(other, training, parameters, training.reached());
                    BoundProgram decays = Fixture.bind(dense, decay, parameters, decay.reached())) {
                for (int i = 0; i < 5; i++) {
                    answers.feed("m/image", images);
                    answers.run(4, i, i);
                    seen.add(answers.target(0));
                    decays.run(1, i, i);
                    descend(decays, parameters);
                    seen.add(parameters.snapshot().tensor("m/conv2/weight"));
                    steps.feed("m/image", images);
                    steps.run(4, i, i);
                    descend(steps, parameters);
                    seen.add(parameters.tensor("m/conv1/weight"));
                    answers.feed("m/image", images);
                    answers.run(4, i, i);
                    seen.add(parameters.tensor("m/conv2/weight"));
                    seen.add(answers.target(0));
                }
            }
        }
        for (int i = 0; i < engine.size(); i++) {
            Golden.assertNearByMagnitude(
                    "tensor " + i, engine.get(i).doubles(), reference.get(i).doubles(), 1e-4);
        }
    }

    private static void descend(BoundProgram bound, Parameters parameters) {
        Map<Path, Tensor> gradients = Fixture.gradients(bound, parameters);
        gradients.forEach((path, gradient) -> {
            Parameters.Cell cell = parameters.cell(path);
            ByteBuffer buffer = cell.buffer();
            for (int i = 0; i < gradient.shape().size(); i++) {
                float moved = buffer.getFloat(i * Float.BYTES) - 0.1f * (float) gradient.get(i);
                buffer.putFloat(i * Float.BYTES, moved);
            }
            cell.written();
        });
    }

    @Test
    void extentsThatOverflowAreRefused() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(1, 8, 8));
            assertThatThrownBy(() -> conv("a", x, 1, kernel(3).pad(Integer.MAX_VALUE)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("an axis of 4294967300 pixels is too long");
            assertThatThrownBy(() -> conv("b", x, 1, kernel(Integer.MAX_VALUE).dilation(2, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("spans 4294967293 pixels");
            assertThatThrownBy(() -> convTranspose("c", x, 1, kernel(2).stride(Integer.MAX_VALUE)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("too long");
            assertThatThrownBy(() -> Operators.maxPool(x, kernel(3).pad(Integer.MAX_VALUE)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(graph.declarations()).as("of layers that were refused").isEmpty();
    }

    @Test
    void whatOperatorsMakeOfTheExtentsOfTheirInputsDoesNotWrap() {
        Graph graph = new Graph();
        Value one = graph.input("one", Shape.of(1));
        Value pixel = graph.input("pixel", Shape.of(1, 1, 1));
        Value wide = graph.input("wide", Shape.of(1 << 28));
        Value large = graph.input("large", Shape.of(1, 1 << 14, 1 << 14));
        assertRefused(
                () -> Operators.pad(one, 0, Integer.MAX_VALUE, Integer.MAX_VALUE),
                "axis 0 would have 4294967295 elements, at most 2147483647 are possible");
        assertRefused(
                () -> Operators.concat(0, Collections.nCopies(9, wide).toArray(Value[]::new)),
                "axis 0 would have 2415919104 elements, at most 2147483647 are possible");
        assertRefused(() -> Operators.pixelShuffle(pixel, 1 << 16), "needs channels that are a multiple of 4294967296");
        assertRefused(
                () -> Operators.averagePool(large, kernel(1 << 16).pad(1 << 14), true),
                "numbers of a kernel must be at most 10000, got kernel 65536x65536 pad 16384");
        assertRefused(
                () -> Operators.upsampleBilinear(pixel, 46340),
                "(1,46340,1,46340) of FLOAT32 has 8589582400 bytes; an array may have at most 2147483647");
    }

    @Test
    void paddingThatOverflowsInAProgramThatIsReadIsRefused() {
        Graph graph = new Graph();
        Program program = Program.compile("p", Mode.EVAL, Operators.pad(graph.input("x", Shape.of(1)), 0, 2, 2));
        String text = ProgramJson.write(program);
        String wrong = text.replaceAll("\"(before|after)\"\\s*:\\s*2", "\"$1\": 2147483647");
        assertThat(wrong).contains("\"before\": 2147483647", "\"after\": 2147483647");
        assertRefused(() -> ProgramJson.read(wrong), "axis 0 would have 4294967295 elements");
    }

    private static void assertRefused(ThrowingCallable use, String message) {
        assertThatThrownBy(use).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    @Test
    void whatIsRefusedDeclaresNothingAndOnlyTransposedConvolutionsHaveAnOutputPadding() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(2, 4, 4));
            Value line = graph.input("line", Shape.of(2, 4));
            Window padded = kernel(2).outputPad(1, 1);
            List<ThrowingCallable> layers = List.of(
                    () -> conv("a", x, 3, kernel(7)),
                    () -> Layers.conv1d("b", line, 3, kernel(7)),
                    () -> convTranspose("c", x, 3, kernel(2).pad(3)),
                    () -> Layers.convTranspose1d("d", line, 3, kernel(2).pad(3)));
            for (ThrowingCallable layer : layers) {
                assertThatThrownBy(layer)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("m/")
                        .hasMessageContaining("HostileUseTest.java");
            }
            Value once = graph.constant(Tensor.filled(Shape.of(3), ElementType.FLOAT32, 1));
            assertThatThrownBy(() -> Operators.dropout("drop", once, 0.5))
                    .hasMessageContaining("m/drop: dropout needs rows of a batch");
            Operators.dropout("drop", x, 0.5); // its name is free
            assertThatThrownBy(() -> Layers.embedding("look", x, 3, 2)).hasMessageContaining("needs INT64 indices");
            assertThat(graph.declarations()).isEmpty();
            List<ThrowingCallable> unpadded = List.of(
                    () -> conv("a", x, 3, padded),
                    () -> Layers.conv1d("b", line, 3, padded),
                    () -> Operators.maxPool(x, padded),
                    () -> Operators.averagePool(x, padded, true));
            for (ThrowingCallable layer : unpadded) {
                assertThatThrownBy(layer)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("only a transposed convolution has an output padding");
            }
        }
        assertThat(graph.declarations()).isEmpty();
    }

    @Test
    void twoParametersOfOneStoredPathMustBeAlike() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(4));
        Value a;
        Value b;
        try (var module = graph.module("a")) {
            a = dense("out", x, 2);
        }
        try (var module = graph.module("b")) {
            b = dense("out", x, 3);
        }
        Program program = Program.compile("both", Mode.EVAL, a, b);
        assertThatThrownBy(() -> program.reading("b", "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reads a/out/weight as two parameters that differ");
    }

    @Test
    void feedsOfDifferentRowsAreRefusedTogether() {
        Graph graph = new Graph();
        Value sum = add(graph.input("x", Shape.of(1)), graph.input("y", Shape.of(1)));
        Program program = Program.compile("sum", Mode.EVAL, sum);
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(new ReferenceLowering(), program, parameters, Fixture.none())) {
            assertThatThrownBy(() -> bound.feed(
                            Map.of("x", Tensor.of(Shape.of(2, 1), 1f, 2f), "y", Tensor.of(Shape.of(1, 1), 1f))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("input [xy] has [12] rows, [xy] has [12]");
        }
    }

    @Test
    void whatAProgramComputesKeepsItsPath() {
        Graph graph = new Graph();
        Value y = tanh(graph.input("x", Shape.of(1)));
        Program program = Program.compile("p", Mode.EVAL, y);
        String before = program.toString();
        graph.name("other", y);
        assertThat(program).hasToString(before);
        assertThat(graph.value("other")).isSameAs(y);
    }

    @Test
    void wholeNumbersThatDoublesDoNotHoldAreRefusedByTheReference() {
        Graph graph = new Graph();
        Value a = graph.input("a", Shape.scalar(), ElementType.INT64);
        Value b = graph.input("b", Shape.scalar(), ElementType.INT64);
        Program program = Program.compile("equal", Mode.EVAL, Operators.equal(a, b));
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(new ReferenceLowering(), program, parameters, Fixture.none())) {
            bound.feed("a", Tensor.of(Shape.of(1), (1L << 53) + 1));
            bound.feed("b", Tensor.of(Shape.of(1), 1L << 53));
            assertThatThrownBy(() -> bound.run(1, 0, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("up to 2^53, got 9007199254740993");
        }
    }

    @Test
    void aLoweringThatWasAskedForAndRefusesIsNamed() {
        Graph graph = new Graph(ElementType.FLOAT64);
        try (var module = graph.module("m")) {
            Value x = conv("c", graph.input("x", Shape.of(1, 4, 4)), 2, kernel(2));
            Program program = Program.compile("images", Mode.TRAIN, mean(square(x)));
            System.setProperty(Lowering.PROPERTY, "jvm");
            assertThatThrownBy(() -> Lowering.of(program))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("hocket.lowering is jvm, and program images cannot run there");
        } finally {
            System.clearProperty(Lowering.PROPERTY);
        }
    }
}
