package hocket.gan.tables;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

@Tag("golden")
class VariationalMixtureTest {
    /** Sums are in another order, and each of up to 100 steps can double a difference of the last digits. */
    private static final double TOLERANCE = 1e-9;

    @TestFactory
    Stream<DynamicTest> fromEqualResponsibilitiesItIsScikitLearns() {
        return Golden.all(Golden.read("tables.json"), "mixtures").stream()
                .map(golden -> DynamicTest.dynamicTest(golden.get("name").asText(), () -> check(golden)));
    }

    private static void check(JsonNode golden) {
        double[] x = Golden.numbers(golden.get("x"));
        int components = golden.get("components").asInt();
        VariationalMixture mixture = VariationalMixture.fit(components, x);
        Golden.assertNear("weights", mixture.weights(), Golden.numbers(golden.get("weights")), TOLERANCE);
        Golden.assertNear("means", mixture.means(), Golden.numbers(golden.get("means")), TOLERANCE);
        Golden.assertNear("deviations", mixture.deviations(), Golden.numbers(golden.get("deviations")), TOLERANCE);
        double[] responsibilities = Golden.numbers(golden.get("responsibilities"));
        Golden.assertNear(
                "responsibilities",
                IntStream.range(0, responsibilities.length)
                        .mapToDouble(i -> mixture.responsibility(i / components, i % components))
                        .toArray(),
                responsibilities,
                TOLERANCE);
    }
}
