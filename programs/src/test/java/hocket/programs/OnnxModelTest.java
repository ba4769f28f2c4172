package hocket.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Inference;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Positions;
import hocket.programs.layers.Recurrence;
import hocket.programs.layers.TransformerBlock;
import hocket.programs.onnx.OnnxModel;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.OperatorGradientsTest;
import hocket.programs.protobuf.Protobuf;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs as ONNX models, which ONNX Runtime computes. With {@code -Dhocket.onnx=DIR} the models are also written to DIR,
 * for {@code onnx_check.py}.
 */
class OnnxModelTest {
    private static final double TOLERANCE = 1e-5;

    /** Every operator, with and without a batch: each value of a program is an output of its model. */
    @TestFactory
    @Tag("engine")
    Stream<DynamicTest> onnxRuntimeComputesTheValuesOfTheReference() {
        return exportable().entrySet().stream()
                .map(named -> DynamicTest.dynamicTest(named.getKey(), () -> {
                    Program program = named.getValue();
                    if (!program.inputs().isEmpty() || !program.parameters().isEmpty()) {
                        compare(named.getKey(), program);
                    }
                }));
    }

    private static Map<String, Program> exportable() {
        Map<String, Program> exportable = inferences();
        refusals().keySet().forEach(exportable::remove);
        return exportable;
    }

    private static Map<String, Program> inferences() {
        Map<String, Program> inferences = new TreeMap<>();
        OperatorGradientsTest.programs(ElementType.FLOAT32)
                .forEach((name, program) -> inferences.put(name, Inference.of(program)));
        return inferences;
    }

    private static Map<String, String> refusals() {
        Map<String, String> refusals = new TreeMap<>();
        inferences().forEach((name, program) -> {
            try (Parameters parameters = ModelFilesTest.store(program)) {
                OnnxModel.of(program, parameters.snapshot(), "1");
            } catch (IllegalArgumentException e) {
                refusals.put(name, String.valueOf(e.getMessage()));
            }
        });
        return refusals;
    }

    /** Compares all values; returns the largest difference of the first target, relative to its largest number. */
    private static double compare(String name, Program program) throws Exception {
        List<Value> computed = program.values().stream()
                .filter(value -> !(value.operator() instanceof Leaf))
                .toList();
        Program all = program.with(computed);
        double error = 0;
        try (Parameters parameters = ModelFilesTest.store(all)) {
            byte[] model = model(all, parameters.snapshot());
            write(name, model);
            for (int rows : new int[] {3, 7}) {
                Map<String, Tensor> feeds = Outcome.feeds(all, rows, 3);
                Outcome outputs = onnxRuntime(all, model, feeds);
                Outcome expected = reference(all, parameters, rows, feeds);
                outputs.assertNear(expected, TOLERANCE);
                error = Math.max(error, error(first(outputs), first(expected)));
            }
            return error;
        }
    }

    private static double[] first(Outcome outcome) {
        return outcome.numbers().values().iterator().next();
    }

    private static double error(double[] numbers, double[] expected) {
        double largest = 0;
        double difference = 0;
        for (int i = 0; i < expected.length; i++) {
            largest = Math.max(largest, Math.abs(expected[i]));
            difference = Math.max(difference, Math.abs(numbers[i] - expected[i]));
        }
        return difference / largest;
    }

    private static byte[] model(Program program, Snapshot values) {
        List<ByteBuffer> parts = Objects.requireNonNull(
                OnnxModel.of(program, values, "1").files().get(".onnx"));
        ByteBuffer all = ByteBuffer.allocate((int) Protobuf.size(parts));
        parts.forEach(all::put);
        return all.array();
    }

    private static void write(String name, byte[] model) throws IOException {
        String folder = System.getProperty("hocket.onnx", "");
        if (!folder.isEmpty()) {
            Path file = Path.of(folder).resolve(name.replaceAll("[^A-Za-z0-9]+", "_") + ".onnx");
            Files.createDirectories(file.getParent());
            Files.write(file, model);
        }
    }

