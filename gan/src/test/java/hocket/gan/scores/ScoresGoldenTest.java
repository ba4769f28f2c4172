package hocket.gan.scores;

import static hocket.gan.Golden.assertNear;
import static hocket.gan.Golden.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.Golden;
import hocket.scopes.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** All entries of the golden file, by kind of score, with the tolerances of its README. */
@Tag("golden")
class ScoresGoldenTest {
    private final JsonNode golden = Golden.read("scores.json");

    private final Map<String, Consumer<JsonNode>> checks = Map.of(
            "frechet", this::checkFrechet,
            "kid", this::checkKernel,
            "prdc", this::checkPrecisionRecall,
            "sliced_wasserstein", this::checkSliced,
            "inception_style", this::checkInception,
            "classification", this::checkClassification,
            "nearest_neighbour", this::checkNeighbours,
            "modes", this::checkModes,
            "wilson", this::checkWilson);

    /** Statistics of runs, which are no scores of samples. */
    private static final Set<String> ELSEWHERE = Set.of("student", "aggregate", "probability_of_improvement");

    private Stream<JsonNode> entries() {
        return Golden.all(golden, "entries").stream();
    }

    @TestFactory
    Stream<DynamicTest> scoresAreThoseOfIndependentImplementations() {
        return entries()
                .flatMap(entry -> Optional.ofNullable(checks.get(kind(entry))).stream()
                        .map(check -> DynamicTest.dynamicTest(
                                kind(entry) + ", " + entry.get("name").asText(), () -> check.accept(entry))));
    }

    @Test
    void everyKindOfScoreIsChecked() {
        assertThat(entries()
                        .map(ScoresGoldenTest::kind)
                        .filter(kind -> !checks.containsKey(kind) && !ELSEWHERE.contains(kind)))
                .as("unknown kinds of score")
                .isEmpty();
    }

    private static String kind(JsonNode entry) {
        return entry.get("score").asText();
    }

    private FeatureRows features(JsonNode entry, String side) {
        JsonNode tensor = golden.get("features").get(entry.get(side).asText());
        return new FeatureRows(
                Golden.tensor(tensor, ElementType.FLOAT32).floats(),
                Golden.shape(tensor).get(1));
    }

    /**
     * Returns the tolerance of an entry: features are of single precision, so what a file's own lose by it is allowed, too.
     *
     * @param exact the tolerance of features that lose nothing
     */
    private double allowed(JsonNode entry, double exact) {
        boolean isExact = Stream.of("real", "generated", "training", "held_out")
                .filter(entry::has)
                .map(side -> golden.get("features").get(entry.get(side).asText()))
                .flatMapToDouble(tensor -> Arrays.stream(numbers(tensor)))
                .allMatch(value -> (float) value == value);
        return isExact ? exact : Math.max(exact, 1e-5);
    }

    private static void check(JsonNode entry, String value, double actual, double tolerance) {
        assertNear(value, new double[] {actual}, numbers(entry.get("values").get(value)), tolerance);
    }

    private void checkFrechet(JsonNode entry) {
        FeatureRows real = features(entry, "real");
        FeatureRows generated = features(entry, "generated");
        double distance = FrechetDistance.between(real.values(), generated.values(), real.dimension());
        check(
                entry,
                "frechet",
                distance,
                allowed(entry, entry.get("tolerance_abs").asDouble()));
    }

    private void checkKernel(JsonNode entry) {
        FeatureRows real = features(entry, "real");
        FeatureRows generated = features(entry, "generated");
        check(entry, "kid", KernelDistance.between(real, generated), allowed(entry, 1e-9));
        KernelDistance.Subsets subsets = KernelDistance.ofSubsets(
                real, generated, subsets(entry, "subsets_real"), subsets(entry, "subsets_generated"));
        assertNear(
                "subsets",
                array(subsets.distances()),
                numbers(entry.get("values").get("subsets_kid")),
                allowed(entry, 1e-9));
        check(entry, "subsets_mean", subsets.mean(), allowed(entry, 1e-9));
        check(entry, "subsets_std", subsets.deviation(), allowed(entry, 1e-9));
    }

    private static List<int[]> subsets(JsonNode entry, String key) {
        return Golden.all(entry, key).stream().map(ScoresGoldenTest::wholes).toList();
    }

