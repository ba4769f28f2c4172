package hocket.gan.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.gan.losses.GanLoss;
import hocket.gan.parts.Generated;
import hocket.gan.parts.Latents;
import hocket.gan.parts.Pass;
import hocket.gan.terms.PathLength;
import hocket.gan.terms.Term;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.games.Dynamics;
import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Rounds of small GANs, turn by turn through the scheduler, against PyTorch in float64: relativistic pairing with R1 and
 * R2, lazy R1 on the state of the discriminator's Adam, and three forms of extragradient under Adam. Every number of
 * layers, width and batch is the file's own.
 */
@Tag("golden")
@Tag("engine")
class GanStepsGoldenTest {
    private static final Predicate<JsonNode> PENALISED =
            run -> run.get("settings").has("gamma");
    private static final Predicate<JsonNode> OF_PATH_LENGTHS =
            run -> run.get("rounds").get(0).has("noise_path");
    private static final Predicate<JsonNode> OF_EXTRAGRADIENT =
            run -> run.get("rounds").get(0).has("noise_2");

    private final JsonNode golden = Golden.read("gan-steps2.json");

    @TestFactory
    Stream<DynamicTest> roundsTurnByTurnArePyTorchs() {
        return tests(PENALISED, Played::turnByTurn);
    }

    @TestFactory
    Stream<DynamicTest> pathLengthsTurnByTurnArePyTorchs() {
        return tests(OF_PATH_LENGTHS, Played::turnByTurn);
    }

    @TestFactory
    Stream<DynamicTest> extragradientUnderAdamIsPyTorchs() {
        return tests(OF_EXTRAGRADIENT, Played::extragradient);
    }

    @Test
    void everyRunIsChecked() {
        for (JsonNode run : Golden.all(golden, "runs")) {
            assertThat(Stream.of(PENALISED, OF_PATH_LENGTHS, OF_EXTRAGRADIENT).filter(which -> which.test(run)))
                    .as("tests of run %s", run.get("name"))
                    .hasSize(1);
        }
    }

    private Stream<DynamicTest> tests(Predicate<JsonNode> which, Consumer<Played> check) {
        return Golden.all(golden, "runs").stream()
                .filter(which)
                .flatMap(run -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                        .map(type -> DynamicTest.dynamicTest(run.get("name").asText() + " " + type, () -> {
                            try (Played played = new Played(run, type)) {
                                check.accept(played);
                            }
                        })));
    }

    /** A run of the file: its networks over a store with its weights. */
    private static final class Played implements AutoCloseable {
        private static final Map<String, String> NOISE_OF =
                Map.of("d", "noise_d", "d_r1", "noise_d", "d_whole", "noise_d", "g", "noise_g", "g_path", "noise_path");

        private final JsonNode run;
        private final ElementType type;
        private final Graph graph;
        private final Parameters parameters;
        private final Scheduler scheduler;
        private final Pass ofDiscriminator;
        private final Pass ofGenerator;

        Played(JsonNode run, ElementType type) {
            this.run = run;
            this.type = type;
            graph = new Graph(type);
            JsonNode first = run.get("rounds").get(0);
            Value noise = graph.input("noise", row(first.has("noise_d") ? first.get("noise_d") : first.get("noise_1")));
            Value real = graph.input("real", row(first.has("real") ? first.get("real") : first.get("real_1")));
            Network<Value, Value> generator = first.has("noise_path")
                    ? graph.module("generator", this::styled)
                    : network("generator", h -> tanh(h));
            Network<Value, Value> discriminator = network("discriminator", h -> softplus(h));
            Value fake = generator.apply(noise);
            ofDiscriminator = Pass.ofDiscriminator(discriminator, real, fake);
            Map<String, Value> heads =
                    first.has("noise_path") ? Map.of(Generated.STYLES, graph.value("generator/styles")) : Map.of();
            ofGenerator = ofDiscriminator.ofGenerator(fake).with(new Latents(noise, generator::apply, heads));
            parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
            run.get("weights")
                    .fields()
                    .forEachRemaining(network -> network.getValue()
                            .fields()
                            .forEachRemaining(weight -> parameters.set(
                                    stored(network.getKey(), weight.getKey()), Golden.numbers(weight.getValue()))));
            scheduler = Scheduler.over(parameters, 2);
        }

