package hocket.gan.networks;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.gan.losses.GanLoss;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Adam;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Selection;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two rounds of a DCGAN, turn by turn through the scheduler, against PyTorch in float64. */
@Tag("golden")
@Tag("engine")
class DcganGoldenTest {
    private static final Adam ADAM = adam(2e-4).beta1(0.5).beta2(0.999).epsilon(1e-8);

    private final JsonNode golden = Golden.read("gan-step.json");

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"FLOAT64", "FLOAT32"})
    void lossesGradientsWeightsAndStatisticsOfBothNetworksArePyTorchsAfterEveryTurn(ElementType type) {
        JsonNode first = golden.get("rounds").get(0);
        Graph graph = new Graph(type);
        int[] batch = Golden.shape(first.get("real")).extents();
        Shape image = Shape.of(batch[1], batch[2], batch[3]);
        int width = golden.get("width").asInt();
        Value noise =
                graph.noise("noise", Shape.of(Golden.shape(first.get("noise_d")).get(1)));
        Value real = graph.input("image", image);
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = DcganGenerator.usual()
                    .width(width)
                    .layers(layers("generator"))
                    .generate(noise, image);
        }
        Network<Value, Value> discriminator = graph.module(
                "discriminator", DcganDiscriminator.usual().width(width).layers(layers("discriminator"))::logit);
        GanLoss loss = GanLoss.nonSaturating();
        Turn.Descend d = Turn.of(
                        "d", Program.compile("d_step", Mode.TRAIN, loss.discriminator(discriminator, real, fake)))
                .updates("discriminator/**", ADAM);
        Turn.Descend g = Turn.of("g", Program.compile("g_step", Mode.TRAIN, loss.generator(discriminator, fake)))
                .updates("generator/**", ADAM);

        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            golden.get("weights")
                    .fields()
                    .forEachRemaining(
                            entry -> parameters.set(stored(entry.getKey()), Golden.numbers(entry.getValue())));
            List<JsonNode> turns = Golden.all(golden, "float64");
            for (int i = 0; i < turns.size(); i++) {
                JsonNode round = golden.get("rounds").get(i / 2);
                JsonNode after = turns.get(i);
                boolean isD = after.get("turn").asText().equals("d");
                Turn.Descend turn = isD ? d : g;
                Feeds feeds = Feeds.of("noise", Golden.tensor(round.get(isD ? "noise_d" : "noise_g"), type));
                if (isD) {
                    feeds = feeds.and("image", Golden.tensor(round.get("real"), type));
                }
                Selection others = Selection.of(isD ? "generator/**" : "discriminator/**");
                String before = parameters.digest(others);

                Event.Descended event = scheduler.step(turn, feeds);

                compare(type, "turn " + i + ": ", scheduler, turn, event.loss(), after);
                assertThat(parameters.digest(others))
                        .as("turn %d leaves the other network as it was", i)
                        .isEqualTo(before);
            }
        }
    }

    private int layers(String network) {
        return Golden.layers(golden.get("weights"), network + ".conv%d.weight");
    }

    private static void compare(
            ElementType type, String turn, Scheduler scheduler, Turn.Descend of, double loss, JsonNode golden) {
        Parameters parameters = scheduler.parameters();
        near(type, turn + "loss", new double[] {loss}, golden.get("loss"), 1e-5);
        golden.get("grads").fields().forEachRemaining(entry -> {
            double[] gradient = scheduler.gradient(of, stored(entry.getKey())).doubles();
            near(type, turn + "gradient by " + entry.getKey(), gradient, entry.getValue(), 1e-4);
        });
        for (String block : new String[] {"params_after", "statistics_after"}) {
            golden.get(block).fields().forEachRemaining(entry -> {
                double[] now = parameters.tensor(stored(entry.getKey())).doubles();
                near(type, turn + entry.getKey(), now, entry.getValue(), 1e-5);
            });
        }
    }

    private static void near(ElementType type, String what, double[] actual, JsonNode golden, double single) {
        if (type == ElementType.FLOAT64) {
            Golden.assertNear(what, actual, Golden.numbers(golden), 1e-9);
        } else {
            Golden.assertNearByMagnitude(what, actual, Golden.numbers(golden), single);
        }
    }

    /** {@code generator.bn0.running_var} is stored as {@code generator/bn0/variance}. */
    private static String stored(String name) {
        String path = name.replace('.', '/');
        if (path.contains("/bn")) {
            path = path.replace("/weight", "/scale")
                    .replace("/bias", "/shift")
                    .replace("running_mean", "mean")
                    .replace("running_var", "variance");
        }
        return path;
    }
}
