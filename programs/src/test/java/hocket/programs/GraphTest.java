package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.max;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import hocket.programs.Graph.Opening;
import hocket.programs.layers.Weights;
import hocket.programs.operators.Leaf;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Names, sharing and shapes: what is decided while a graph is built. */
class GraphTest {
    private final Graph graph = new Graph();
    private final Value image = graph.input("image", Shape.of(3, 8, 8));
    private final Value row = graph.input("row", Shape.of(6));

    @Test
    void valuesAndParametersAreNamedByTheScopesAroundThem() {
        Value convolved;
        try (var generator = graph.module("generator")) {
            try (var up = graph.scope("up")) {
                convolved = conv("conv1", image, 4, kernel(3));
                assertThat(up.value("conv1")).isSameAs(convolved);
            }
            assertThat(generator.value("up/conv1")).isSameAs(convolved);
        }
        assertThat(convolved.path()).isEqualTo(Path.of("generator/up/conv1"));
        assertThat(graph.value("generator/up/conv1")).isSameAs(convolved);
        assertThat(paths(graph)).containsExactly("generator/up/conv1/bias", "generator/up/conv1/weight");
        assertThat(graph.value("generator/up/conv1/weight").operator()).isInstanceOf(Leaf.Variable.class);
    }

    @Test
    void aGuardStaysAReferenceAfterItsScopeWasClosed() {
        Scope<Value> kept;
        try (var module = graph.module("m")) {
            kept = module;
            dense("layer", row, 2);
        }
        assertThat(kept.value("layer").shape()).isEqualTo(Shape.of(2));
    }

    @Test
    void onlyOperatorsWithoutParametersAreNumbered() {
        try (var module = graph.module("m")) {
            assertThat(relu(row).path()).isEqualTo(Path.of("m/relu"));
            assertThat(relu(row).path()).isEqualTo(Path.of("m/relu_2"));
            assertThat(tanh(row).path()).isEqualTo(Path.of("m/tanh"));
            assertThat(dense("layer", row, 2).path()).isEqualTo(Path.of("m/layer"));
        }
        assertThat(relu(row).path()).isEqualTo(Path.of("relu"));
    }

    @Test
    void aNumberThatANameTookIsLeftOut() {
        graph.name("relu_2", tanh(row));
        assertThat(relu(row).path()).isEqualTo(Path.of("relu"));
        assertThat(relu(row).path()).isEqualTo(Path.of("relu_3"));
    }

    @Test
    void addingALayerRenamesReseedsAndMovesNothingElse() {
        Map<Path, double[]> few = firstValues(false);
        Map<Path, double[]> more = firstValues(true);
        assertThat(more).hasSizeGreaterThan(few.size());
        few.forEach((path, values) -> assertThat(more.get(path)).as("%s", path).isEqualTo(values));
    }

    private static Map<Path, double[]> firstValues(boolean more) {
        Graph graph = new Graph();
        Value h = graph.input("x", Shape.of(6));
        try (var module = graph.module("m")) {
            h = leakyRelu(dense("first", h, 6), 0.2);
            if (more) {
                h = dropout("drop", relu(batchNorm("norm", dense("added", h, 6))), 0.5);
            }
            h = dense("last", leakyRelu(h, 0.2), 1);
        }
        Map<Path, double[]> values = new TreeMap<>();
        for (Declaration d : graph.declarations()) {
            Stream stream = Streams.seed(7).at(d.path());
            values.put(d.path(), d.initialiser().values(d.shape(), d.fan(), stream));
        }
        return values;
    }

    @Test
    void aScopeOpenedTwiceNamesBothPlaces() {
        assertThatIllegalStateException()
                .isThrownBy(() -> {
                    try (var module = graph.module("m")) {
                        try (var up = graph.scope("up")) {
                            relu(row);
                        }
                        graph.scope("up");
                    }
                })
                .withMessageContaining("scope m/up was opened already at " + here(-6))
                .withMessageContaining("again at " + here(-4))
                .withMessageContaining("REUSE");
    }

    @Test
    void aModuleDefinedTwiceNamesBothPlaces() {
        graph.module("critic", x -> x);
        assertThatIllegalStateException()
                .isThrownBy(() -> graph.module("critic", x -> x))
                .withMessageContaining("critic was defined already at " + here(-3))
                .withMessageContaining("again at " + here(-2));
        assertThatIllegalStateException()
                .isThrownBy(() -> graph.module("critic"))
                .withMessageContaining(here(-7))
                .withMessageContaining(here(-2));
    }

