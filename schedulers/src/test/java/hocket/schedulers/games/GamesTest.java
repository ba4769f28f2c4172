package hocket.schedulers.games;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.optimizers.Optimizers.bound;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.optimistic;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Plan;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Games of two numbers under every dynamics, against an iteration of the rule in float64. */
@Tag("golden")
@Tag("engine")
class GamesTest {
    /** The two numbers, and what the first and the second descend. */
    private record Two(Value x, Value y, Value forX, Value forY) {}

    @TestFactory
    Stream<DynamicTest> iteratesInFloat64AreThoseOfTheRule() throws IOException {
        return games().map(golden -> {
            double tolerance = method(golden).equals("instance_noise") ? 1e-10 : 1e-12;
            return DynamicTest.dynamicTest(name(golden), () -> check(golden, ElementType.FLOAT64, tolerance));
        });
    }

    @TestFactory
    Stream<DynamicTest> iteratesInFloat32AreNearInEveryLowering() throws IOException {
        return InEveryLowering.of(games(), GamesTest::name, golden -> check(golden, ElementType.FLOAT32, 1e-5));
    }

    private static void check(JsonNode golden, ElementType type, double tolerance) {
        Graph graph = new Graph(type);
        Two two;
        try (Scope<Value> scope = graph.module("game")) {
            two = two(golden, graph);
        }
        Plan plan = plan(golden, two);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(plan);
            parameters.set("game/x", golden.get("start").get(0).asDouble());
            parameters.set("game/y", golden.get("start").get(1).asDouble());
            JsonNode iterates = golden.get("iterates");
            assertThat(iterates.size()).isGreaterThan(1);
            // of lookahead the file lists inner steps; turns of the look-ahead are two of them
            boolean inner = method(golden).startsWith("lookahead");
            int taken = 0;
            for (int i = 0; i < iterates.size(); i++) {
                while (inner && taken < 2 * i) {
                    scheduler.proceed();
                    taken = (int) scheduler.position().step();
                }
                if (!inner) {
                    scheduler.run(rounds(i));
                } else if (i % golden.get("params").get("k").asInt() == 0 && i > 0) {
                    assertThat(scheduler.proceed()).isTrue(); // goes part of the way back, and ends the round
                }
                for (int k = 0; k < 2; k++) {
                    double expected = iterates.get(i).get(k).asDouble();
                    assertThat(parameters.tensor(k == 0 ? "game/x" : "game/y").doubles()[0])
                            .as("%s after %d rounds", k == 0 ? "x" : "y", i)
                            .isCloseTo(expected, within(tolerance * Math.max(1, Math.abs(expected))));
                }
            }
        }
    }

    /** How the players move. */
    private static Plan plan(JsonNode golden, Two two) {
        JsonNode params = golden.get("params");
        double rate = params.has("h") ? number(params, "h") : number(params, "eta");
        int n = params.has("n_d") ? params.get("n_d").asInt() : 1;
        Turn.Descend x =
                Turn.of("x", Program.compile("for_x", Mode.TRAIN, two.forX())).updates("game/x", sgd(rate));
        Turn.Descend y =
                Turn.of("y", Program.compile("for_y", Mode.TRAIN, two.forY())).updates("game/y", sgd(rate));
        Game game = Game.of(x, y);
        String method = method(golden).replaceAll("_nd[0-9]+$", "");
        return switch (method) {
            case "alternating", "alternating_generator_first" -> sequence(x, y.times(n));
            case "alternating_y_first", "alternating_discriminator_first", "r1_alternating_discriminator_first" ->
                sequence(y.times(n), x);
            case "simultaneous", "r1_simultaneous", "non_saturating", "wgan", "wgan_gp", "instance_noise" ->
                simultaneous(x, y);
            case "extragradient" -> new Dynamics.Extragradient(false).plan(x, y);
            case "optimistic" -> new Dynamics.Optimistic().plan(x, y);
            case "optimistic_zero_start" ->
                simultaneous(
                        Turn.of("x", x.program())
                                .updates("game/x", chain(optimistic().zeroStart(true), sgd(rate))),
                        Turn.of("y", y.program())
                                .updates("game/y", chain(optimistic().zeroStart(true), sgd(rate))));
            case "implicit" -> new Dynamics.Implicit(40).plan(x, y); // each brings it nearer by the rate, 0.1
            case "negative_momentum_alternating" -> new Dynamics.NegativeMomentum(number(params, "beta")).plan(x, y);
            case "negative_momentum_simultaneous" ->
                simultaneous(
                        Turn.of("x", x.program()).updates("game/x", sgd(rate).momentum(number(params, "beta"))),
                        Turn.of("y", y.program()).updates("game/y", sgd(rate).momentum(number(params, "beta"))));
            case "lookahead_minmax_simultaneous" ->
                trial(simultaneous(x, y).times(params.get("k").asInt()), number(params, "alpha"));
            case "lookahead_minmax_alternating" ->
                new Dynamics.Lookahead(params.get("k").asInt(), number(params, "alpha")).plan(x, y);
            case "wgan_clipped" ->
                simultaneous(
                        x, Turn.of("y", y.program()).updates("game/y", chain(sgd(rate), bound(number(params, "c")))));
            case "consensus" -> together(game.consensus(number(params, "gamma")));
            case "unrolled" -> together(game.unrolled("x", params.get("k").asInt(), rate));
            default -> throw new AssertionError("no form yet: " + method);
        };
    }

    static Plan together(List<Turn.Descend> turns) {
        return simultaneous(turns.toArray(Turn.Descend[]::new));
    }

    /** What the players descend; x is a Dirac-GAN's generator, y its discriminator. */
    private static Two two(JsonNode golden, Graph graph) {
        Value x = number(graph, "x");
        Value y = number(graph, "y");
        Value product = multiply(x, y);
        String game = golden.get("game").asText();
        if (game.startsWith("Dirac")) {
            return dirac(golden, x, y);
        }
        boolean quadratic = game.startsWith("quadratic");
        assertThat(game).startsWith(quadratic ? "quadratic f(x,y)=x^2/2+xy-y^2/2" : "bilinear f(x,y)=xy");
        Value f = quadratic ? add(product, scale(subtract(square(x), square(y)), 0.5)) : product;
        return new Two(x, y, sum(f), negate(sum(f)));
    }

    private static Two dirac(JsonNode golden, Value theta, Value psi) {
        String method = method(golden);
        JsonNode params = golden.get("params");
        Value product = sum(multiply(psi, theta));
        Value usual = sum(f(product));
        return switch (method) {
            case "non_saturating" -> new Two(theta, psi, negate(f(negate(product))), negate(usual));
            case "wgan", "wgan_clipped" -> new Two(theta, psi, product, negate(product));
            case "wgan_gp" -> {
                Value penalty = scale(sum(square(shift(abs(psi), -1))), number(params, "gamma") / 2);
                yield new Two(theta, psi, product, subtract(penalty, product));
            }
            case "r1_simultaneous", "r1_alternating_discriminator_first" -> {
                Value penalty = scale(sum(square(psi)), number(params, "gamma") / 2);
                yield new Two(theta, psi, usual, subtract(penalty, usual));
            }
            case "instance_noise" -> {
                Normal normal = Normal.of(80, number(params, "sigma"));
                Value fake = normal.expectation(theta, u -> f(multiply(psi, u)));
                Value real = normal.expectation(scale(theta, 0), v -> f(negate(multiply(psi, v))));
                Value loss = add(fake, real);
                yield new Two(theta, psi, loss, negate(loss));
            }
            default -> new Two(theta, psi, usual, negate(usual));
        };
    }

    /** {@code -log(1 + exp(-t))}. */
    private static Value f(Value t) {
        return negate(softplus(negate(t)));
    }

    /** A normal distribution around some mean, as Gauss-Hermite nodes with their weights. */
    private record Normal(double[] nodes, double[] weights) {
        static Normal of(int n, double deviation) {
            double[][] roots = GaussHermite.of(n);
            double[] nodes = new double[n];
            double[] weights = new double[n];
            for (int i = 0; i < n; i++) {
                nodes[i] = Math.sqrt(2) * deviation * roots[0][i];
                weights[i] = roots[1][i] / Math.sqrt(Math.PI);
            }
            return new Normal(nodes, weights);
        }

        Value expectation(Value mean, UnaryOperator<Value> of) {
            Graph graph = mean.graph();
            Value at = add(reshape(mean, 1), constant(graph, nodes));
            return sum(multiply(constant(graph, weights), of.apply(at)));
        }

        private static Value constant(Graph graph, double[] numbers) {
            Shape shape = Shape.of(numbers.length);
            if (graph.floatType() == ElementType.FLOAT64) {
                return graph.constant(Tensor.of(shape, numbers));
            }
            float[] floats = new float[numbers.length];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = (float) numbers[i];
            }
            return graph.constant(Tensor.of(shape, floats));
        }
    }

    private static Value number(Graph graph, String name) {
        return graph.parameter(
                name,
                (path, type) ->
                        new Declaration(path, Shape.of(1), type, Initialiser.constant(1), Fan.NONE, Kind.WEIGHT));
    }

    private static double number(JsonNode params, String name) {
        return params.get(name).asDouble();
    }

    private static String method(JsonNode golden) {
        return golden.get("method").asText();
    }

    private static String name(JsonNode golden) {
        return golden.get("game").asText().replaceAll("[ (].*", "") + ", " + method(golden);
    }

    private static Stream<JsonNode> games() throws IOException {
        String folder = System.getProperty("hocket.golden", "");
        Path given =
                Path.of(System.getProperty("hocket.root", "")).resolve(folder).resolve("games.json");
        assumeTrue(folder.isBlank() || Files.exists(given), given + " is not there: nothing to check");
        try (InputStream in = folder.isBlank()
                ? Objects.requireNonNull(GamesTest.class.getResourceAsStream("/golden/games.json"))
                : Files.newInputStream(given)) {
            return StreamSupport.stream(
                    new ObjectMapper().readTree(in).get("games").spliterator(), false);
        }
    }
}
