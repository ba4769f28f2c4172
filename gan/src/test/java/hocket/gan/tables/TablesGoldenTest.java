package hocket.gan.tables;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.sumOverBatch;
import static hocket.schedulers.optimizers.Optimizers.sgd;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.gan.networks.MlpDiscriminator;
import hocket.gan.parts.Generated;
import hocket.gan.parts.Latents;
import hocket.gan.parts.Pass;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.RowLayout;
import hocket.gan.parts.Scored;
import hocket.gan.terms.AskedCategory;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The parts of a GAN of tables with given weights and noise: outputs and the gradients of all weights against PyTorch. */
@Tag("golden")
@Tag("engine")
class TablesGoldenTest {
    private static final double TOLERANCE = 1e-11; // of numbers up to about 10

    private final JsonNode golden = Golden.read("tables.json").required("networks");
    private final JsonNode settings = golden.required("settings");
    private final int layers = settings.required("layers").asInt();
    private final RowLayout layout = new RowLayout(Golden.all(golden, "blocks").stream()
            .map(span -> new RowLayout.Span(
                    RowLayout.Kind.valueOf(span.get("kind").asText()),
                    span.get("size").asInt()))
            .toList());

    @Test
    void theGeneratorAndTheTermArePyTorchs() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value z = graph.input("z", Shape.of(golden.get("latent").asInt()));
        RowCondition condition = condition(graph.input("choice", Shape.scalar(), ElementType.INT64));
        Shape row = Shape.of(layout.size());
        TabularGenerator part = new TabularGenerator(
                golden.get("units").asInt(),
                layers,
                settings.required("temperature").asDouble(),
                Initialiser.xavier());
        Value u = graph.input("u", row);
        Network<Value, Generated> net = graph.module("net", (Value in) -> part.make(in, condition, row, u));
        Generated made = net.apply(z);
        Pass pass = Pass.ofDiscriminator(
                        (rows, of) -> Scored.of(sum(rows, 0)), made.rows(), condition, made.rows(), condition)
                .with(new Latents(z, noise -> noise, made.heads()))
                .ofGenerator(made.rows());
        double weight = settings.required("weight").asDouble();
        Value term = new AskedCategory(weight).of(pass);
        Value upstream = graph.input("upstream", row);
        Program program =
                Program.compile("net", Mode.TRAIN, add(sum(sumOverBatch(multiply(made.rows(), upstream))), term));
        Value entropy = scale(term, 1 / weight);
        Turn.Descend turn = Turn.of("net", program).updates("net/**", sgd(0)).observes(made.rows(), entropy);
        Feeds feeds = feeds("z").and("u", tensor("u")).and("upstream", tensor("upstream"));
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            set(parameters, golden.get("generator"));
            scheduler.step(turn, feeds.and("choice", tensor("choice")));
            near("rows", scheduler.observed(turn, made.rows()), golden.get("rows"));
            near("term", scheduler.observed(turn, entropy), golden.get("term"));
            gradients(scheduler, turn, "generator_grads");
        }
    }

    @Test
    void theDiscriminatorOfPacksWithConditionsIsPyTorchs() {
        int pack = settings.required("pack").asInt();
        Shape rows = Golden.shape(golden.get("real"));
        Graph graph = new Graph(ElementType.FLOAT64);
        Value real = graph.input("real", Shape.of(pack * rows.get(1)));
        RowCondition condition = condition(graph.input("choice", Shape.of(pack), ElementType.INT64));
        MlpDiscriminator part =
                MlpDiscriminator.usual().width(golden.get("units").asInt()).layers(layers);
        Network<Value, Value> net = graph.module(
                "net", (Value packs) -> part.score(packs, condition).logit());
        Value logit = net.apply(real);
        Program program = Program.compile("net", Mode.TRAIN, sum(sumOverBatch(logit)));
        Turn.Descend turn = Turn.of("net", program).updates("net/**", sgd(0)).observes(logit);
        int packs = rows.get(0) / pack;
        Feeds feeds = Feeds.of("real", tensor("real", Shape.of(packs, pack * rows.get(1))))
                .and("choice", tensor("choice", Shape.of(packs, pack)));
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            set(parameters, golden.get("discriminator"));
            scheduler.step(turn, feeds);
            near("score", scheduler.observed(turn, logit), golden.get("score"));
            gradients(scheduler, turn, "discriminator_grads");
        }
    }

    private RowCondition condition(Value choice) {
        return RowCondition.of(new RowCondition.Table(layout, Optional.of(choice)));
    }

    private Feeds feeds(String name) {
        return Feeds.of(name, tensor(name));
    }

    private Tensor tensor(String name) {
        return tensor(name, Golden.shape(golden.get(name)));
    }

    private Tensor tensor(String name, Shape shape) {
        ElementType type = name.equals("choice") ? ElementType.INT64 : ElementType.FLOAT64;
        return Golden.tensor(shape, type, Golden.numbers(golden.get(name)));
    }

    private static void set(Parameters parameters, JsonNode weights) {
        weights.properties()
                .forEach(weight -> parameters.set("net/" + weight.getKey(), Golden.numbers(weight.getValue())));
    }

    private void gradients(Scheduler scheduler, Turn.Descend turn, String gradients) {
        for (Map.Entry<String, JsonNode> gradient : Golden.entries(golden, gradients)) {
            near(gradient.getKey(), scheduler.gradient(turn, "net/" + gradient.getKey()), gradient.getValue());
        }
    }

    private static void near(String what, Tensor got, JsonNode wanted) {
        Golden.assertNear(what, got.doubles(), Golden.numbers(wanted), TOLERANCE);
    }
}
