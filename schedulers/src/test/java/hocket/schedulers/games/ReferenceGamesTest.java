package hocket.schedulers.games;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Dynamics against those of {@code src/test/reference/games.py}: whole Jacobians, and systems solved by LU. Games of one
 * number each, of vectors with two different losses, and a GAN whose discriminator detaches the generator's rows.
 */
@Tag("engine")
class ReferenceGamesTest {
    /** The first and the second player's turn, without a strategy, and what they read. */
    private record Pair(Graph graph, Turn.Descend first, Turn.Descend second, Optional<Rows> rows) {}

    @TestFactory
    Stream<DynamicTest> iteratesInFloat64AreThoseOfTheScript() throws IOException {
        return games().map(wanted ->
                DynamicTest.dynamicTest(name(wanted), () -> check(wanted, ElementType.FLOAT64, 1e-11)));
    }

    @TestFactory
    Stream<DynamicTest> iteratesInFloat32AreNearInEveryLowering() throws IOException {
        return InEveryLowering.of(
                games(), ReferenceGamesTest::name, golden -> check(golden, ElementType.FLOAT32, 1e-5));
    }

    private static void check(JsonNode wanted, ElementType type, double tolerance) {
        Pair pair = pair(wanted, type);
        Plan plan = plan(wanted, pair);
        List<String> turns = new ArrayList<>();
        try (Parameters parameters = Parameters.initialise(pair.graph().declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(plan);
            pair.rows()
                    .ifPresent(rows -> scheduler.feed(rows.batchesInOrder("rows", rows.count()), Resample.EACH_TURN));
            scheduler.listen(event -> {
                if (event instanceof Event.Descended descended) {
                    turns.add(descended.turn());
                }
            });
            JsonNode iterates = wanted.get("iterates");
            set(parameters, wanted);
            for (int i = 0; i < iterates.size(); i++) {
                scheduler.run(rounds(i));
                List<Double> now = numbers(parameters, wanted);
                assertThat(now).hasSize(iterates.get(i).size());
                for (int k = 0; k < now.size(); k++) {
                    double expected = iterates.get(i).get(k).asDouble();
                    assertThat(now.get(k))
                            .as("number %d after %d rounds", k, i)
                            .isCloseTo(expected, within(tolerance * Math.max(1, Math.abs(expected))));
                }
            }
        }
        if (wanted.has("turns")) {
            assertThat(turns)
                    .isEqualTo(StreamSupport.stream(wanted.get("turns").spliterator(), false)
                            .map(turn -> turn.asInt() == 0 ? "first" : "second")
                            .toList());
        }
    }

    private static Plan plan(JsonNode wanted, Pair pair) {
        JsonNode params = wanted.get("params");
        Game game = Game.of(pair.first(), pair.second());
        double rate = wanted.get("rate").asDouble();
        return switch (wanted.get("method").asText()) {
            case "simultaneous" -> GamesTest.together(game.players());
            case "consensus" ->
                GamesTest.together(game.consensus(params.get("gamma").asDouble()));
            case "symplectic" ->
                GamesTest.together(game.symplectic(
                        params.get("lambda").asDouble(), params.get("aligned").asBoolean()));
            // More steps than a system of 1 or 3 unknowns has: the last ones find nothing left to solve.
            case "competitive" ->
                GamesTest.together(game.competitive(rate, pair.rows().isPresent() ? 10 : 4));
            case "unrolled" ->
                GamesTest.together(game.unrolled(
                        "first", params.get("k").asInt(), params.get("rate").asDouble()));
            case "rest_winner" ->
                choose(
                        new RestWinner(
                                "first",
                                "second",
                                "first/loss",
                                "second/loss",
                                params.get("level").asDouble(),
                                params.get("band").asDouble(),
                                params.get("window").asInt(),
                                params.get("patience").asInt()),
                        pair.first(),
                        pair.second());
            default -> throw new AssertionError(wanted.get("method"));
        };
    }

    private static Pair pair(JsonNode wanted, ElementType type) {
        Graph graph = new Graph(type);
        double rate = wanted.get("rate").asDouble();
        if (wanted.get("game").asText().equals("gan")) {
            return gan(wanted, graph, rate);
        }
        Value forX;
        Value forY;
        try (Scope<Value> scope = graph.module("game")) {
            Value x = weight(graph, wanted, 0, "game/x");
            Value y = weight(graph, wanted, 1, "game/y");
            switch (wanted.get("game").asText()) {
                case "bilinear" -> {
                    forX = sum(multiply(x, y));
                    forY = negate(forX);
                }
                case "quadratic" -> {
                    forX = sum(add(multiply(x, y), scale(subtract(square(x), square(y)), 0.5)));
                    forY = negate(forX);
                }
                default -> {
                    JsonNode constants = wanted.get("constants");
                    forX = tanhX(graph, x, y, constants);
                    forY = tanhY(graph, x, y, constants);
                }
            }
        }
        return new Pair(
                graph, turn("first", forX, "game/x", rate), turn("second", forY, "game/y", rate), Optional.empty());
    }

    private static Value tanhX(Graph graph, Value x, Value y, JsonNode constants) {
        Value between = tanh(form(x, constant(graph, constants.get("a")), y));
        Value alone = add(scale(sum(square(x)), 0.1), sum(multiply(constant(graph, constants.get("c")), tanh(x))));
        return add(add(between, alone), scale(multiply(sum(tanh(y)), sum(x)), 0.2));
    }

    private static Value tanhY(Graph graph, Value x, Value y, JsonNode constants) {
        Value between = scale(tanh(form(x, constant(graph, constants.get("b")), y)), -0.7);
        Value alone =
                add(scale(sum(square(y)), 0.05), sum(multiply(constant(graph, constants.get("d")), tanh(scale(y, 2)))));
        Value bent = multiply(sum(square(y)), sum(tanh(slice(x, 0, 0, 1))));
        return add(add(between, alone), scale(bent, 0.3));
    }

    /** {@code xᵀ·matrix·y}. */
    private static Value form(Value x, Value matrix, Value y) {
        return sum(multiply(multiply(reshape(x, 3, 1), matrix), reshape(y, 1, 2)));
    }

    private static Pair gan(JsonNode wanted, Graph graph, double rate) {
        Value real = graph.input("real", Shape.of(2));
        Value noise = graph.input("noise", Shape.of(2));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = dense("out", tanh(dense("hidden", noise, 3)), 2);
        }
        Network<Value, Value> discriminator =
                graph.module("discriminator", x -> dense("logit", tanh(dense("hidden", x, 3)), 1));
        Value forReal = discriminator.apply(real);
        Value forFake = discriminator.apply(stopGradient(fake));
        Value forD = add(mean(softplus(negate(forReal))), mean(softplus(forFake)));
        Value forG = mean(softplus(negate(discriminator.apply(fake))));
        Rows rows = Rows.of("real", tensor(graph, wanted.get("constants").get("real")))
                .and("noise", tensor(graph, wanted.get("constants").get("noise")));
        return new Pair(
                graph,
                turn("first", forG, "generator/**", rate),
                turn("second", forD, "discriminator/**", rate),
                Optional.of(rows));
    }