        private static Shape row(JsonNode rows) {
            return Shape.of(Golden.shape(rows).get(1));
        }

        /** An MLP of layers l1, l2, … as wide as the file's weights. */
        private Network<Value, Value> network(String name, UnaryOperator<Value> activation) {
            JsonNode weights = run.get("weights").get(name);
            return graph.module(name, in -> {
                Value h = in;
                for (int i = 1; weights.has("l" + i + ".weight"); i++) {
                    int width = Golden.shape(weights.get("l" + i + ".weight")).get(0);
                    h = dense("l" + i, i == 1 ? h : activation.apply(h), width);
                }
                return h;
            });
        }

        /** A generator with two styles of one mapped noise: {@code s2(tanh(s1(w))) + s3 · w} without a bias of s3. */
        private Value styled(Value noise) {
            JsonNode weights = run.get("weights").get("generator");
            Value w = tanh(dense("map", noise, rows(weights, "map")));
            int width = w.shape().get(0);
            Value styles = graph.name("styles", reshape(concat(0, w, w), 2, width));
            Value first = reshape(slice(styles, 0, 0, 1), width);
            Value second = reshape(slice(styles, 0, 1, 2), width);
            Value h = tanh(dense("s1", first, rows(weights, "s1")));
            return add(
                    dense("s2", h, rows(weights, "s2")),
                    dense("s3", second, rows(weights, "s3"), Weights.standard().withoutBias()));
        }

        private static int rows(JsonNode weights, String layer) {
            return Golden.shape(weights.get(layer + ".weight")).get(0);
        }

        private JsonNode settings() {
            return run.get("settings");
        }

        private Adam optimizer() {
            JsonNode betas = settings().get("betas");
            return adam(settings().get("lr").asDouble())
                    .beta1(betas.get(0).asDouble())
                    .beta2(betas.get(1).asDouble())
                    .epsilon(settings().get("eps").asDouble())
                    .uncorrectedEpsilon(settings().path("eps_form").asText().contains("before the correction"));
        }

        /** StyleGAN2's correction for a step more in some rounds: rate · c, betas ** c, with c = every/(every + 1). */
        private Adam discriminatorOptimizer() {
            Adam plain = optimizer();
            if (!settings().path("adjusted").asBoolean()) {
                return plain;
            }
            double c = settings().get("every").asDouble()
                    / (settings().get("every").asDouble() + 1);
            return adam(settings().get("lr").asDouble() * c)
                    .beta1(Math.pow(plain.beta1(), c))
                    .beta2(Math.pow(plain.beta2(), c))
                    .epsilon(plain.epsilon());
        }

        void turnByTurn() {
            Map<String, Turn.Descend> turns = turns();
            int round = -1;
            for (JsonNode after : Golden.all(run, "float64")) {
                String name = after.get("turn").asText();
                round += name.equals("d") ? 1 : 0;
                Turn.Descend turn = Objects.requireNonNull(turns.get(after.has("penalty") ? "d_whole" : name), name);
                Event.Descended event =
                        scheduler.step(turn, feeds(turn, run.get("rounds").get(round)));
                String what = "round " + round + ", " + name;
                near(what + ": loss", new double[] {event.loss()}, after.get("loss"), 1e-5);
                for (String term : List.of("r1", "r2")) {
                    if (after.has(term)) {
                        near(what + ": " + term, new double[] {event.metrics().get(term)}, after.get(term), 1e-5);
                    }
                }
                compare(what, after, turn);
                if (after.has("path_mean_after")) {
                    State carried = turnStates().state(name).state("carried");
                    double mean = carried.tensor(PathLength.MEAN).get(0); // the same for each row
                    near(what + ": mean of lengths", new double[] {mean}, after.get("path_mean_after"), 1e-5);
                }
            }
            compareOptimizers();
        }

