package hocket.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.ParameterStore;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Inference;
import hocket.programs.execution.Lowering;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.Leaf;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs as models of the engine's format, which DJL loads. */
class ModelFilesTest {
    private static final int CLASSES = RandomVectors.CLASSES;
    private static final boolean IS_AVX_512 = isAvx512();

    @TempDir
    java.nio.file.Path folder = java.nio.file.Path.of("");

    /** Whatever can be computed, for several numbers of rows by one model: the same bits. */
    @ParameterizedTest
    @ValueSource(ints = {0, 300})
    @Tag("engine")
    void djlComputesTheSameBitsForAnyNumberOfRows(int first) throws Exception {
        assertThat(new MxLowering().unavailable())
                .isEmpty(); // loads the engine before DJL does, which sets it up otherwise
        int compared = 0;
        for (int seed = first; seed < first + 40; seed++) {
            for (Function<Graph, Value> body :
                    List.of(RandomProgramsTest.images(seed), RandomProgramsTest.vectors(seed))) {
                Program program = Program.compile("p" + compared, Mode.EVAL, body.apply(new Graph()));
                Program all = Inference.of(program.with(some(program)));
                compared += all.parameters().isEmpty() || all.inputs().isEmpty() ? 0 : compared(seed, all);
            }
        }
        assertThat(compared).isGreaterThan(40);
    }

    /**
     * The same bits; with AVX-512, where the library takes another loop for a weight in its own layout than for a plain one,
     * the same to 1e-4 of numbers of about 1, where 8e-6 was seen.
     */
    private static int compared(float one, float other) {
        return IS_AVX_512 && Math.abs(one - other) <= 1e-4 * Math.max(1, Math.abs(other))
                ? 0
                : Float.compare(one, other);
    }

    private static boolean isAvx512() {
        try {
            return Files.readString(java.nio.file.Path.of("/proc/cpuinfo")).contains(" avx512f ");
        } catch (IOException e) {
            return false; // not Linux
        }
    }

    private static List<Value> some(Program program) {
        List<Value> batched = program.values().stream()
                .filter(value -> value.batched() && !value.inputs().isEmpty())
                .toList();
        return batched.subList(Math.max(0, batched.size() - 3), batched.size());
    }

    private int compared(int seed, Program program) throws Exception {
        try (Parameters parameters = store(program)) {
            write(Lowering.export(program, parameters.snapshot()), "m" + seed);
            try (Model model = Model.newInstance("m" + seed, "MXNet");
                    NDManager manager = NDManager.newBaseManager("MXNet")) {
                model.load(folder, "m" + seed);
                for (int rows : new int[] {1, 3}) {
                    assertThat(djl(model, manager, program, rows))
                            .as("seed %s, %s rows of %s", seed, rows, program)
                            .usingRecursiveComparison()
                            .withComparatorForType(ModelFilesTest::compared, Float.class)
                            .isEqualTo(hocket(parameters, program, rows));
                }
            }
            return 1;
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("depends on how many rows there are");
            return 0;
        }
    }

    static Parameters store(Program program) {
        Parameters parameters = Parameters.initialise(
                program.parameters().values().stream()
                        .map(value -> ((Leaf.Variable) value.operator()).declaration())
                        .toList(),
                Streams.seed(3));
        TreeMap<Path, Tensor> values = new TreeMap<>(parameters.snapshot().tensors());
        values.replaceAll((path, tensor) -> {
            double[] numbers = Fixture.random(
                            tensor.shape(), ElementType.FLOAT64, path.text().length())
                    .doubles();
            return Golden.tensor(
                    tensor.shape(),
                    tensor.type(),
                    path.name().equals("variance")
                            ? Arrays.stream(numbers).map(x -> 0.2 + x * x).toArray()
                            : numbers);
        });
        parameters.restore(new Snapshot(values));
        return parameters;
    }

