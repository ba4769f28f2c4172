package hocket.gan.networks;

import static hocket.schedulers.optimizers.Optimizers.sgd;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.gan.losses.GanLoss;
import hocket.gan.parts.Codes;
import hocket.gan.parts.ConditionDefinition;
import hocket.gan.parts.Discriminator;
import hocket.gan.parts.Generator;
import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.gan.terms.AuxiliaryClasses;
import hocket.gan.terms.FeatureMatching;
import hocket.gan.terms.Information;
import hocket.gan.terms.LabelSmoothing;
import hocket.gan.terms.LatentConsistency;
import hocket.gan.terms.ModeSeeking;
import hocket.gan.terms.OrthogonalTerm;
import hocket.gan.terms.Term;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Terms, heads and codes composed as a file composes them: values and gradients of both networks against PyTorch. */
@Tag("golden")
@Tag("engine")
class TermsGoldenTest {
    @TestFactory
    Stream<DynamicTest> valuesAndGradientsArePyTorchs() {
        return Golden.all(Golden.read("terms.json"), "cases").stream()
                .flatMap(golden -> Golden.entries(golden, "results").stream()
                        .map(result ->
                                DynamicTest.dynamicTest(golden.get("name").asText() + ", " + result.getKey(), () -> {
                                    check(golden, result.getKey(), result.getValue(), ElementType.FLOAT64);
                                    check(golden, result.getKey(), result.getValue(), ElementType.FLOAT32);
                                })));
    }

    private static void check(JsonNode golden, String key, JsonNode wanted, ElementType type) {
        boolean isCoded = switch (golden.get("name").asText()) {
            case "code" -> true;
            case "labels" -> false;
            default -> throw new IllegalArgumentException("unknown case of terms.json: " + golden.get("name"));
        };
        String name = key.substring(0, key.lastIndexOf(' '));
        Side side = Side.valueOf(key.substring(name.length() + 1).toUpperCase(Locale.ROOT));
        int classes = golden.get("classes").asInt();
        int numbers = golden.get("numbers").asInt();
        int width = golden.get("width").asInt();
        JsonNode weights = golden.get("weights");
        Discriminator mlp =
                MlpDiscriminator.usual().width(width).layers(Golden.layers(weights, "discriminator.hidden%d.weight"));
        Generator generator =
                MlpGenerator.usual().width(width).layers(Golden.layers(weights, "generator.hidden%d.weight"));
        Discriminator discriminator = name.equals("projection hinge")
                ? new Projection(mlp)
                : new LinearHeads(
                        mlp, isCoded ? Map.of("category", classes, "numbers", numbers) : Map.of("class", classes));
        ConditionDefinition condition = isCoded ? new Codes(classes, numbers) : ConditionDefinition.labels(classes);
        JsonNode fed = golden.get("fed");
        Shape row = Shape.of(Golden.shape(fed.get("x")).get(1));
        Gan gan = Gan.of(generator, discriminator)
                .latent(Golden.shape(fed.get("noise")).get(1))
                .condition(condition)
                .rows("x");
        GanPasses passes = GanPasses.of(
                gan,
                new Columns(List.of(
                        new Source.Column("x", row, type),
                        new Source.Column("label", Shape.scalar(), ElementType.INT64))),
                new Graph(type));
        Pass pass = side == Side.GENERATOR ? passes.ofGenerator() : passes.ofDiscriminator();
        Loss loss = loss(name, wanted.required("settings"), pass);
        Program program = Program.compile("term", Mode.TRAIN, loss);
        Turn.Descend turn = Turn.of("term", program);
        for (Map.Entry<String, JsonNode> gradient : wanted.get("grads").properties()) {
            turn = turn.updates(stored(gradient.getKey()), sgd(0));
        }
        Feeds feeds = Feeds.rows(Golden.shape(fed.get("x")).get(0));
        for (Value read : Stream.concat(program.inputs().stream(), program.noises().stream())
                .toList()) {
            String path = read.path().text();
            feeds = feeds.and(path, Golden.tensor(fed.get(path), path.equals("label") ? ElementType.INT64 : type));
        }
        List<Declaration> declarations = passes.fake().graph().declarations();
        List<String> paths =
                declarations.stream().map(each -> each.path().text()).toList();
        try (Parameters parameters = Parameters.initialise(declarations, Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            for (Map.Entry<String, JsonNode> weight : weights.properties()) {
                if (paths.contains(stored(weight.getKey()))) { // each case has the heads of its discriminator
                    parameters.set(stored(weight.getKey()), Golden.numbers(weight.getValue()));
                }
            }
            Event.Descended event = scheduler.step(turn, feeds);
            double tolerance = type == ElementType.FLOAT64 ? 1e-12 : 1e-5;
            Golden.assertNear("value", new double[] {event.loss()}, Golden.numbers(wanted.get("value")), tolerance);
            for (Map.Entry<String, JsonNode> gradient : Golden.entries(wanted, "grads")) {
                double[] got =
                        scheduler.gradient(turn, stored(gradient.getKey())).doubles();
                Golden.assertNearByMagnitude(gradient.getKey(), got, Golden.numbers(gradient.getValue()), tolerance, 1);
            }
        }
    }

    private static String stored(String name) {
        return name.replace('.', '/')
                .replace("label/weight", "label/table")
                .replace("projection/weight", "projection/table");
    }

    private static Loss loss(String name, JsonNode settings, Pass pass) {
        ToDoubleFunction<String> number = key -> settings.required(key).asDouble();
        return switch (name) {
            case "classes" -> of(new AuxiliaryClasses(number.applyAsDouble("weight")), pass);
            case "information" ->
                of(new Information(number.applyAsDouble("weight"), number.applyAsDouble("numbers_weight")), pass);
            case "feature_matching" -> of(new FeatureMatching(number.applyAsDouble("weight")), pass);
            case "mode_seeking" -> of(new ModeSeeking(number.applyAsDouble("weight")), pass);
            case "latent_consistency" ->
                of(
                        new LatentConsistency(
                                number.applyAsDouble("lambda_dis"),
                                number.applyAsDouble("lambda_gen"),
                                number.applyAsDouble("sigma")),
                        pass);
            case "orthogonal" ->
                of(
                        new OrthogonalTerm(
                                number.applyAsDouble("weight"),
                                Golden.all(settings, "weights").stream()
                                        .map(weight -> stored(weight.asText()))
                                        .toList()),
                        pass);
            case "non_saturating with label_smoothing" ->
                GanLoss.nonSaturating()
                        .with(new LabelSmoothing(number.applyAsDouble("share")))
                        .discriminator(pass);
            case "projection hinge" ->
                pass.side() == Side.GENERATOR
                        ? GanLoss.hinge().generator(pass)
                        : GanLoss.hinge().discriminator(pass);
            default -> throw new IllegalArgumentException("unknown term of terms.json: " + name);
        };
    }

    private static Loss of(Term term, Pass pass) {
        return Loss.of(term.of(pass));
    }
}