        private State turnStates() {
            return scheduler.save().state("turns");
        }

        /** Compares the moments of each weight at the end, and the number of updates in them. */
        private void compareOptimizers() {
            State turns = turnStates();
            run.get("final_optimizer_state").fields().forEachRemaining(network -> {
                State saved = turns.state(network.getKey().equals("discriminator") ? "d" : "g");
                State counts = saved.state("counts");
                network.getValue().fields().forEachRemaining(weight -> {
                    String path = stored(network.getKey(), weight.getKey());
                    JsonNode wanted = weight.getValue();
                    near(path + ": m", saved.tensor(path + "/m").doubles(), wanted.get("exp_avg"), 1e-4);
                    near(path + ": v", saved.tensor(path + "/v").doubles(), wanted.get("exp_avg_sq"), 1e-4);
                    assertThat(counts.items().keySet())
                            .singleElement()
                            .satisfies(link -> assertThat(counts.whole(link))
                                    .isEqualTo(wanted.get("step").asLong()));
                });
            });
        }

        private Map<String, Turn.Descend> turns() {
            if (settings().has("decay")) {
                return turnsOfPathLength();
            }
            double gamma = settings().get("gamma").asDouble();
            boolean isLazy = settings().has("every");
            Term r1 = isLazy ? Term.r1(gamma).every(settings().get("every").asInt()) : Term.r1(gamma);
            GanLoss loss = isLazy
                    ? GanLoss.nonSaturating().with(r1)
                    : GanLoss.relativisticPaired().with(r1, Term.r2(gamma));
            Map<String, Turn.Descend> turns = new HashMap<>();
            Turn.Descend d = turn("d", loss.discriminator(ofDiscriminator))
                    .updates("discriminator/**", discriminatorOptimizer());
            turns.put("d", d);
            turns.put("g", turn("g", loss.generator(ofGenerator)).updates("generator/**", optimizer()));
            if (isLazy) {
                Loss penalty = Objects.requireNonNull(
                                loss.lazyTerms(ofDiscriminator, ofGenerator).get("r1"))
                        .loss();
                turns.put("d_r1", turn("d_r1", penalty).withOptimizerOf(d));
                Loss whole = GanLoss.nonSaturating().with((Term) r1::of).discriminator(ofDiscriminator);
                turns.put("d_whole", turn("d_whole", whole).withOptimizerOf(d));
            }
            return turns;
        }

        private Map<String, Turn.Descend> turnsOfPathLength() {
            GanLoss loss = GanLoss.nonSaturating();
            Turn.Descend g = turn("g", loss.generator(ofGenerator)).updates("generator/**", optimizer());
            PathLength term = new PathLength(
                    settings().get("weight").asDouble(),
                    settings().get("decay").asDouble(),
                    settings().get("gradient_through_mean").asBoolean());
            Turn.Descend path = turn("g_path", Loss.of(term.of(ofGenerator))).withOptimizerOf(g);
            return Map.of(
                    "d",
                    turn("d", loss.discriminator(ofDiscriminator)).updates("discriminator/**", optimizer()),
                    "g",
                    g,
                    "g_path",
                    path.carries(graph.value(PathLength.MEAN), graph.value(PathLength.NEXT)));
        }

        private static Turn.Descend turn(String name, Loss loss) {
            return Turn.of(name, Program.compile(name, Mode.TRAIN, loss));
        }

        private Feeds feeds(Turn.Descend turn, JsonNode round) {
            Feeds feeds = Feeds.rows(Golden.shape(round.get("real")).get(0));
            for (Value input : turn.program().inputs()) {
                String name = input.path().text();
                if (!name.equals(PathLength.MEAN)) {
                    String key = name.equals("noise") ? NOISE_OF.get(turn.name()) : name;
                    feeds = feeds.and(name, Golden.tensor(round.get(key), type));
                }
            }
            return turn.name().equals("g_path")
                    ? feeds.and("path_length/direction", Golden.tensor(round.get("direction"), type))
                    : feeds;
        }