    private static int[] wholes(JsonNode list) {
        return Arrays.stream(numbers(list)).mapToInt(number -> (int) number).toArray();
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private void checkPrecisionRecall(JsonNode entry) {
        PrecisionRecall scores = PrecisionRecall.of(
                features(entry, "real"),
                features(entry, "generated"),
                entry.get("k").asInt());
        check(entry, "precision", scores.precision(), 0);
        check(entry, "recall", scores.recall(), 0);
        check(entry, "density", scores.density(), 1e-12); // a sum divided by k, in either order
        check(entry, "coverage", scores.coverage(), 0);
    }

    private void checkSliced(JsonNode entry) {
        double[] directions =
                numbers(golden.get("projections").get(entry.get("projections").asText()));
        SlicedWasserstein distances =
                SlicedWasserstein.between(features(entry, "real"), features(entry, "generated"), directions);
        JsonNode values = entry.get("values");
        assertNear("w1", array(distances.w1()), numbers(values.get("w1_per_projection")), allowed(entry, 1e-10));
        assertNear(
                "w2²",
                array(distances.squaredW2()),
                numbers(values.get("w2_squared_per_projection")),
                allowed(entry, 1e-10));
        check(entry, "sliced_w1", distances.meanW1(), allowed(entry, 1e-10));
        check(entry, "sliced_w2", distances.w2(), allowed(entry, 1e-10));
        check(entry, "max_sliced_w1", distances.largestW1(), allowed(entry, 1e-10));
    }

    private void checkInception(JsonNode entry) {
        double[] probabilities = numbers(entry.get("probabilities"));
        int classes = Golden.shape(entry.get("probabilities")).get(1);
        Golden.entries(entry, "values").forEach(splits -> {
            int count = Integer.parseInt(splits.getKey().replace("splits_", ""));
            double[] scores = InceptionScore.ofSplits(probabilities, classes, count);
            assertNear(splits.getKey(), scores, numbers(splits.getValue().get("per_split")), 1e-10);
        });
    }

    private void checkClassification(JsonNode entry) {
        JsonNode values = entry.get("values");
        ConfusionMatrix matrix = ConfusionMatrix.of(
                wholes(entry.get("true")),
                wholes(entry.get("predicted")),
                values.get("confusion").size());
        check(entry, "accuracy", matrix.accuracy(), 0);
        assertThat(array(matrix.perClass())).isEqualTo(numbers(values.get("per_class")));
        check(entry, "balanced_accuracy", matrix.balancedAccuracy(), 1e-15); // NumPy adds in another order
        for (int k = 0; k < matrix.counts().size(); k++) {
            assertThat(matrix.counts().get(k))
                    .isEqualTo(Arrays.stream(wholes(values.get("confusion").get(k)))
                            .boxed()
                            .toList());
        }
    }

    private void checkNeighbours(JsonNode entry) {
        NearestNeighbours distances = NearestNeighbours.of(
                features(entry, "training"), features(entry, "held_out"), features(entry, "generated"));
        check(entry, "mean_to_training", distances.meanToTraining(), allowed(entry, 1e-10));
        check(entry, "mean_to_held_out", distances.meanToHeldOut(), allowed(entry, 1e-10));
        check(entry, "ratio_of_means", distances.ratioOfMeans(), allowed(entry, 1e-10));
        check(entry, "ratio_of_medians", distances.ratioOfMedians(), allowed(entry, 1e-10));
        check(entry, "median_of_ratios", distances.medianOfRatios(), allowed(entry, 1e-10));
        check(entry, "share_nearer_to_training", distances.shareNearerToTraining(), allowed(entry, 1e-10));
    }

    private void checkModes(JsonNode entry) {
        JsonNode values = entry.get("values");
        ModeCoverage coverage = ModeCoverage.of(
                numbers(entry.get("samples")),
                numbers(entry.get("means")),
                numbers(entry.get("variances")),
                Golden.shape(entry.get("means")).get(1));
        check(entry, "modes", coverage.modes(), 0);
        assertThat(coverage.counts())
                .isEqualTo(Arrays.stream(wholes(values.get("counts"))).boxed().toList());
        check(entry, "high_quality_share", coverage.highQuality(), 1e-10);
        check(entry, "variance_of_counts", coverage.varianceOfCounts(), 1e-10);
        if (values.has("entropy")) {
            check(entry, "entropy", coverage.entropy(), 1e-10);
            check(entry, "jensen_shannon_to_uniform", coverage.divergenceFromUniform(), 1e-10);
        } else {
            assertThat(coverage.entropy()).isNaN();
            assertThat(coverage.divergenceFromUniform()).isNaN();
        }
    }

    private void checkWilson(JsonNode entry) {
        WilsonInterval interval = WilsonInterval.of(
                entry.get("successes").asInt(),
                entry.get("trials").asInt(),
                entry.get("level").asDouble());
        check(entry, "low", interval.low(), 1e-10);
        check(entry, "high", interval.high(), 1e-10);
    }
}