    private void write(Lowering.Model model, String name) throws IOException {
        for (Map.Entry<String, List<ByteBuffer>> file : model.files().entrySet()) {
            try (OutputStream out = Files.newOutputStream(folder.resolve(name + file.getKey()))) {
                for (ByteBuffer part : file.getValue()) {
                    byte[] bytes = new byte[part.remaining()];
                    part.duplicate().get(bytes);
                    out.write(bytes);
                }
            }
        }
    }

    private static Tensor fed(Value input, int rows) {
        Shape shape = input.shape().prepend(rows);
        if (input.type() == ElementType.INT64) {
            long[] numbers = new long[shape.size()];
            Arrays.setAll(numbers, i -> i % CLASSES);
            return Tensor.of(shape, numbers);
        }
        return Fixture.random(shape, input.type(), 5);
    }

    private static List<List<Float>> hocket(Parameters parameters, Program program, int rows) {
        try (BoundProgram bound = new BoundProgram(program, parameters, new MxLowering(), 1, new TreeSet<>(), "")) {
            for (Value input : program.inputs()) {
                bound.feed(input.path().text(), fed(input, rows));
            }
            bound.run(rows, 0, 0);
            List<List<Float>> targets = new ArrayList<>();
            for (int i = 0; i < program.targets().size(); i++) {
                targets.add(list(bound.target(i).floats()));
            }
            return targets;
        }
    }

    private static List<List<Float>> djl(Model model, NDManager manager, Program program, int rows) {
        NDList inputs = new NDList();
        for (Value input : program.inputs()) {
            Tensor tensor = fed(input, rows);
            long[] extents =
                    Arrays.stream(tensor.shape().extents()).asLongStream().toArray();
            DataType type = input.type() == ElementType.INT64 ? DataType.INT64 : DataType.FLOAT32;
            ByteBuffer buffer =
                    ByteBuffer.allocateDirect(tensor.buffer().limit()).order(ByteOrder.nativeOrder());
            NDArray array =
                    manager.create(buffer.put(tensor.buffer()).flip(), new ai.djl.ndarray.types.Shape(extents), type);
            array.setName(input.path().text());
            inputs.add(array);
        }
        List<List<Float>> targets = new ArrayList<>();
        for (NDArray target : model.getBlock().forward(new ParameterStore(manager, false), inputs, false)) {
            targets.add(list(target.toType(DataType.FLOAT32, false).toFloatArray()));
        }
        return targets;
    }

    private static List<Float> list(float[] numbers) {
        List<Float> list = new ArrayList<>();
        for (float number : numbers) {
            list.add(number);
        }
        return list;
    }

    @Test
    @Tag("engine")
    void theInputsAreListedInTheOrderInWhichDjlTakesThem() throws Exception {
        Graph graph = new Graph();
        Value first = graph.input("first", Shape.of(2));
        Value second = graph.input("second", Shape.of(2));
        try (var module = graph.module("m")) {
            Program program = Inference.of(Program.compile(
                    "p", Mode.EVAL, Operators.concat(0, Layers.dense("b", second, 3), Layers.dense("a", first, 3))));
            try (Parameters parameters = store(program);
                    Model model = Model.newInstance("m", "MXNet")) {
                Lowering.Model files = Lowering.export(program, parameters.snapshot());
                assertThat(files.inputs().stream().map(input -> input.path().text()))
                        .containsExactly("second", "first");
                write(files, "m");
                model.load(folder, "m");
                assertThat(model.describeInput().keys()).containsExactly("second", "first");
            }
        }
    }

    @Test
    void aProgramThatTrainsOrDrawsIsNoModel() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            Value y = Layers.dense("layer", graph.noise("z", Shape.of(2)), 3);
            for (Mode mode : Mode.values()) {
                Program program = Program.compile("p", mode, y);
                try (Parameters parameters = Fixture.store(graph)) {
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> Lowering.export(program, parameters.snapshot()))
                            .withMessage("program p must be compiled for EVAL and draw nothing to become a model, it is"
                                    + " compiled for " + mode + " and draws [m/z (batch,2)]");
                }
            }
        }
    }
}
