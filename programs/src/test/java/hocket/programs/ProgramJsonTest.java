package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.gelu;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.programs.execution.Lowering;
import hocket.programs.json.ProgramJson;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Weights;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.programs.operators.OperatorGradientsTest;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs written as JSON and read again. */
class ProgramJsonTest {
    private static final int ROWS = 3;

    private static void assertComesBack(Program program) {
        String text = ProgramJson.write(program);
        Program read = ProgramJson.read(text);
        assertThat(read).hasToString(program.toString());
        assertThat(read.signature()).isEqualTo(program.signature());
        assertThat(ProgramListing.of(read)).isEqualTo(ProgramListing.of(program));
        assertThat(read.graph().declarations())
                .containsAll(program.parameters().values().stream()
                        .map(value -> ((Leaf.Variable) value.operator()).declaration())
                        .toList());
        assertThat(read.parameters().keySet()).isEqualTo(program.parameters().keySet());
        assertThat(read.feeds()).hasToString(program.feeds().toString());
        assertThat(read.reached()).isEqualTo(program.reached());
        assertThat(ProgramJson.write(read)).isEqualTo(text);
        for (Value value : read.values()) {
            assertThat(read.graph().value(value.path().text())).isSameAs(value);
        }
    }

    private static void assertComputesTheSame(Program program) {
        Lowering lowering = new ReferenceLowering();
        Outcome before = Outcome.of(lowering, program, ROWS, ROWS);
        Outcome after = Outcome.of(lowering, ProgramJson.read(ProgramJson.write(program)), ROWS, ROWS);
        assertThat(after.numbers().keySet()).isEqualTo(before.numbers().keySet());
        before.numbers()
                .forEach((name, numbers) ->
                        assertThat(after.numbers().get(name)).as(name).containsExactly(numbers));
    }