    @Test
    void aModuleInsideAScopeIsRefused() {
        try (var module = graph.module("m")) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> graph.module("inner"))
                    .withMessageContaining("inside scope m")
                    .withMessageContaining("scope(\"inner\")");
        }
    }

    @Test
    void reuseSharesParametersAndNumbersValues() {
        try (var module = graph.module("m")) {
            try (var head = graph.scope("head")) {
                dense("layer", row, 2);
            }
            try (var head = graph.scope("head", Opening.REUSE)) {
                assertThat(dense("layer", row, 2).path()).isEqualTo(Path.of("m/head#2/layer"));
            }
            try (var head = graph.scope("head", Opening.REUSE)) {
                assertThat(dense("layer", row, 2).path()).isEqualTo(Path.of("m/head#3/layer"));
            }
        }
        assertThat(paths(graph)).containsExactly("m/head/layer/bias", "m/head/layer/weight");
    }

    @Test
    void reuseOfAScopeThatWasNeverOpenedIsRefused() {
        try (var module = graph.module("m")) {
            graph.scope("head").close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> graph.scope("haed", Opening.REUSE))
                    .withMessageContaining("scope m/haed cannot be reused at " + here(-1))
                    .withMessageContaining("did you mean m/head?");
        }
    }

    @Test
    void scopesClosedOutOfOrderNameBoth() {
        var outer = graph.module("outer");
        var inner = graph.scope("inner");
        assertThatIllegalStateException()
                .isThrownBy(outer::close)
                .withMessageContaining("scope outer, opened at " + here(-4))
                .withMessageContaining(", is closed out of order: outer/inner, opened inside it at " + here(-4));
        inner.close();
        outer.close();
        relu(row);
    }

    @Test
    void twoValuesOfOneNameNameBothPlaces() {
        try (var module = graph.module("m")) {
            dense("layer", row, 2);
            assertThatIllegalStateException()
                    .isThrownBy(() -> dense("layer", row, 2))
                    .withMessageContaining("two values are called m/layer")
                    .withMessageContaining("one at " + here(-4))
                    .withMessageContaining("one at " + here(-3));
        }
    }

    @Test
    void aValueMayNotTakeTheNameOfAParameter() {
        try (var module = graph.module("m")) {
            Value layer = dense("layer", row, 2);
            assertThatIllegalStateException()
                    .isThrownBy(() -> graph.name("layer/weight", relu(layer)))
                    .withMessageContaining("two values are called m/layer/weight")
                    .withMessageContaining(here(-4))
                    .withMessageContaining(here(-3));
        }
    }

    @Test
    void aNameMayNotHoldTheNumberOfACall() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> graph.module("m#2"))
                .withMessageContaining("\"m#2\"");
    }

    @Test
    void oneParameterDeclaredInTwoWaysNamesBothPlaces() {
        Network<Value, Value> critic = graph.module("critic", x -> dense("layer", flatten(x), 2, weights(x)));
        critic.apply(row);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> critic.apply(reshape(row, 2, 3)))
                .withMessageContaining("parameter critic/layer/weight was declared at " + here(-4))
                .withMessageContaining("Constant[value=1.0]")
                .withMessageContaining("Constant[value=2.0]");
    }

    private static Weights weights(Value x) {
        return Weights.weights(Initialiser.constant(x.shape().rank()));
    }

    @Test
    void aParameterWithoutAModuleIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> dense("layer", row, 2))
                .withMessageContaining("parameter layer/weight at " + here(-1))
                .withMessageContaining(" has no module");
    }

    @Test
    void aNetworkCalledTwiceSharesItsParametersAndNumbersItsValues() {
        Network<Value, Value> critic = graph.module("critic", x -> dense("logit", x, 1));
        Value first = critic.apply(row);
        Value second = critic.apply(relu(row));
        assertThat(first.path()).isEqualTo(Path.of("critic#1/logit"));
        assertThat(second.path()).isEqualTo(Path.of("critic#2/logit"));
        assertThat(first.inputs().subList(1, 3)).isEqualTo(second.inputs().subList(1, 3));
        assertThat(paths(graph)).containsExactly("critic/logit/bias", "critic/logit/weight");
        assertThat(graph.value("critic#2/logit")).isSameAs(second);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> graph.value("critic/logit"))
                .withMessageContaining("critic/logit is ambiguous, it can be critic#1/logit or critic#2/logit");
    }

    @Test
    void theNumberOfAnOnlyCallMayBeLeftOut() {
        Network<Value, Value> critic = graph.module("critic", x -> dense("logit", x, 1));
        Value only = critic.apply(row);
        assertThat(graph.value("critic/logit")).isSameAs(only);
    }

    @Test
    void aNetworkWithScopesInsideMayBeCalledAgain() {
        Network<Value, Value> critic = graph.module("critic", x -> {
            Value h = x;
            try (var body = graph.scope("body")) {
                h = dense("layer", h, 4);
            }
            try (var body = graph.scope("body", Opening.REUSE)) {
                return relu(h);
            }
        });
        critic.apply(row);
        assertThat(critic.apply(row).path()).isEqualTo(Path.of("critic#2/body#2/relu"));
        assertThat(paths(graph)).containsExactly("critic/body/layer/bias", "critic/body/layer/weight");
        assertThatIllegalStateException()
                .isThrownBy(() -> graph.module("twice", x -> {
                            graph.scope("body").close();
                            return graph.scope("body");
                        })
                        .apply(row));
    }

    @Test
    void aNetworkAtAnotherPathHasParametersOfItsOwn() {
        Network<Value, Value> critic = graph.module("critic", x -> dense("logit", x, 1));
        Network<Value, Value> target = critic.at("target/critic");
        critic.apply(row);
        assertThat(target.apply(row).path()).isEqualTo(Path.of("target/critic#1/logit"));
        critic.at("target/critic").apply(row);
        assertThat(paths(graph))
                .containsExactly(
                        "critic/logit/bias",
                        "critic/logit/weight",
                        "target/critic/logit/bias",
                        "target/critic/logit/weight");
    }

    @Test
    void aNetworkMayNotMoveToWhereAnotherModuleIs() {
        Network<Value, Value> critic = graph.module("critic", x -> dense("logit", x, 1));
        graph.module("actor", x -> x);
        assertThatIllegalStateException()
                .isThrownBy(() -> critic.at("actor"))
                .withMessageContaining(here(-3))
                .withMessageContaining(here(-2));
    }

    @Test
    void twoNetworksShareATrunkWhoseParametersStayItsOwn() {
        Network<Value, Value> trunk = graph.module("trunk", x -> relu(dense("layer", x, 4)));
        Network<Value, Value> actor = graph.module("actor", x -> dense("head", trunk.apply(x), 2));
        Network<Value, Value> critic = graph.module("critic", x -> dense("head", trunk.apply(x), 1));
        Value action = actor.apply(row);
        Value value = critic.apply(row);
        assertThat(paths(graph))
                .containsExactly(
                        "actor/head/bias",
                        "actor/head/weight",
                        "critic/head/bias",
                        "critic/head/weight",
                        "trunk/layer/bias",
                        "trunk/layer/weight");
        assertThat(action.path()).isEqualTo(Path.of("actor#1/head"));
        assertThat(value.inputs().get(0).path()).isEqualTo(Path.of("trunk#2/relu"));
    }

    @Test
    void anUnknownPathSuggestsTheNearest() {
        try (var module = graph.module("generator")) {
            dense("project", row, 2);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> graph.value("generator/projekt"))
                .withMessage("no value is called generator/projekt; did you mean generator/project?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> graph.value("generator/project/wieght"))
                .withMessageContaining("did you mean generator/project/weight?");
    }

    @Test
    void aNamedInputNoiseOrParameterKeepsThePathByWhichItIsFedDrawnOrStored() {
        Value noise = graph.noise("z", Shape.of(2));
        try (var module = graph.module("m")) {
            dense("layer", row, 2);
            for (Value leaf : List.of(row, noise, graph.value("m/layer/weight"))) {
                Path before = leaf.path();
                String alias = "my_" + leaf.path().name();
                assertThat(graph.name(alias, leaf).path()).isEqualTo(before);
                assertThat(graph.value("m/" + alias)).isSameAs(leaf);
            }
        }
    }

    @Test
    void wrongChannelsAreRefusedWithBothNumbers() {
        Network<Value, Value> discriminator = graph.module(
                "discriminator", x -> conv("conv1", x, 64, kernel(4).stride(2).pad(1)));
        discriminator.apply(graph.input("real", Shape.of(1, 8, 8)));
        refuses(
                () -> discriminator.apply(image),
                "discriminator/conv1: weight (64,1,4,4) needs 1 channel, input has 3 (at " + here(-4));
    }

    @Test
    void wrongWidthsAreRefusedWithBothNumbers() {
        Network<Value, Value> critic = graph.module("critic", x -> dense("layer", x, 2));
        critic.apply(row);
        refuses(
                () -> critic.apply(image),
                "critic/layer: weight (2,6) needs a last axis of 6, input is image (batch,3,8,8)");
        Network<Value, Value> up = graph.module("up", x -> convTranspose("conv", x, 2, kernel(4)));
        up.apply(image);
        refuses(
                () -> up.apply(graph.input("grey", Shape.of(1, 8, 8))),
                "up/conv: weight (3,2,4,4) needs 3 channels, input has 1");
        Network<Value, Value> norm = graph.module("norm", x -> batchNorm("layer", x));
        norm.apply(image);
        refuses(() -> norm.apply(row), "norm/layer/scale was declared at");
    }

    @Test
    void reshapeChecksTheSize() {
        refuses(() -> reshape(row, 2, 4), "reshape: shape (2,4) has 8 elements, input (6) has 6");
        assertThat(reshape(row, 3, 2).shape()).isEqualTo(Shape.of(3, 2));
        assertThat(flatten(image).shape()).isEqualTo(Shape.of(192));
    }

    @Test
    void extentsAreAlignedAtTheEndAndOneIsRepeated() {
        Value map = graph.input("map", Shape.of(8, 1));
        assertThat(add(image, map).toString()).endsWith("(batch,3,8,8)");
        assertThat(add(map, image).shape()).isEqualTo(Shape.of(3, 8, 8));
        Value weight;
        try (var module = graph.module("m")) {
            dense("layer", row, 4);
            weight = graph.value("m/layer/weight");
        }
        assertThat(weight.batched()).isFalse();
        assertThat(multiply(weight, row)).satisfies(product -> {
            assertThat(product.batched()).isTrue();
            assertThat(product.shape()).isEqualTo(Shape.of(4, 6));
        });
        assertThat(multiply(weight, weight).batched()).isFalse();
        assertThat(add(mean(row), row).shape()).isEqualTo(Shape.of(6));
        refuses(() -> add(image, row), "add: needs shapes that agree from the end");
    }

    @Test
    void typesAreNotMixed() {
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        refuses(() -> add(row, label), "needs two inputs of one type");
        refuses(() -> add(label, label), "needs FLOAT32 or FLOAT64");
        refuses(() -> relu(label), "needs FLOAT32 or FLOAT64");
        refuses(() -> sum(label), "needs FLOAT32 or FLOAT64");
        refuses(() -> graph.input("wide", Shape.of(2), ElementType.FLOAT64), "this graph computes in FLOAT32");
        refuses(() -> new Graph(ElementType.INT64), "not INT64");
    }

    @Test
    void axesAreChecked() {
        refuses(() -> sum(row, 1), "there is no axis 1 in row (batch,6) (the batch axis is not counted)");
        refuses(() -> max(row, -1), "there is no axis -1");
        refuses(() -> slice(row, 0, 4, 7), "cannot take 4 to 7 of axis 0, which has 6");
        refuses(() -> slice(row, 0, 4, 4), "cannot take 4 to 4");
        refuses(() -> concat(0, row, image), "needs inputs of equal shape except along axis 0");
        refuses(() -> concat(0), "at least one value");
        assertThat(concat(0, row, row).shape()).isEqualTo(Shape.of(12));
        assertThat(argMax(row)).satisfies(index -> {
            assertThat(index.type()).isEqualTo(ElementType.INT64);
            assertThat(index.shape()).isEqualTo(Shape.scalar());
        });
    }

    @Test
    void windowsMustFit() {
        try (var module = graph.module("m")) {
            refuses(() -> conv("a", image, 2, kernel(9)), "m/a: kernel spans 9 pixels, the padded input has 8");
            refuses(() -> conv("b", row, 2, kernel(1)), "b: needs an image (channels, height, width)");
            refuses(() -> conv("c", image, 2, kernel(1).groups(2)), "2 groups must divide 3 channels and 2 filters");
            refuses(() -> convTranspose("d", image, 2, kernel(2).pad(5)), "padding leaves no output");
            refuses(() -> kernel(0), "size of a kernel must be two numbers of at least 1");
        }
    }

    @Test
    void whatIsLookedUpMustBeAnIntegerThatIsCheckedOrBounded() {
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        try (var module = graph.module("m")) {
            refuses(() -> embedding("table", row, 5, 2), "needs INT64 indices");
            refuses(
                    () -> embedding("table", argMax(row), 5, 2),
                    "needs indices from 0 to 4, m/argmax (batch) INT64 has up to 5");
            refuses(
                    () -> embedding("table", concat(0, reshape(label, 1), reshape(argMax(row), 1)), 5, 2),
                    "needs indices from 0 to 4, m/argmax_2 (batch) INT64 has up to 5");
            Value sequence = graph.constant(Tensor.of(Shape.of(3), 0L, 7L, -1L));
            refuses(() -> embedding("seven", slice(sequence, 0, 0, 2), 7, 2), "needs indices from 0 to 6");
            refuses(() -> embedding("nine", sequence, 9, 2), "m/constant (3) INT64 has -1");
            assertThat(embedding("five", slice(reshape(label, 1), 0, 0, 1), 5, 2)
                            .shape())
                    .isEqualTo(Shape.of(1, 2));
        }
        refuses(() -> pick(row, row), "needs values (…, n) and INT64 indices (…)");
        assertThat(pick(row, label).shape()).isEqualTo(Shape.scalar());
    }

    @Test
    void noiseThatCannotBeDrawnIsRefused() {
        refuses(() -> dropout("drop", row, 1), "dropout: rate must be in [0, 1), was 1.0");
        refuses(() -> new Leaf.Distribution.Uniform(1, 1), "uniform noise needs finite bounds");
    }

    @Test
    void everyOperatorSaysHowItIsSet() {
        assertThat(leakyRelu(row, 0.2).operator().settings()).isEqualTo("slope 0.2");
        assertThat(slice(row, 0, 1, 3).operator().settings()).isEqualTo("axis 0 from 1 to 3");
        assertThat(sum(row).operator().settings()).isEmpty();
        assertThat(sum(row, 0).operator().settings()).isEqualTo("axis 0");
        try (var module = graph.module("m")) {
            assertThat(conv("c", image, 2, kernel(4).stride(2).pad(1))
                            .operator()
                            .settings())
                    .isEqualTo("kernel 4x4 stride 2 pad 1");
        }
        assertThat(graph.noise("z", Shape.of(1)).operator().settings()).isEqualTo("normal");
    }

    @Test
    void valuesOfAnotherGraphAreRefused() {
        Value stranger = new Graph().input("x", Shape.of(6));
        refuses(() -> add(row, stranger), "add: x (batch,6) belongs to another graph (at " + here(0));
        refuses(() -> graph.name("mine", stranger), "mine: x (batch,6) belongs to another graph");
    }

    private static void refuses(ThrowingCallable made, String message) {
        assertThatIllegalArgumentException().isThrownBy(made).withMessageContaining(message);
    }

    private static List<String> paths(Graph graph) {
        return graph.declarations().stream()
                .map(Declaration::path)
                .map(Path::text)
                .collect(Collectors.toList());
    }

    /** The line of the caller, or one that many lines from it, as messages write it. */
    private static String here(int lines) {
        StackWalker.StackFrame frame = StackWalker.getInstance()
                .walk(frames -> frames.skip(1).findFirst().orElseThrow());
        return frame.getFileName() + ":" + (frame.getLineNumber() + lines);
    }

    @Test
    void wholeNumbersAreRefusedWhereTheEngineWouldFailOnThem() {
        Graph whole = new Graph();
        Value label = whole.input("label", Shape.of(4), ElementType.INT64);
        try (Scope<Value> module = whole.module("m")) {
            for (Runnable misuse : List.<Runnable>of(
                    () -> Layers.dense("dense", label, 3),
                    () -> Layers.batchNorm("norm", label),
                    () -> Operators.softmax(label),
                    () -> Operators.argMax(label))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(misuse::run)
                        .withMessageContaining("needs FLOAT32 or FLOAT64, got label (batch,4) INT64");
            }
        }
    }
}