    private static Turn.Descend turn(String name, Value loss, String selection, double rate) {
        return Turn.of(name, Program.compile(name, Mode.TRAIN, loss)).updates(selection, sgd(rate));
    }

    private static Value weight(Graph graph, JsonNode wanted, int player, String path) {
        int size = wanted.get("shapes").get(player).get(path).get(0).asInt();
        return graph.parameter(
                path.substring("game/".length()),
                (at, type) ->
                        new Declaration(at, Shape.of(size), type, Initialiser.constant(0), Fan.NONE, Kind.WEIGHT));
    }

    private static Value constant(Graph graph, JsonNode rows) {
        return graph.constant(tensor(graph, rows));
    }

    private static Tensor tensor(Graph graph, JsonNode rows) {
        boolean matrix = rows.get(0).isArray();
        Shape shape = matrix ? Shape.of(rows.size(), rows.get(0).size()) : Shape.of(rows.size());
        double[] numbers = StreamSupport.stream(rows.spliterator(), false)
                .flatMap(row -> matrix ? StreamSupport.stream(row.spliterator(), false) : Stream.of(row))
                .mapToDouble(JsonNode::asDouble)
                .toArray();
        return graph.floatType() == ElementType.FLOAT64
                ? Tensor.of(shape, numbers)
                : Tensor.of(shape, rounded(numbers));
    }

    private static float[] rounded(double[] numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }

    /** Paths of both players' weights, with how many numbers each has. */
    private static Map<String, Integer> weights(JsonNode wanted) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        wanted.get("shapes")
                .forEach(player -> player.fields().forEachRemaining(weight -> {
                    int size = 1;
                    for (JsonNode extent : weight.getValue()) {
                        size *= extent.asInt();
                    }
                    weights.put(weight.getKey(), size);
                }));
        return weights;
    }

    private static void set(Parameters parameters, JsonNode wanted) {
        JsonNode start = wanted.get("iterates").get(0);
        int[] at = {0};
        weights(wanted).forEach((path, size) -> {
            double[] numbers = new double[size];
            for (int i = 0; i < size; i++) {
                numbers[i] = start.get(at[0]++).asDouble();
            }
            parameters.set(path, numbers);
        });
    }

    private static List<Double> numbers(Parameters parameters, JsonNode wanted) {
        List<Double> numbers = new ArrayList<>();
        weights(wanted).keySet().forEach(path -> {
            for (double number : parameters.tensor(path).doubles()) {
                numbers.add(number);
            }
        });
        return numbers;
    }

    private static String name(JsonNode wanted) {
        return wanted.get("game").asText() + ", " + wanted.get("method").asText() + " " + wanted.get("params");
    }

    private static Stream<JsonNode> games() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(ReferenceGamesTest.class.getResourceAsStream("/reference/games-extra.json"))) {
            return StreamSupport.stream(
                    new ObjectMapper().readTree(in).get("games").spliterator(), false);
        }
    }
}
