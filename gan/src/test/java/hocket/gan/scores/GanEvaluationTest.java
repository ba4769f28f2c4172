package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.gan.data.Digits;
import hocket.gan.data.Images;
import hocket.gan.networks.DcganGenerator;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Value;
import hocket.schedulers.evaluation.Evaluation;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the scores of a generator: equal for equal weights, and in the expected order for known generators. */
@Tag("engine")
class GanEvaluationTest {
    private final Images digits = Digits.load().at(IntStream.range(0, 600).toArray());

    private static Program draw() {
        Graph graph = new Graph();
        Value noise = graph.noise("noise", Shape.of(8));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = DcganGenerator.usual().width(4).generate(noise, Shape.of(1, 8, 8));
        }
        return Program.compile("draw", Mode.EVAL, fake);
    }

    private static SortedMap<String, Double> scores(Images real, Tensor drawn) {
        return new ImageSetScores(real, new Evaluator.Pixels()).of(drawn, ImageSetScores.NO_LABELS, 1);
    }

    @Test
    void scoresAreTheSameForTheSameParametersAndChangeNothing() {
        Program draw = draw();
        GanEvaluation evaluation = new GanEvaluation(digits, draw);
        try (Parameters parameters = Parameters.initialise(draw.graph().declarations(), Streams.seed(3))) {
            String before = parameters.digest();
            SortedMap<String, Double> scores = evaluation.scores(parameters);
            assertThat(evaluation.scores(parameters)).isEqualTo(scores);
            assertThat(scores)
                    .containsOnlyKeys(
                            "classifier_error_rate",
                            "classifier_confidence",
                            "coverage",
                            "density",
                            "frechet_distance",
                            "kid",
                            "precision",
                            "recall",
                            "sliced_wasserstein",
                            "smallest_class");
            assertThat(evaluation.rows()).hasValue(600);
            assertThat(parameters.digest()).isEqualTo(before);
        }
    }

    @Test
    void theClassifierIsTrainedOnceForEqualImagesAndAsManyThreads() {
        Program draw = draw();
        List<Integer> trained = new ArrayList<>();
        ClassifierCache cache = new ClassifierCache((images, threads) -> {
            trained.add(threads);
            return ImageClassifier.train(images, 0, 1, threads);
        });
        GanEvaluation evaluation = new GanEvaluation(draw, new ImageSetScores(digits, new Evaluator.Pixels(), cache));
        try (Parameters parameters = Parameters.initialise(draw.graph().declarations(), Streams.seed(3));
                Session one = Session.over(parameters, 1);
                Session two = Session.over(parameters, 2)) {
            SortedMap<String, Double> scores = evaluation.scores(one);
            evaluation.scores(two);
            one.goOnFrom(0); // the same noise
            assertThat(evaluation.scores(one)).isEqualTo(scores);
            Images sameContent = digits.at(IntStream.range(0, 600).toArray());
            new GanEvaluation(draw, new ImageSetScores(sameContent, new Evaluator.Pixels(), cache)).scores(one);
            assertThat(trained).containsExactly(1, 2);
        }
    }

    @Test
    void theImagesThemselvesHaveTheBestScores() {
        Tensor real = Tensor.of(Shape.of(600, 1, 8, 8), digits.pixels());
        SortedMap<String, Double> scores = scores(digits, real);
        assertThat(scores.get("frechet_distance")).isCloseTo(0, within(1e-9));
        assertThat(scores.get("classifier_confidence")).isGreaterThan(0.95);
        assertThat(scores.get("smallest_class")).isGreaterThan(0.08);
    }

    /** A memoriser beats two halves by its distance, and one Gaussian too; a classifier tells the Gaussian. */
    @Test
    void referencesTellWhatAScoreIsWorth() {
        GanEvaluation evaluation = new GanEvaluation(digits, draw());
        List<Evaluation.Reference> references = evaluation.references(2);
        assertThat(references.stream().map(Evaluation.Reference::name))
                .containsExactly("bootstrap", "halves", "gaussian");
        SortedMap<String, Double> bootstrap = references.get(0).scores();
        SortedMap<String, Double> halves = references.get(1).scores();
        SortedMap<String, Double> gaussian = references.get(2).scores();
        assertThat(bootstrap.get("frechet_distance")).isBetween(0.01, halves.getOrDefault("frechet_distance", 0.0) / 2);
        assertThat(gaussian.get("frechet_distance")).isBetween(0.01, halves.getOrDefault("frechet_distance", 0.0) / 2);
        assertThat(bootstrap.get("classifier_confidence")).isGreaterThan(0.95);
        assertThat(gaussian.get("classifier_confidence")).isLessThan(0.7);
        assertThat(evaluation.references(2)).isEqualTo(references);
    }

    @Test
    void theClassifiersErrorRateIsThatOnImagesThatItHasNotSeen() {
        Images noise = chance();
        Tensor drawn = Tensor.of(Shape.of(120, 1, 8, 8), noise.pixels());
        assertThat(scores(noise, drawn).get("classifier_error_rate"))
                .isBetween(0.3, 1.0); // by heart it would know them all
    }

    /** Noise with two unrelated labels. */
    private static Images chance() {
        float[] pixels = new float[120 * 64];
        int[] labels = new int[120];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (float) Math.sin((double) i * i);
            labels[i / 64] = i / 64 % 2;
        }
        return Images.of(1, 8, 8, pixels).withLabels(labels, 2);
    }

    @Test
    void imagesWithoutLabelsAreScoredByDistancesAloneAndFiveByOneDistance() {
        Images unlabelled = Images.of(1, 8, 8, digits.pixels());
        Tensor grey = Tensor.of(Shape.of(10, 1, 8, 8), new float[640]);
        assertThat(scores(unlabelled, grey))
                .containsOnlyKeys(
                        "coverage", "density", "frechet_distance", "kid", "precision", "recall", "sliced_wasserstein");
        Images few = unlabelled.at(0, 1, 2, 3, 4);
        assertThat(scores(few, ImageSetScores.tensor(few))).containsOnlyKeys("frechet_distance");
    }

    @Test
    void samplesThatAreNotFiniteHaveNoScores() {
        float[] pixels = new float[640];
        pixels[100] = Float.NaN;
        assertThatThrownBy(() -> scores(digits, Tensor.of(Shape.of(10, 1, 8, 8), pixels)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the generator's samples are not finite: sample 1 has NaN");
    }
}
