package hocket.gan.networks;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.sumOverBatch;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.gan.networks.stylegan.Stylegan2Discriminator;
import hocket.gan.networks.stylegan.Stylegan2Generator;
import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Networks of the box with given weights: outputs and the gradients of all weights against PyTorch. */
@Tag("golden")
@Tag("engine")
class NetworksGoldenTest {
    private static final Initialiser ANY = Initialiser.xavier();

    @TestFactory
    Stream<DynamicTest> outputsAndGradientsArePyTorchs() {
        return tests(Golden.read("networks.json"));
    }

    @TestFactory
    Stream<DynamicTest> outputsAndGradientsOfStyleGansArePyTorchs() {
        return tests(Golden.read("stylegan.json"));
    }

    private static Stream<DynamicTest> tests(JsonNode golden) {
        return Golden.all(golden, "cases").stream()
                .flatMap(net -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                        .map(type -> DynamicTest.dynamicTest(
                                net.get("name").asText()
                                        + (net.get("labelled").asBoolean() ? " of labels " : " ")
                                        + type,
                                () -> check(net, golden.get("classes").asInt(), type))));
    }

    private static Value built(JsonNode golden, Value x, RowCondition condition, Shape rows) {
        String name = golden.get("name").asText();
        Settings of = key -> golden.required("settings").required(key).asInt();
        return switch (name) {
            case "dcgan generator" ->
                new DcganGenerator(of.get("width"), of.get("layers"), ANY, DcganGenerator.LabelInput.NORMS)
                        .generate(x, condition, rows);
            case "sngan generator" ->
                new SnganGenerator(of.get("width"), of.get("blocks"), ANY).generate(x, condition, rows);
            case "sngan discriminator" ->
                logit(new SnganDiscriminator(of.get("width"), of.get("blocks"), of.get("halved"), ANY), x, condition);
            case "r3gan generator" ->
                new R3ganGenerator(of.get("width"), of.get("most"), of.get("doublings"), of.get("blocks"))
                        .generate(x, condition, rows);
            case "r3gan discriminator" ->
                logit(
                        new R3ganDiscriminator(of.get("width"), of.get("most"), of.get("halvings"), of.get("blocks")),
                        x,
                        condition);
            case "stylegan2 generator" ->
                new Stylegan2Generator(
                                of.get("width"),
                                of.get("most"),
                                of.get("doublings"),
                                of.get("mapping"),
                                of.get("style"))
                        .generate(x, condition, rows);
            case "stylegan2 discriminator" ->
                logit(
                        new Stylegan2Discriminator(
                                of.get("width"), of.get("most"), of.get("halvings"), of.get("groups")),
                        x,
                        condition);
            case "unet" -> new Unet(of.get("width"), of.get("layers"), ANY).generate(x, condition, rows);
            case "patch" ->
                logit(new PatchDiscriminator(of.get("width"), of.get("layers"), Norm.INSTANCE, ANY), x, condition);
            default -> throw new IllegalArgumentException("unknown network: " + name);
        };
    }

    /** The settings of a case. */
    private interface Settings {
        int get(String key);
    }

    private static Value logit(Discriminator plain, Value x, RowCondition condition) {
        Discriminator discriminator = condition.label().isPresent() ? new Projection(plain) : plain;
        return discriminator.score(x, condition).logit();
    }

    private static void check(JsonNode golden, int classes, ElementType type) {
        Graph graph = new Graph(type);
        Shape in = rows(golden.get("x"));
        Shape out = rows(golden.get("output"));
        Value x = graph.input("x", in);
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Value upstream = graph.input("upstream", out);
        RowCondition condition =
                golden.get("labelled").asBoolean() ? RowCondition.of(label, classes) : RowCondition.none();
        Network<Value, Value> net = graph.module("net", (Value rows) -> built(golden, rows, condition, out));
        Value y = net.apply(x);
        Program program = Program.compile("net", Mode.TRAIN, sum(sumOverBatch(multiply(y, upstream))));
        Turn.Descend turn = Turn.of("net", program).updates("net/**", sgd(0)).observes(y);
        Feeds feeds = Feeds.of("x", Golden.tensor(golden.get("x"), type))
                .and("upstream", Golden.tensor(golden.get("upstream"), type));
        if (condition.label().isPresent()) {
            feeds = feeds.and("label", Golden.tensor(golden.get("label"), ElementType.INT64));
        }
        for (Map.Entry<String, JsonNode> noise : golden.path("noises").properties()) {
            feeds = feeds.and("net#1/" + noise.getKey(), Golden.tensor(noise.getValue(), type));
        }
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            golden.get("weights")
                    .properties()
                    .forEach(weight -> parameters.set("net/" + weight.getKey(), Golden.numbers(weight.getValue())));
            golden.get("u")
                    .properties()
                    .forEach(u -> parameters.set("net/" + u.getKey() + "/u", Golden.numbers(u.getValue())));
            scheduler.step(turn, feeds);
            double tolerance = type == ElementType.FLOAT64 ? 1e-11 : 1e-4;
            near("output", scheduler.observed(turn, y), golden.get("output"), tolerance);
            for (Map.Entry<String, JsonNode> gradient : golden.get("grads").properties()) {
                near(
                        gradient.getKey(),
                        scheduler.gradient(turn, "net/" + gradient.getKey()),
                        gradient.getValue(),
                        tolerance);
            }
            graph.declarations().stream()
                    .filter(declaration -> declaration.kind() == Kind.WEIGHT)
                    .map(declaration -> declaration.path().text().substring("net/".length()))
                    .forEach(name -> assertThat(golden.get("grads").has(name))
                            .as("%s has gradients in the file", name)
                            .isTrue());
        }
    }

    private static Shape rows(JsonNode tensor) {
        int[] extents = Golden.shape(tensor).extents();
        return Shape.of(Arrays.copyOfRange(extents, 1, extents.length));
    }

    private static void near(String what, Tensor got, JsonNode wanted, double tolerance) {
        Golden.assertNearByMagnitude(what, got.doubles(), Golden.numbers(wanted), tolerance, 1);
    }
}
