package hocket.programs.execution;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.conv1d;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import hocket.programs.Fixture;
import hocket.programs.Golden;
import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.json.ProgramJson;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Leaf;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batch norms that become part of the layers before them. */
class BatchNormFoldingTest {
    private static final int ROWS = 5;

    private static Weights plain() {
        return Weights.weights(Initialiser.normal(0.3)).withoutBias();
    }

    /** As DCGAN's generator and discriminator, with groups and biases among the layers. */
    private static Program gan(ElementType type) {
        Graph graph = new Graph(type);
        Value z = graph.input("z", Shape.of(6));
        Value image;
        try (var generator = graph.module("generator")) {
            Value h = reshape(dense("project", z, 32), 8, 2, 2);
            h = relu(batchNorm("bn0", h));
            h = convTranspose("conv1", h, 4, kernel(4).stride(2).pad(1).weights(plain()));
            h = relu(batchNorm("bn1", h));
            h = relu(batchNorm(
                    "bn2", convTranspose("conv2", h, 6, kernel(3).pad(1).groups(2))));
            image = graph.name(
                    "image",
                    tanh(convTranspose("conv3", h, 1, kernel(4).stride(2).pad(1))));
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Value h = leakyRelu(conv("conv1", x, 4, kernel(4).stride(2).pad(1)), 0.2);
            h = leakyRelu(
                    batchNorm("bn2", conv("conv2", h, 8, kernel(3).groups(2).weights(plain()))), 0.2);
            return dense("logit", relu(batchNorm("bn3", dense("hidden", flatten(h), 5))), 1);
        });
        return Program.compile("draw", Mode.EVAL, image, discriminator.apply(image));
    }

    /** Values that are nothing like those at the start: scales of either sign, variances above 0. */
    private static Snapshot values(Program program) {
        SortedMap<Path, Tensor> values = new TreeMap<>();
        program.parameters().forEach((path, value) -> {
            double[] numbers = Fixture.random(
                            value.shape(), ElementType.FLOAT64, path.text().hashCode())
                    .doubles();
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = path.name().equals("variance") ? 0.1 + numbers[i] * numbers[i] : numbers[i] * 0.5;
            }
            values.put(path, Golden.tensor(value.shape(), value.type(), numbers));
        });
        return new Snapshot(values);
    }

    private static List<Tensor> outputs(Lowering lowering, Program program, Snapshot values) {
        List<Declaration> declarations = program.parameters().entrySet().stream()
                .map(entry -> ((Leaf.Variable) entry.getValue().operator())
                        .declaration()
                        .at(entry.getKey()))
                .toList();
        try (Parameters parameters = Parameters.initialise(declarations, Streams.seed(1))) {
            SortedMap<Path, Tensor> own = new TreeMap<>(values.tensors());
            own.keySet().retainAll(program.parameters().keySet());
            parameters.restore(new Snapshot(own));
            try (BoundProgram bound = new BoundProgram(program, parameters, lowering, 2, new TreeSet<>(), "")) {
                for (Value input : program.inputs()) {
                    Tensor labels = Tensor.of(Shape.of(ROWS), 0L, 2, 1, 1, 0);
                    Tensor numbers = Fixture.random(input.shape().prepend(ROWS), input.type(), 3);
                    bound.feed(input.path().text(), input.type() == ElementType.INT64 ? labels : numbers);
                }
                bound.run(ROWS, 0, 0);
                return program.targets().stream()
                        .map(target -> bound.target(program.targets().indexOf(target)))
                        .toList();
            }
        }
    }

    private static void assertSame(Lowering lowering, Program program, BatchNormFolding folding) {
        List<Tensor> before = outputs(lowering, program, values(program));
        List<Tensor> after = outputs(lowering, folding.program(), folding.values());
        double tolerance = program.floatType() == ElementType.FLOAT32 ? 1e-5 : 1e-12;
        for (int i = 0; i < before.size(); i++) {
            assertThat(after.get(i).shape()).isEqualTo(before.get(i).shape());
            Golden.assertNear(
                    "target " + i, after.get(i).doubles(), before.get(i).doubles(), tolerance);
        }
    }

    private static BatchNormFolding folded(Program program) {
        BatchNormFolding folding = BatchNormFolding.of(program, values(program));
        assertSame(new ReferenceLowering(), program, folding);
        assertThat(folding.values().tensors().keySet())
                .isEqualTo(folding.program().parameters().keySet());
        return folding;
    }

    private static long norms(Program program) {
        return program.values().stream()
                .filter(value -> value.operator() instanceof BatchNorm)
                .count();
    }

    private static Program eval(UnaryOperator<Value> body) {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x = graph.input("x", Shape.of(2, 4, 4));
        try (var module = graph.module("m")) {
            return Program.compile("p", Mode.EVAL, body.apply(x));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aGanWithoutItsBatchNormsGivesTheSameOnTheReference(ElementType type) {
        BatchNormFolding folding = folded(gan(type));
        assertThat(folding.folded())
                .extracting(Path::text)
                .containsExactly(
                        "generator/bn0",
                        "generator/bn1",
                        "generator/bn2",
                        "discriminator#1/bn2",
                        "discriminator#1/bn3");
        assertThat(norms(folding.program())).isZero();
        assertThat(folding.program().parameters().keySet().stream().map(Path::text))
                .contains("generator/conv1/bias", "discriminator/conv2/bias")
                .noneMatch(path -> path.contains("bn"));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    @Tag("engine")
    void aGanWithoutItsBatchNormsGivesTheSameOnTheEngine(ElementType type) {
        Program program = gan(type);
        assertSame(new MxLowering(), program, BatchNormFolding.of(program, values(program)));
    }

    @Test
    void whatIsLeftKeepsItsPathAndTargetsTheirs() {
        Program program = gan(ElementType.FLOAT64);
        Program folded = folded(program).program();
        assertThat(folded.signature()).isEqualTo(program.signature());
        assertThat(folded.toString())
                .contains(
                        "generator/bn0/project (batch,32) FLOAT64 = dense(z, generator/project/weight,"
                                + " generator/project/bias)",
                        "generator/bn0 (batch,8,2,2) FLOAT64 = reshape(generator/bn0/project)",
                        "generator/bn1 (batch,4,4,4) FLOAT64 = conv_transpose(generator/relu,"
                                + " generator/conv1/weight, generator/conv1/bias)");
        assertThat(ProgramJson.read(ProgramJson.write(folded))).hasToString(folded.toString());
    }

    @Test
    void aNormThatIsATargetKeepsItsPath() {
        BatchNormFolding folding = folded(eval(x -> batchNorm("bn", conv("conv", x, 3, kernel(3)))));
        assertThat(folding.folded()).containsExactly(Path.of("m/bn"));
        assertThat(folding.program().targets()).hasToString("[m/bn (batch,3,2,2) FLOAT64]");
    }

    @Test
    void rowsOfAOneDimensionalConvolutionAreFoldedToo() {
        BatchNormFolding folding = folded(eval(x -> relu(
                batchNorm("bn", conv1d("layer", reshape(x, 2, 16), 3, kernel(3).pad(1))))));
        assertThat(folding.folded()).hasSize(1);
        assertThat(folded(eval(x -> {
                            Window window = kernel(4).stride(2).pad(1).weights(plain());
                            return relu(batchNorm("bn", Layers.convTranspose1d("layer", reshape(x, 2, 16), 3, window)));
                        }))
                        .folded())
                .hasSize(1);
    }

    private static Value bare(String name, Value x) {
        return batchNorm(name, x, Layers.normalisation().affine(false));
    }

    /** A dense layer, a transposed and an ordinary convolution, each before a batch norm without scale and shift. */
    private static Program bareNorms(ElementType type, UnaryOperator<Layers.Normalisation> settings) {
        Graph graph = new Graph(type);
        Value h = graph.input("z", Shape.of(6));
        try (var module = graph.module("m")) {
            Layers.Normalisation bare = settings.apply(Layers.normalisation().affine(false));
            h = tanh(batchNorm("bn0", reshape(dense("project", h, 32), 8, 2, 2), bare));
            Window up = kernel(4).stride(2).pad(1);
            h = tanh(batchNorm("bn1", convTranspose("conv1", h, 4, up.groups(2).weights(plain())), bare));
            h = batchNorm("bn2", conv("conv2", h, 3, kernel(3)), bare);
            return Program.compile("p", Mode.EVAL, batchNorm("bn3", dense("logit", flatten(tanh(h)), 2), bare), h);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void normsWithoutScaleAndShiftAreFolded(ElementType type) {
        for (boolean frozen : new boolean[] {false, true}) {
            BatchNormFolding folding = folded(bareNorms(type, x -> frozen ? x.frozenStatistics() : x));
            assertThat(folding.folded()).hasToString("[m/bn0, m/bn1, m/bn2, m/bn3]");
            assertThat(folding.program().targets().stream().map(Value::path)).hasToString("[m/bn3, m/bn2]");
            assertThat(folding.program().toString()).doesNotContain("sqrt", "by_mode");
            assertThat(folding.values().tensors().keySet().stream().map(Path::name))
                    .containsOnly("weight", "bias");
        }
    }

    /** Conditional norms after a dense layer, a transposed and an ordinary convolution, by label and by condition. */
    private static Program conditionalNorms(ElementType type) {
        Graph graph = new Graph(type);
        Value h = graph.input("z", Shape.of(6));
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value condition = graph.input("condition", Shape.of(3));
        try (var module = graph.module("m")) {
            h = reshape(dense("project", h, 32), 8, 2, 2);
            h = relu(Layers.conditionalBatchNorm("bn0", h, label, 3));
            h = convTranspose("conv1", h, 4, kernel(4).stride(2).pad(1).weights(plain()));
            h = relu(Layers.conditionalBatchNorm(
                    "bn1",
                    h,
                    condition,
                    Weights.standard(),
                    Layers.normalisation().frozenStatistics()));
            h = Layers.conditionalBatchNorm("bn2", conv("conv2", h, 3, kernel(3)), label, 3);
            return Program.compile("draw", Mode.EVAL, h);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aConditionalNormKeepsItsGainAndBiasAndLosesTheRest(ElementType type) {
        BatchNormFolding folding = folded(conditionalNorms(type));
        assertThat(folding.folded()).hasToString("[m/bn0, m/bn1, m/bn2]");
        assertThat(folding.values().tensors().keySet().stream().map(Path::text))
                .contains("m/bn0/gain/table", "m/bn0/bias/table", "m/bn1/gain/weight", "m/bn1/bias/weight")
                .noneMatch(path -> path.endsWith("mean") || path.endsWith("variance"));
        assertThat(ProgramJson.read(ProgramJson.write(folding.program())))
                .hasToString(folding.program().toString());
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    @Tag("engine")
    void normsThatConsistOfOperatorsAreFoldedOnTheEngine(ElementType type) {
        for (Program program : List.of(conditionalNorms(type), bareNorms(type, x -> x))) {
            assertSame(new MxLowering(), program, BatchNormFolding.of(program, values(program)));
        }
    }

    @Test
    void aNormWithoutScaleAndShiftIsLeftWholeWhereItsLayerIsReadTwiceOrIsNone() {
        Program twice = eval(x -> {
            Value h = conv("conv", x, 3, kernel(3));
            return add(bare("bn", h), h);
        });
        assertThat(folded(twice).folded()).isEmpty();
        assertThat(folded(twice).program()).hasToString(twice.toString());
        assertThat(folded(eval(x -> bare("bn", relu(conv("conv", x, 3, kernel(3))))))
                        .folded())
                .isEmpty();
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x = graph.input("x", Shape.of(3));
        Network<Value, Value> called = graph.module("called", h -> tanh(bare("bn", dense("layer", h, 3))));
        assertThat(folded(Program.compile("p", Mode.EVAL, called.apply(called.apply(x))))
                        .folded())
                .isEmpty();
    }

    @Test
    void whatSomethingElseReadsIsLeftAlone() {
        assertThat(folded(eval(x -> {
                            Value h = conv("conv", x, 3, kernel(3));
                            return add(batchNorm("bn", h), h);
                        }))
                        .folded())
                .isEmpty();
        assertThat(folded(eval(x -> batchNorm("bn", relu(conv("conv", x, 3, kernel(3))))))
                        .folded())
                .isEmpty();
        assertThat(folded(eval(x -> batchNorm("bn", x))).folded()).isEmpty();
    }

    @Test
    void aLayerThatIsATargetIsLeftAlone() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x = graph.input("x", Shape.of(2, 4, 4));
        try (var module = graph.module("m")) {
            Value h = conv("conv", x, 3, kernel(3));
            assertThat(folded(Program.compile("p", Mode.EVAL, batchNorm("bn", h), h))
                            .folded())
                    .isEmpty();
        }
    }

    @Test
    void aReshapeThatMixesAUnitsElementsIntoSeveralChannelsIsLeftAlone() {
        assertThat(folded(eval(x -> batchNorm("bn", reshape(conv("conv", x, 3, kernel(3)), 6, 2, 1))))
                        .folded())
                .isEmpty();
        assertThat(folded(eval(x -> batchNorm("bn", reshape(conv("conv", x, 6, kernel(3)), 3, 2, 4))))
                        .folded())
                .hasSize(1);
        assertThat(folded(eval(x -> batchNorm("bn", dense("dense", reshape(x, 4, 8), 4))))
                        .folded())
                .isEmpty();
    }

    @Test
    void sharedWeightsAreLeftAlone() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x = graph.input("x", Shape.of(3));
        Network<Value, Value> called = graph.module("called", h -> tanh(batchNorm("bn", dense("layer", h, 3))));
        assertThat(folded(Program.compile("p", Mode.EVAL, called.apply(called.apply(x))))
                        .folded())
                .isEmpty();
        Network<Value, Value> one = graph.module("one", h -> batchNorm("bn", dense("layer", h, 3)));
        Value both = add(one.apply(x), one.at("two").apply(x));
        assertThat(folded(Program.compile("p", Mode.EVAL, both)).folded()).hasSize(2);
        assertThat(folded(Program.compile("p", Mode.EVAL, both).reading("two", "one"))
                        .folded())
                .isEmpty();
    }

    @Test
    void weightsMadeOfOthersAreLeftAlone() {
        Weights spectral = Weights.standard().spectralNorm();
        assertThat(folded(eval(x -> batchNorm("bn", dense("layer", flatten(x), 4, spectral))))
                        .folded())
                .isEmpty();
    }

    @Test
    void aProgramThatReadsAnAverageIsFoldedThere() {
        Program program = gan(ElementType.FLOAT64).reading("generator", "ema/generator");
        BatchNormFolding folding = folded(program);
        assertThat(folding.folded()).hasSize(5);
        assertThat(folding.values().tensors()).containsKey(Path.of("ema/generator/conv1/bias"));
    }

    @Test
    void aBiasOfATakenNameGetsAnother() {
        Program program = eval(x -> {
            Value other = Fixture.parameter(x.graph(), "conv/bias", 3);
            Value h = batchNorm("bn", conv("conv", x, 3, kernel(3).weights(plain())));
            return add(flatten(h), Operators.sum(other));
        });
        assertThat(folded(program).program().parameters()).containsKey(Path.of("m/conv/bias_2"));
    }

    @Test
    void whatCannotBeFoldedAtAllIsRefused() {
        Program program = gan(ElementType.FLOAT64);
        Program train = Program.compile("step", Mode.TRAIN, program.targets().get(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BatchNormFolding.of(train, values(train)))
                .withMessageContaining("program step is compiled for TRAIN");
        SortedMap<Path, Tensor> less = new TreeMap<>(values(program).tensors());
        less.remove(Path.of("generator/bn0/mean"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BatchNormFolding.of(program, new Snapshot(less)))
                .withMessageContaining("generator/bn0/mean");
        less.put(Path.of("generator/bn0/mean"), Tensor.of(Shape.of(3), 1.0, 2, 3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BatchNormFolding.of(program, new Snapshot(less)))
                .withMessageContaining("reads generator/bn0/mean as FLOAT64(8), its value is FLOAT64(3)");
    }
}
