package hocket.schedulers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
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
import hocket.schedulers.optimizers.UpdateRule;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Games of two numbers, played at once or one after the other, against an iteration of the rule in float64. */
@Tag("golden")
@Tag("engine")
class GoldenGamesTest {
    private static final List<String> METHODS = List.of("simultaneous", "alternating", "alternating_y_first");

    @TestFactory
    Stream<DynamicTest> iteratesAreThoseOfTheRule() throws IOException {
        return StreamSupport.stream(read().get("games").spliterator(), false)
                .filter(game -> METHODS.contains(game.get("method").asText()))
                .filter(game -> !game.get("game").asText().startsWith("Dirac"))
                .map(game -> DynamicTest.dynamicTest(
                        game.get("game").asText() + ", " + game.get("method").asText(), () -> check(game)));
    }

    private static void check(JsonNode golden) {
        boolean quadratic = golden.get("game").asText().startsWith("quadratic");
        Graph graph = new Graph(ElementType.FLOAT64);
        Value forX;
        try (Scope<Value> game = graph.module("game")) {
            Value x = Toy.number(graph, "x");
            Value y = Toy.number(graph, "y");
            Value f = multiply(x, y);
            forX = sum(quadratic ? add(f, scale(subtract(square(x), square(y)), 0.5)) : f);
        }
        UpdateRule rule = sgd(golden.get("params").get("eta").asDouble());
        Turn.Descend x =
                Turn.of("x", Program.compile("for_x", Mode.TRAIN, forX)).updates("game/x", rule);
        Turn.Descend y =
                Turn.of("y", Program.compile("for_y", Mode.TRAIN, negate(forX))).updates("game/y", rule);
        Plan plan = switch (golden.get("method").asText()) {
            case "simultaneous" -> simultaneous(x, y);
            case "alternating" -> sequence(x, y);
            default -> sequence(y, x);
        };
        try (Parameters parameters = Toy.store(graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(plan);
            parameters.set("game/x", golden.get("start").get(0).asDouble());
            parameters.set("game/y", golden.get("start").get(1).asDouble());
            JsonNode iterates = golden.get("iterates");
            for (int i = 0; i < iterates.size(); i++) {
                scheduler.run(rounds(i));
                for (int k = 0; k < 2; k++) {
                    double expected = iterates.get(i).get(k).asDouble();
                    assertThat(parameters.tensor(k == 0 ? "game/x" : "game/y").doubles()[0])
                            .as("%s after %d rounds", k == 0 ? "x" : "y", i)
                            .isCloseTo(expected, within(1e-12 * Math.max(1, Math.abs(expected))));
                }
            }
        }
    }

    private static JsonNode read() throws IOException {
        String folder = System.getProperty("hocket.golden", "");
        Path given =
                Path.of(System.getProperty("hocket.root", "")).resolve(folder).resolve("games.json");
        assumeTrue(folder.isBlank() || Files.exists(given), given + " is not there: nothing to check");
        try (InputStream in = folder.isBlank()
                ? Objects.requireNonNull(GoldenGamesTest.class.getResourceAsStream("/golden/games.json"))
                : Files.newInputStream(given)) {
            return new ObjectMapper().readTree(in);
        }
    }
}