        /** Compares gradients and weights; a weight that a turn's loss does not reach has gradient zero. */
        private void compare(String what, JsonNode after, Turn.Descend... turns) {
            String network = after.get("network").asText();
            after.path("grads").fields().forEachRemaining(entry -> {
                String path = stored(network, entry.getKey());
                double[] gradient = Stream.of(turns)
                        .filter(turn -> turn.program().reached().contains(Path.of(path)))
                        .filter(turn -> turn.stepped().stream()
                                .anyMatch(update -> update.selection().matches(Path.of(path))))
                        .map(turn -> scheduler.gradient(turn, path).doubles())
                        .findFirst()
                        .orElseGet(
                                () -> new double[parameters.tensor(path).shape().size()]);
                near(what + ": gradient by " + path, gradient, entry.getValue(), 1e-4);
            });
            after.path("params_after").fields().forEachRemaining(entry -> {
                String path = stored(network, entry.getKey());
                near(what + ": " + path, parameters.tensor(path).doubles(), entry.getValue(), 1e-5);
            });
        }

        /** Of a look-ahead, the losses; of the step after it, gradients and weights, too. */
        void extragradient() {
            GanLoss loss = GanLoss.nonSaturating();
            Turn.Descend d = turn("d", loss.discriminator(ofDiscriminator)).updates("discriminator/**", optimizer());
            Turn.Descend g = turn("g", loss.generator(ofGenerator)).updates("generator/**", optimizer());
            boolean isKept = settings().get("moments").asText().equals("kept");
            Dynamics dynamics = isKept ? new Dynamics.ExtraAdam(false) : new Dynamics.Extragradient(false);
            List<Double> losses = new ArrayList<>();
            scheduler.listen(Event.Descended.class, event -> losses.add(event.loss()));
            int batch = Golden.shape(run.get("rounds").get(0).get("real_1")).get(0);
            scheduler
                    .plan(dynamics.plan(d, g))
                    .feed(
                            Rows.of("real", drawn("real_"))
                                    .and("noise", drawn("noise_"))
                                    .batchesInOrder("rows", batch),
                            Resample.EACH_TURN);
            JsonNode halves = run.get("float64");
            for (int i = 0; i < halves.size(); i++) {
                JsonNode after = halves.get(i);
                boolean isLookAhead = i % 2 == 0;
                if (isLookAhead) {
                    losses.clear();
                    scheduler.run(Budget.rounds(i / 2 + 1));
                } else {
                    compare("round " + i / 2, after, d, g);
                }
                near("loss of d", new double[] {losses.get(isLookAhead ? 0 : 2)}, after.get("loss"), 1e-5);
                near("loss of g", new double[] {losses.get(isLookAhead ? 1 : 3)}, after.get("generator_loss"), 1e-5);
            }
            compareOptimizers();
        }

        /** The rows of a column in the order in which the turns of all rounds draw them: each half twice. */
        private Tensor drawn(String column) {
            List<double[]> batches = new ArrayList<>();
            Shape shape = Golden.shape(run.get("rounds").get(0).get(column + 1));
            for (JsonNode round : run.get("rounds")) {
                for (int half : new int[] {1, 1, 2, 2}) {
                    batches.add(Golden.numbers(round.get(column + half)));
                }
            }
            double[] all = batches.stream().flatMapToDouble(DoubleStream::of).toArray();
            return Golden.tensor(Shape.of(shape.get(0) * batches.size(), shape.get(1)), type, all);
        }

        private void near(String what, double[] actual, JsonNode wanted, double single) {
            if (type == ElementType.FLOAT64) {
                Golden.assertNear(what, actual, Golden.numbers(wanted), 1e-9);
            } else {
                Golden.assertNearByMagnitude(what, actual, Golden.numbers(wanted), single);
            }
        }

        private static String stored(String network, String name) {
            String path = name.replace('.', '/');
            return path.startsWith("discriminator/") || path.startsWith("generator/") ? path : network + "/" + path;
        }

        @Override
        public void close() {
            scheduler.close();
            parameters.close();
        }
    }
}