    @TestFactory
    Stream<DynamicTest> everyOperatorComesBackAndComputesTheSameBits() {
        return Stream.of(ElementType.FLOAT32, ElementType.FLOAT64)
                .flatMap(type -> OperatorGradientsTest.programs(type).entrySet().stream()
                        .map(named -> DynamicTest.dynamicTest(named.getKey() + " in " + type, () -> {
                            assertComesBack(named.getValue());
                            if (type == ElementType.FLOAT64) { // the random programs compute in both
                                assertComputesTheSame(named.getValue());
                            }
                        })));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void randomProgramsComeBackAndComputeTheSameBits(Mode mode) {
        for (int seed = 0; seed < 400 * RandomProgramsTest.TIMES; seed++) {
            Graph graph = new Graph(seed % 2 == 0 ? ElementType.FLOAT32 : ElementType.FLOAT64);
            Program program = Program.compile("random", mode, new RandomVectors(graph, new Random(seed)).loss());
            assertComesBack(program);
            if (!program.reached().isEmpty()) {
                assertComputesTheSame(program);
            }
        }
    }

    /** Metrics, mappings, an input of labels, two kinds of noise, every initialiser, awkward numbers. */
    private static Program everything() {
        Graph graph = new Graph();
        Value image = graph.input("image", Shape.of(2, 4, 4));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value noise = graph.noise("noise", Shape.of(3), new Distribution.Uniform(-1, 0.5), Redraw.EACH_ROUND);
        float third = 1f / 3;
        Value odd = graph.constant(Tensor.of(
                Shape.of(6), Float.NaN, -0.0f, Float.POSITIVE_INFINITY, Float.MIN_VALUE, Float.MAX_VALUE, third));
        Network<Value, Value> trunk = graph.module("trunk", x -> {
            Weights orthogonal = Weights.weights(Initialiser.orthogonal(2)).bias(Initialiser.constant(0.1));
            Value h = conv("conv", x, 3, kernel(3).stride(2).pad(1).weights(orthogonal));
            h = dropout("drop", relu(batchNorm("bn", h)), 0.25);
            Value y =
                    dense("he", flatten(h), 3, Weights.weights(Initialiser.he()).spectralNorm());
            y = dense("normal", y, 3, Weights.weights(Initialiser.normal(0.02)).weightNorm());
            return dense("uniform", y, 3, Weights.weights(new Initialiser.Uniform(-1, 1)));
        });
        Value first = trunk.apply(image);
        Value loss = graph.name("loss", mean(square(add(add(first, trunk.apply(multiply(image, image))), noise))));
        Value rate = mean(Operators.pick(first, label));
        return Program.compile(
                        "everything",
                        Mode.TRAIN,
                        Loss.of(loss).metric("rate", rate).metric("other", loss))
                .with(List.of(first, odd))
                .reading("trunk", "ema/trunk")
                .reading("ema", "old/ema");
    }

    /** {@code META-INF/hocket/former-classes} of the tests says that LeakyRelu was LeakyRectifier. */
    @Test
    void anOperatorIsReadByTheFormerNameOfItsClass() {
        Graph graph = new Graph();
        Program program = Program.compile("p", Mode.EVAL, leakyRelu(graph.input("x", Shape.of(3)), 0.2));
        String text = ProgramJson.write(program);
        String former = text.replace("{\"leaky_relu\"", "{\"leaky_rectifier\"");
        assertThat(former).isNotEqualTo(text);
        assertThat(ProgramJson.write(ProgramJson.read(former))).isEqualTo(text);
    }

    @Test
    void metricsMappingsAndEverySettingComeBack() {
        Program program = everything();
        assertComesBack(program);
        Program read = ProgramJson.read(ProgramJson.write(program));
        assertThat(read.metrics()).hasToString(program.metrics().toString());
        assertThat(read.mappings()).isEqualTo(program.mappings());
        assertThat(read.parameters()).containsKey(Path.of("old/ema/trunk/conv/weight"));
        assertThat(read.indexBound(read.input("label").orElseThrow())).isEqualTo(3);
        assertThat(((Leaf.Constant) read.targets().get(3).operator()).value())
                .isEqualTo(((Leaf.Constant) program.targets().get(3).operator()).value());
    }

    @Test
    void whatTheModeLeavesOutComesBackToo() {
        Program read = ProgramJson.read(ProgramJson.write(everything()));
        Value norm = read.batchNorms().get(0);
        assertThat(read.values()).doesNotContain(norm.inputs().get(BatchNorm.MEAN));
        assertThat(read.graph().value("trunk/bn/mean")).isSameAs(norm.inputs().get(BatchNorm.MEAN));
        assertThat(read.statisticsOwnedBy(new TreeSet<>(read.reached())))
                .isEqualTo(everything().statisticsOwnedBy(everything().reached()));
    }

    @Test
    void aGraphThatWasReadCanBeBuiltOn() {
        Program read = ProgramJson.read(ProgramJson.write(everything()));
        Graph graph = read.graph();
        Value again = graph.value("loss");
        Value gradient = Gradients.of(again, graph.value("trunk/uniform/bias")).get(0);
        Program more = Program.compile("more", Mode.EVAL, gradient, relu(gradient));
        assertComesBack(more);
        assertThat(graph.value("trunk#1/conv").place()).hasToString("value 6 of program everything");
    }

    @Test
    void gradientsOfComposedOperatorsComeBack() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(2, 5));
        Value loss;
        try (var module = graph.module("m")) {
            loss = mean(square(gelu(layerNorm("norm", x))));
        }
        Program program =
                Program.compile("gradient", Mode.EVAL, Gradients.of(loss, x).get(0));
        assertThat(ProgramJson.write(program)).contains("Gelu$Gradient", "Normalised$Gradient");
        assertComesBack(program);
    }

    /** A change of a name would leave texts behind that nobody can read: then count up the version. */
    @Test
    void operatorsKeepTheirNamesInTheForm() throws Exception {
        List<String> names = new ArrayList<>();
        for (Program program :
                OperatorGradientsTest.programs(ElementType.FLOAT64).values()) {
            for (JsonNode value :
                    new ObjectMapper().readTree(ProgramJson.write(program)).path("values")) {
                value.path("operator").fieldNames().forEachRemaining(names::add);
            }
        }
        assertThat(new TreeSet<>(names))
                .containsExactly(
                        "arg_max",
                        "arg_sort",
                        "batch_norm",
                        "binary",
                        "by_mode",
                        "clip",
                        "concat",
                        "constant",
                        "convolution",
                        "convolution_weight",
                        "cumulative_sum",
                        "dense",
                        "dense_input",
                        "dense_weight",
                        "dropout",
                        "elu",
                        "embedding",
                        "hocket.programs.layers.Attention",
                        "hocket.programs.operators.Gathering$Gather",
                        "hocket.programs.operators.Gathering$ScatterAdd",
                        "hocket.programs.operators.Gelu",
                        "hocket.programs.operators.Normalised",
                        "input",
                        "leaky_relu",
                        "matmul",
                        "max_pool",
                        "max_pool_input",
                        "max_pool_pick",
                        "noise",
                        "one_hot",
                        "pad",
                        "pick",
                        "reduce",
                        "reshape",
                        "running",
                        "scalar",
                        "slice",
                        "softmax",
                        "spread",
                        "stop_gradient",
                        "transpose",
                        "transposed_convolution",
                        "unary",
                        "variable",
                        "where");
    }

    private static final String SMALL = """
            {"hocket_program": 1, "name": "p", "mode": "EVAL", "float_type": "FLOAT32", "values": [
            {"path": "x", "operator": {"input": {"shape": [2], "type": "FLOAT32"}}, "inputs": [], "shape": ["batch", 2], "type": "FLOAT32"},
            {"path": "w", "operator": {"constant": {"value": {"type": "FLOAT32", "shape": [1, 2], "values": [1, 2]}}}, "inputs": [], "shape": [1, 2], "type": "FLOAT32"},
            {"path": "m/y", "operator": {"dense": {}}, "inputs": ["x", "w"], "shape": ["batch", 1], "type": "FLOAT32"},
            {"path": "m/z", "operator": {"leaky_relu": {"slope": 0.5}}, "inputs": ["m/y"], "shape": ["batch", 1], "type": "FLOAT32"}
            ], "targets": ["m/z"], "metrics": {}, "mappings": []}
            """;

    @Test
    void aTextByHandIsRead() {
        Program read = ProgramJson.read(SMALL);
        assertThat(read).hasToString("""
                        p(x (batch,2)) -> m/z (batch,1)  [EVAL]
                          x (batch,2) = input()
                          w (1,2) = constant()
                          m/y (batch,1) = dense(x, w)
                          m/z (batch,1) = leaky_relu(m/y) slope 0.5""".stripIndent());
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
                    "hocket_program": 1 | "hocket_program": 2 | hocket_program: must be version 1 of this form, was 2
                    "hocket_program": 1, | `` | document: lacks hocket_program
                    "name": "p" | "name": "p", "extra": 1 | document: has nothing called extra
                    "name": "p" | "name": 3 | name: must be a text, was 3
                    "EVAL" | "eval" | mode: must be one of [TRAIN, EVAL], was "eval"
                    "float_type": "FLOAT32" | "float_type": "INT64" | a graph computes in FLOAT32 or FLOAT64, not INT64
                    "float_type": "FLOAT32" | "float_type": "FLOAT64" | value x: the program computes in FLOAT64, not FLOAT32
                    "path": "m/z" | "path": "m/y" | value m/y: there are two of that path
                    "path": "m/z" | "path": "m z" | values: [3]: path: "m z" is not a path
                    "path": "m/z" | "path": "m/z2" | target m/z is none of the values before it; did you mean m/y?
                    ["x", "w"] | ["x", "m/z"] | value m/y: input m/z is none of the values before it; there is: w, x
                    ["x", "w"] | ["x"] | value m/y: dense needs 2 or 3 inputs, has 1
                    ["x", "w"] | ["w", "x"] | value m/y: needs a weight of rank 2 that is the same for every row, got x (batch,2)
                    ["x", "w"] | ["x", "w", "w"] | value m/y: needs a bias (1), got w (1,2)
                    {"dense": {}} | {"dens": {}} | value m/y: operator: there is no dens; did you mean dense?
                    {"dense": {}} | {} | value m/y: operator: must be an object of one member, its kind, was {}
                    {"dense": {}} | {"dense": {"units": 3}} | value m/y: operator: dense: has nothing called units
                    {"slope": 0.5} | {} | value m/z: operator: leaky_relu: lacks slope
                    {"slope": 0.5} | {"slope": "a"} | value m/z: operator: leaky_relu: slope: must be a finite number
                    {"slope": 0.5} | {"slope": 1e999} | value m/z: operator: leaky_relu: slope: must be a finite number
                    {"leaky_relu": {"slope": 0.5}} | {"clip": {"low": 1, "high": 0}} | value m/z: operator: clip: clip: low must be at most high
                    {"leaky_relu": {"slope": 0.5}} | {"unary": {"function": "LOGG"}} | value m/z: operator: unary: function: must be one of [NEGATE
                    {"leaky_relu": {"slope": 0.5}} | {"slice": {"axis": 0, "begin": 0, "end": 7}} | value m/z: cannot take 0 to 7 of axis 0, which has 1 in m/y (batch,1)
                    {"leaky_relu": {"slope": 0.5}} | {"reshape": {"shape": [99999, 99999]}} | value m/z: operator: reshape: shape: (99999,99999) has 9999800001 elements; a shape may have at most 2147483647
                    {"leaky_relu": {"slope": 0.5}} | {"reshape": {"shape": [99999999999]}} | shape: [0]: must be a whole number of at most 2147483647 in size
                    "shape": ["batch", 1] | "shape": ["batch", 3] | value m/y: is listed as FLOAT32(3) a row, its operator gives FLOAT32(1) a row
                    "shape": ["batch", 1] | "shape": [1] | value m/y: is listed as FLOAT32(1), its operator gives FLOAT32(1) a row
                    "values": [1, 2] | "values": [1, 2, 3] | value w: operator: constant: value: shape (1,2) has 2 elements, there are 3 values
                    "targets": ["m/z"] | "targets": ["m/y"] | value m/z: nothing needs it, and it is not a target
                    "targets": ["m/z"] | "targets": [] | value m/z: nothing needs it, and it is not a target
                    "targets": ["m/z"] | "targets": ["m/z", "m/z"] | is asked for twice
                    "metrics": {} | "metrics": {"a": "m/z"} | metric a must be a single number, was m/z (batch,1)
                    "mappings": [] | "mappings": [{"from": "m", "to": "n"}] | program p reads no parameter under m
                    "mappings": [] | "mappings": [{"from": "m", "to": "m/n"}] | mappings: [0]: cannot map m to m/n
                    "mappings": [] | "mappings": [], "name": "q" | line 6
                    "mappings": []} | "mappings": []}} | line 6
                    "mappings": []} | "mappings": [] | line 7
                    {"path": "m/y" | {"path" "m/y" | line 4, column 9
                    """)
    void whatIsWrongIsNamedWithItsPlace(String right, String wrong, String message) {
        String text = SMALL.replaceFirst(
                java.util.regex.Pattern.quote(right),
                java.util.regex.Matcher.quoteReplacement(wrong == null ? "" : wrong));
        assertThat(text).isNotEqualTo(SMALL);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramJson.read(text))
                .withMessageStartingWith("a program as JSON: ")
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"''", "null", "[]", "3", "'{\"a\": '"})
    void whatIsNoProgramAtAllIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ProgramJson.read(text));
    }

    @Test
    void aTextThatNestsDeeplyIsRefused() {
        for (String open : List.of("[", "{\"a\":")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ProgramJson.read(open.repeat(100_000)))
                    .withMessageContaining("nesting depth");
        }
    }

    @Test
    void everyTextThatWasCutOffIsRefused() {
        String text = ProgramJson.write(everything()).strip();
        for (int length = 0; length < text.length(); length += 7) {
            String cut = text.substring(0, length);
            assertThatIllegalArgumentException().isThrownBy(() -> ProgramJson.read(cut));
        }
    }

    @Test
    void aDamagedTextIsReadOrRefusedAndNothingElseHappens() {
        List<String> texts = new ArrayList<>(List.of(ProgramJson.write(everything())));
        OperatorGradientsTest.programs(ElementType.FLOAT32)
                .forEach((name, program) -> texts.add(ProgramJson.write(program)));
        Random random = new Random(5);
        String signs = "0123456789-.\"[]{},:ex/#";
        int read = 0;
        for (String text : texts) {
            for (int i = 0; i < 8; i++) {
                StringBuilder damaged = new StringBuilder(text);
                IntStream digits = IntStream.range(0, text.length()).filter(at -> Character.isDigit(text.charAt(at)));
                int[] places = random.nextBoolean()
                        ? digits.toArray()
                        : IntStream.range(0, text.length()).toArray();
                int at = places[random.nextInt(places.length)];
                damaged.setCharAt(at, signs.charAt(random.nextInt(random.nextBoolean() ? 10 : signs.length())));
                try {
                    Program program = ProgramJson.read(damaged.toString());
                    assertThat(ProgramJson.read(ProgramJson.write(program))).hasToString(program.toString());
                    read++;
                } catch (IllegalArgumentException e) {
                    assertThat(e).hasMessageStartingWith("a program as JSON: ");
                }
            }
        }
        assertThat(read).isPositive();
    }

    @Test
    void aProgramOfTwoValuesOfOnePathIsNotWritten() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(2));
        Value y = relu(x);
        Value twin = graph.made(y, y.operator(), y.inputs(), y.result());
        Program program = Program.compile("twins", Mode.EVAL, add(y, twin));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramJson.write(program))
                .withMessage("program twins: two values are called relu");
    }
}
