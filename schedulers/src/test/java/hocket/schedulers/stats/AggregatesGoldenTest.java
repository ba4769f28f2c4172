package hocket.schedulers.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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

/** Aggregates against scipy's and rliable's; how near the ends of intervals must be is in the file. */
@Tag("golden")
class AggregatesGoldenTest {
    private static final double ROUNDING = 1e-12;

    @TestFactory
    Stream<DynamicTest> everyCase() throws IOException {
        JsonNode golden = read();
        StratifiedBootstrap bootstrap =
                new StratifiedBootstrap(7, golden.get("resamples").asInt());
        return all(golden.get("cases"))
                .map(each -> DynamicTest.dynamicTest(each.get("name").asText(), () -> check(each, bootstrap)));
    }

    private static void check(JsonNode golden, StratifiedBootstrap bootstrap) {
        TaskScores x = scores(golden.get("x"));
        TaskScores y = scores(golden.get("y"));
        near("iqm", bootstrap.estimate(x, Aggregates::interquartileMean), golden.get("iqm"));
        near("median", bootstrap.estimate(x, Aggregates::median), golden.get("median"));
        near("mean", bootstrap.estimate(x, Aggregates::mean), golden.get("mean"));
        near("improvement", bootstrap.estimate(x, y, ProbabilityOfImprovement::of), golden.get("improvement"));
        double[] thresholds = numbers(golden.get("thresholds"));
        List<Estimate> profile = bootstrap.estimates(x, each -> PerformanceProfile.of(each, thresholds));
        assertThat(profile).hasSize(golden.get("profile").size());
        for (int i = 0; i < thresholds.length; i++) {
            near(
                    "profile at " + thresholds[i],
                    profile.get(i),
                    golden.get("profile").get(i));
        }
    }

    private static void near(String what, Estimate actual, JsonNode golden) {
        double expected = golden.get("value").asDouble();
        assertThat(actual.value()).as(what).isCloseTo(expected, within(ROUNDING * Math.max(1, Math.abs(expected))));
        between(what + ", lower end", actual.low(), numbers(golden.get("low")));
        between(what + ", upper end", actual.high(), numbers(golden.get("high")));
    }

    private static void between(String what, double actual, double[] bounds) {
        double rounding = ROUNDING * Math.max(1, Math.abs(actual));
        assertThat(actual).as(what).isBetween(bounds[0] - rounding, bounds[1] + rounding);
    }

    private static TaskScores scores(JsonNode tasks) {
        return TaskScores.of(all(tasks).map(AggregatesGoldenTest::numbers).toArray(double[][]::new));
    }

    private static double[] numbers(JsonNode numbers) {
        return all(numbers).mapToDouble(JsonNode::asDouble).toArray();
    }

    /** Returns the elements of a list. Fails if there are none, as a test without cases checks nothing. */
    private static Stream<JsonNode> all(JsonNode nodes) {
        assertThat(nodes.size()).as("number of elements").isPositive();
        return StreamSupport.stream(nodes.spliterator(), false);
    }

    private static JsonNode read() throws IOException {
        String folder = System.getProperty("hocket.golden", "");
        Path given =
                Path.of(System.getProperty("hocket.root", "")).resolve(folder).resolve("aggregates.json");
        assumeTrue(folder.isBlank() || Files.exists(given), given + " is not there: nothing to check");
        try (InputStream in = folder.isBlank()
                ? Objects.requireNonNull(AggregatesGoldenTest.class.getResourceAsStream("/golden/aggregates.json"))
                : Files.newInputStream(given)) {
            return new ObjectMapper().readTree(in);
        }
    }
}