    private static Outcome reference(Program program, Parameters parameters, int rows, Map<String, Tensor> feeds) {
        try (BoundProgram bound =
                new BoundProgram(program, parameters, new ReferenceLowering(), 1, new TreeSet<>(), "")) {
            bound.feed(feeds);
            bound.run(rows, 0, 0);
            Map<String, double[]> targets = new LinkedHashMap<>();
            for (int i = 0; i < program.targets().size(); i++) {
                targets.put(program.targets().get(i).toString(), bound.target(i).doubles());
            }
            return new Outcome(targets);
        }
    }

    private static Outcome onnxRuntime(Program program, byte[] model, Map<String, Tensor> feeds) throws OrtException {
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            try (OrtSession session = environment.createSession(model, options)) {
                Map<String, OnnxTensor> inputs = new TreeMap<>();
                for (Map.Entry<String, Tensor> feed : feeds.entrySet()) {
                    inputs.put(feed.getKey(), tensor(environment, feed.getValue()));
                }
                Map<String, double[]> outputs = new LinkedHashMap<>();
                try (OrtSession.Result result = session.run(inputs)) {
                    List<NodeInfo> infos = List.copyOf(session.getOutputInfo().values());
                    for (int i = 0; i < result.size(); i++) {
                        requireShape(program.targets().get(i), (TensorInfo)
                                infos.get(i).getInfo());
                        outputs.put(program.targets().get(i).toString(), numbers((OnnxTensor) result.get(i)));
                    }
                }
                inputs.values().forEach(OnnxTensor::close);
                return new Outcome(outputs);
            }
        }
    }

    /** Rows are a symbolic axis in front. */
    private static void requireShape(Value target, TensorInfo info) {
        long[] extents = Arrays.stream(target.shape().extents()).asLongStream().toArray();
        long[] all = new long[extents.length + 1];
        all[0] = -1;
        System.arraycopy(extents, 0, all, 1, extents.length);
        assertThat(info.getShape()).as(target.toString()).containsExactly(target.batched() ? all : extents);
    }

    private static OnnxTensor tensor(OrtEnvironment environment, Tensor tensor) throws OrtException {
        long[] extents = Arrays.stream(tensor.shape().extents()).asLongStream().toArray();
        return tensor.type() == ElementType.INT64
                ? OnnxTensor.createTensor(environment, tensor.buffer().asLongBuffer(), extents)
                : OnnxTensor.createTensor(environment, tensor.buffer().asFloatBuffer(), extents);
    }

    private static double[] numbers(OnnxTensor tensor) {
        if (tensor.getInfo().type == ai.onnxruntime.OnnxJavaType.INT64) {
            long[] numbers = new long[tensor.getLongBuffer().remaining()];
            tensor.getLongBuffer().get(numbers);
            return Arrays.stream(numbers).asDoubleStream().toArray();
        }
        float[] numbers = new float[tensor.getFloatBuffer().remaining()];
        tensor.getFloatBuffer().get(numbers);
        double[] doubles = new double[numbers.length];
        Arrays.setAll(doubles, i -> numbers[i]);
        return doubles;
    }

    @Test
    void whatOnnxHasNoOperatorForIsRefusedByName() {
        String training = ", a part of training: export a program without this value";
        String rows =
                "m/spread (batch,2,3) is the same for every row of inputs, and there is no input that tells how many";
        assertThat(refusals())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "convWeight",
                        "m/conv_weight (3,2,3,3): ONNX has no operator for conv_weight" + training,
                        "maxPoolInput",
                        "m/max_pool_input (batch,2,5,4): ONNX has no operator for max_pool_input" + training,
                        "maxPoolPick",
                        "m/max_pool_pick (batch,2,3,2): ONNX has no operator for max_pool_pick" + training,
                        "spread to each row, shared false",
                        rows,
                        "spread to each row, shared true",
                        rows));
    }

    @TestFactory
    @Tag("engine")
    Stream<DynamicTest> onnxRuntimeComputesWhatIsMadeOfLayers() {
        Map<String, Function<Value, Value>> bodies = new TreeMap<>();
        bodies.put(
                "an LSTM of two layers",
                x -> Recurrence.lstm(8).layers(2).apply("lstm", x).outputs());
        bodies.put("a GRU", x -> Recurrence.gru(8).apply("gru", x).outputs());
        bodies.put(
                "a scanned GRU with dropout",
                x -> Recurrence.gru(8)
                        .scanned()
                        .dropout(0.2)
                        .apply("gru", x, null, null)
                        .outputs());
        bodies.put("a causal block of attention", x -> {
            Value placed = Operators.add(x, Positions.interleaved().sinusoidal(x));
            return TransformerBlock.of(2, 16).causal().dropout(0.1).apply("block", placed);
        });
        bodies.put("a policy", x -> {
            Value h = Operators.tanh(Layers.dense("hidden", Operators.reshape(x, 20), 32));
            return Operators.argMax(Layers.dense("logits", h, 4));
        });
        for (boolean shared : new boolean[] {false, true}) {
            bodies.put("a row for each, shared " + shared, x -> {
                Value row = Fixture.parameter(x.graph(), "row", 1, 4);
                Value rows = x.graph().numbered(new Arrangement.Spread(Shape.of(5, 4), true, shared), row);
                return Operators.add(rows, x);
            });
        }
        return bodies.entrySet().stream()
                .map(body -> DynamicTest.dynamicTest(body.getKey(), () -> {
                    Graph graph = new Graph();
                    Value x = graph.input("x", Shape.of(5, 4));
                    try (Scope<Value> module = graph.module("m")) {
                        Value y = body.getValue().apply(x);
                        assertThat(compare(body.getKey(), Inference.of(Program.compile("p", Mode.EVAL, y))))
                                .isLessThanOrEqualTo(TOLERANCE);
                    }
                }));
    }

    /** An output may be an input, a parameter, or like another output but for the number of its call. */
    @Test
    @Tag("engine")
    void outputsHaveNamesOfTheirOwn() throws Exception {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3));
        Network<Value, Value> network = graph.module("m", h -> Layers.dense("layer", h, 3));
        Value once = network.apply(x);
        Value twice = network.apply(once);
        Program program = Program.compile("p", Mode.EVAL, twice, once, x, graph.value("m/layer/bias"));
        compare("outputs", program);
        try (Parameters parameters = ModelFilesTest.store(program);
                OrtSession session =
                        OrtEnvironment.getEnvironment().createSession(model(program, parameters.snapshot()))) {
            assertThat(session.getInputNames()).containsExactly("x");
            assertThat(session.getOutputNames()).containsExactly("m/layer", "m/layer_2", "x_2", "m/layer/bias_2");
            assertThat(session.getMetadata().getProducerName()).isEqualTo("hocket");
        }
    }

    @Test
    void whatIsNoModelIsRefused() {
        Value y = dense(new Graph(ElementType.FLOAT64), 2);
        refused(Program.compile("p", Mode.EVAL, y), "program p computes in FLOAT64");
        refused(Program.compile("p", Mode.TRAIN, y), "program p must be compiled for EVAL");
        refused(
                Program.compile("p", Mode.EVAL, dense(new Graph(), 20_000)),
                "an ONNX file may have at most 2147483647 bytes, would have 3200160000");
    }

    /** Two dense layers. */
    private static Value dense(Graph graph, int units) {
        try (Scope<Value> module = graph.module("m")) {
            Value h = Layers.dense("first", graph.input("x", Shape.of(units)), units);
            return Layers.dense("second", h, units);
        }
    }

    private static void refused(Program program, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OnnxModel.of(program, new Snapshot(new TreeMap<>()), "1"))
                .withMessageStartingWith(message);
    }
}
