package hocket.gan.vae;

import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.gan.networks.MlpDiscriminator;
import hocket.gan.networks.MlpGenerator;
import hocket.programs.Graph;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Columns;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A small VAE/GAN with given weights: the losses of its three turns and the gradients of all weights against PyTorch. */
@Tag("golden")
@Tag("engine")
class VaeGanGoldenTest {
    private final JsonNode golden = Golden.read("vaegan.json");

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void lossesAndGradientsOfTheThreeTurnsArePyTorchs(ElementType type) {
        double tolerance = type == ElementType.FLOAT64 ? 1e-12 : 1e-5;
        Shape rows = Golden.shape(golden.at("/inputs/rows"));
        int width = golden.get("width").asInt();
        Initialiser any = Initialiser.xavier();
        Networks networks = new VaeGan(
                        golden.get("latent").asInt(),
                        MlpGenerator.usual()
                                .width(width)
                                .layers(layers("encoder"))
                                .weights(any),
                        MlpGenerator.usual()
                                .width(width)
                                .layers(layers("generator"))
                                .bounded(true)
                                .weights(any),
                        MlpDiscriminator.usual()
                                .width(width)
                                .layers(layers("discriminator"))
                                .weights(any),
                        golden.get("gamma").asDouble())
                .build(
                        new Graph(type),
                        "rows",
                        new Columns(List.of(new Source.Column("rows", Shape.of(rows.get(1)), ElementType.FLOAT32))));
        try (Parameters parameters = Parameters.initialise(networks.graph().declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1);
                Session session = Session.over(networks.graph(), parameters)) {
            assertThat(networks.graph().declarations())
                    .hasSize(golden.get("weights").size());
            golden.get("weights")
                    .properties()
                    .forEach(weight -> parameters.set(weight.getKey(), Golden.numbers(weight.getValue())));
            assertThat(golden.get("turns").fieldNames())
                    .toIterable()
                    .containsExactlyInAnyOrder("encoder", "generator", "discriminator");
            for (Map.Entry<String, JsonNode> wanted : golden.get("turns").properties()) {
                String name = wanted.getKey();
                Turn.Descend turn = Turn.of(name, networks.program(name)).updates(name + "/**", sgd(0));
                Event.Descended event = scheduler.step(turn, feeds(type, networks.program(name)));
                near(name, tolerance, wanted.getValue().get("loss"), event.loss());
                if (name.equals("encoder")) {
                    near(
                            "prior",
                            tolerance,
                            golden.get("prior"),
                            event.metrics().byName().getOrDefault("prior", 0.0));
                }
                for (Map.Entry<String, JsonNode> gradient : Golden.entries(wanted.getValue(), "grads")) {
                    double[] own = scheduler.gradient(turn, gradient.getKey()).doubles();
                    near(name + ": " + gradient.getKey(), tolerance, gradient.getValue(), own);
                }
            }
            Program reconstruct = networks.program("reconstruct");
            double[] reconstructed =
                    session.run(reconstruct, feeds(type, reconstruct)).get(0).doubles();
            near("reconstruct", tolerance, golden.get("reconstruct"), reconstructed);
        }
    }

    private int layers(String network) {
        return Golden.layers(golden.get("weights"), network + "/hidden%d/weight");
    }

    private Feeds feeds(ElementType type, Program program) {
        Feeds feeds = Feeds.rows(Golden.shape(golden.at("/inputs/rows")).get(0));
        for (Map.Entry<String, JsonNode> input : golden.get("inputs").properties()) {
            boolean isRead =
                    program.feeds().stream().anyMatch(each -> each.path().text().equals(input.getKey()));
            feeds = isRead ? feeds.and(input.getKey(), Golden.tensor(input.getValue(), type)) : feeds;
        }
        return feeds;
    }

    private static void near(String what, double tolerance, JsonNode wanted, double... own) {
        Golden.assertNearByMagnitude(what, own, Golden.numbers(wanted), tolerance, 1);
    }
}
