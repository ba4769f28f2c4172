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
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The parts of a GAN of tables with given weights and noise: outputs and the gradients of all weights against PyTorch. */
@Tag("golden")
@Tag("engine")
class TablesGoldenTest {
    private static final double TOLERANCE = 1e-11; // of numbers up to about 10
    private static final JsonNode GOLDEN = Golden.read("tables.json").get("networks");
    private static final RowLayout LAYOUT =
            new RowLayout(StreamSupport.stream(GOLDEN.get("blocks").spliterator(), false)
                    .map(span -> new RowLayout.Span(
                            RowLayout.Kind.valueOf(span.get("kind").asText()),
                            span.get("size").asInt()))
                    .toList());
    private static final long[] CHOICE = DoubleStream.of(Golden.numbers(GOLDEN.get("choice")))
            .mapToLong(each -> (long) each)
            .toArray();

    @Test
    void theGeneratorAndTheTermArePyTorchs() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value z = graph.input("z", Shape.of(GOLDEN.get("latent").asInt()));
        RowCondition condition = condition(graph.input("choice", Shape.scalar(), ElementType.INT64));
        Shape row = Shape.of(LAYOUT.size());
        TabularGenerator part = new TabularGenerator(GOLDEN.get("units").asInt(), 2, 0.2, Initialiser.xavier());
        Value u = graph.input("u", row);
        Network<Value, Generated> net = graph.module("net", (Value in) -> part.make(in, condition, row, u));
        Generated made = net.apply(z);
        Pass pass = Pass.ofDiscriminator(
                        (rows, of) -> Scored.of(sum(rows, 0)), made.rows(), condition, made.rows(), condition)
                .with(new Latents(z, noise -> noise, made.heads()))
                .ofGenerator(made.rows());
        Value term = new AskedCategory(2).of(pass);
        Value upstream = graph.input("upstream", row);
        Program program =
                Program.compile("net", Mode.TRAIN, add(sum(sumOverBatch(multiply(made.rows(), upstream))), term));
        Value half = scale(term, 0.5);
        Turn.Descend turn = Turn.of("net", program).updates("net/**", sgd(0)).observes(made.rows(), half);
        Feeds feeds = feeds("z").and("u", tensor("u")).and("upstream", tensor("upstream"));
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            set(parameters, GOLDEN.get("generator"));
            scheduler.step(turn, feeds.and("choice", Tensor.of(Shape.of(CHOICE.length), CHOICE)));
            near("rows", scheduler.observed(turn, made.rows()), GOLDEN.get("rows"));
            near("term", scheduler.observed(turn, half), GOLDEN.get("term"));
            gradients(scheduler, turn, GOLDEN.get("generator_grads"));
        }
    }

    @Test
    void theDiscriminatorOfPacksWithConditionsIsPyTorchs() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value real = graph.input("real", Shape.of(2 * LAYOUT.size()));
        RowCondition condition = condition(graph.input("choice", Shape.of(2), ElementType.INT64));
        MlpDiscriminator part =
                MlpDiscriminator.usual().width(GOLDEN.get("units").asInt());
        Network<Value, Value> net =
                graph.module("net", (Value rows) -> part.score(rows, condition).logit());
        Value logit = net.apply(real);
        Program program = Program.compile("net", Mode.TRAIN, sum(sumOverBatch(logit)));
        Turn.Descend turn = Turn.of("net", program).updates("net/**", sgd(0)).observes(logit);
        int packs = CHOICE.length / 2;
        Feeds feeds = Feeds.of(
                        "real",
                        Golden.tensor(
                                Shape.of(packs, 2 * LAYOUT.size()),
                                ElementType.FLOAT64,
                                Golden.numbers(GOLDEN.get("real"))))
                .and("choice", Tensor.of(Shape.of(packs, 2), CHOICE));
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            set(parameters, GOLDEN.get("discriminator"));
            scheduler.step(turn, feeds);
            near("score", scheduler.observed(turn, logit), GOLDEN.get("score"));
            gradients(scheduler, turn, GOLDEN.get("discriminator_grads"));
        }
    }

    private static RowCondition condition(Value choice) {
        return RowCondition.of(new RowCondition.Table(LAYOUT, Optional.of(choice)));
    }

    private static Feeds feeds(String name) {
        return Feeds.of(name, tensor(name));
    }

    private static Tensor tensor(String name) {
        return Golden.tensor(GOLDEN.get(name), ElementType.FLOAT64);
    }

    private static void set(Parameters parameters, JsonNode weights) {
        weights.properties()
                .forEach(weight -> parameters.set("net/" + weight.getKey(), Golden.numbers(weight.getValue())));
    }

    private static void gradients(Scheduler scheduler, Turn.Descend turn, JsonNode gradients) {
        for (Map.Entry<String, JsonNode> gradient : gradients.properties()) {
            near(gradient.getKey(), scheduler.gradient(turn, "net/" + gradient.getKey()), gradient.getValue());
        }
    }

    private static void near(String what, Tensor got, JsonNode wanted) {
        Golden.assertNear(what, got.doubles(), Golden.numbers(wanted), TOLERANCE);
    }
}
