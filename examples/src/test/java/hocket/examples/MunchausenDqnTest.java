package hocket.examples;

import static hocket.programs.Operators.pick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.programs.Graph;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.rl.losses.RegressionLoss;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the targets of Munchausen DQN with an implementation in PyTorch. */
class MunchausenDqnTest {
    private static final double TOLERANCE = 1e-10; // both in float64

    static Stream<JsonNode> cases() throws IOException {
        String folder = System.getProperty("hocket.golden", "");
        Path given =
                Path.of(System.getProperty("hocket.root", "")).resolve(folder).resolve("losses/rl2.json");
        assumeTrue(folder.isBlank() || Files.exists(given), given + " is not there: nothing to check");
        try (InputStream in = folder.isBlank()
                ? Objects.requireNonNull(MunchausenDqnTest.class.getResourceAsStream("/golden/losses/rl2.json"))
                : Files.newInputStream(given)) {
            JsonNode cases =
                    new ObjectMapper().readTree(in).path("munchausen_dqn").path("cases");
            return IntStream.range(0, cases.size()).mapToObj(cases::get);
        }
    }

    private static double[] numbers(JsonNode tensor) {
        JsonNode data = tensor.get("data");
        return IntStream.range(0, data.size())
                .mapToDouble(i -> data.get(i).asDouble())
                .toArray();
    }

    @Tag("golden")
    @ParameterizedTest
    @MethodSource("cases")
    void targetsAreThoseOfTheReferenceImplementation(JsonNode golden) {
        int rows = golden.get("q").get("shape").get(0).asInt();
        int n = golden.get("q").get("shape").get(1).asInt();
        Graph graph = new Graph(ElementType.FLOAT64);
        Value q = graph.input("q", Shape.of(n));
        Value action = graph.input("actions", Shape.of(), ElementType.INT64);
        Value target = MunchausenDqn.target(
                graph.input("rewards", Shape.of()),
                graph.input("discounts", Shape.of()),
                graph.input("target_q", Shape.of(n)),
                graph.input("target_q_next", Shape.of(n)),
                action,
                golden.get("tau").asDouble(),
                golden.get("alpha").asDouble(),
                golden.get("clip_min").asDouble());
        graph.name("target", target);
        graph.name("huber", RegressionLoss.HUBER.loss(target, pick(q, action)));
        double[] discounts = numbers(golden.get("dones"));
        for (int i = 0; i < rows; i++) {
            discounts[i] = golden.get("gamma").asDouble() * (1 - discounts[i]);
        }
        long[] actions = IntStream.range(0, rows)
                .mapToLong(i -> golden.get("actions").get("data").get(i).asLong())
                .toArray();
        Feeds feeds = Feeds.of("target_q", Tensor.of(Shape.of(rows, n), numbers(golden.get("target_q"))))
                .and("target_q_next", Tensor.of(Shape.of(rows, n), numbers(golden.get("target_q_next"))))
                .and("rewards", Tensor.of(Shape.of(rows), numbers(golden.get("rewards"))))
                .and("discounts", Tensor.of(Shape.of(rows), discounts))
                .and("actions", Tensor.of(Shape.of(rows), actions));
        try (Parameters none = Parameters.initialise(Set.of(), Streams.seed(1));
                Session session = Session.over(graph, none)) {
            assertThat(session.run("target", feeds).doubles())
                    .containsExactly(numbers(golden.get("target")), within(TOLERANCE));
            Tensor values = Tensor.of(Shape.of(rows, n), numbers(golden.get("q")));
            assertThat(session.run("huber", feeds.and("q", values)).scalar())
                    .isCloseTo(golden.get("huber_loss").asDouble(), within(TOLERANCE));
        }
    }

    @Test
    void itLearns() {
        assertThat(MunchausenDqn.run(12_000).get("return_mean")).isGreaterThan(60); // by chance it is about 22
    }
}
