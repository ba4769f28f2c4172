package hocket.gan.scores;

import hocket.gan.data.Images;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Evaluation;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Judges a generator by as many samples as there are real images (2,000 at most): {@code frechet_distance} between the
 * pixels of both, and, where the real images have labels, {@code confident}, the share of samples of which a classifier
 * trained on them is sure, and {@code smallest_class}, the share of samples in the rarest class.
 *
 * @param real the images that the generator was trained on
 * @param samples draws samples from noise alone: its first target
 */
public record GanEvaluation(Images real, Program samples) implements Evaluation {
    private static final int MOST = 2000;
    private static final int CLASSIFIER_EPOCHS = 20;
    private static final int CLASSIFIER_IMAGES = 10_000;

    @Override
    public SortedMap<String, Double> scores(Parameters parameters) {
        Tensor drawn;
        try (Session session = Session.over(samples.graph(), parameters)) {
            drawn = session.run(samples, Feeds.rows(Math.min(MOST, real.count())))
                    .get(0);
        }
        return scores(drawn);
    }

    /**
     * The scores of samples (N, channels, height, width) in -1..1, N at least 2.
     *
     * @throws IllegalStateException if a value is not finite
     */
    public SortedMap<String, Double> scores(Tensor drawn) {
        requireFinite(drawn);
        SortedMap<String, Double> scores = new TreeMap<>();
        Images some = real.spread(Math.min(MOST, real.count()));
        scores.put("frechet_distance", FrechetDistance.between(some.pixels(), drawn.floats(), some.valuesPerImage()));
        if (real.isLabelled()) {
            Images taught = real.spread(Math.min(CLASSIFIER_IMAGES, real.count()));
            try (ImageClassifier judge = ImageClassifier.train(taught, 0, CLASSIFIER_EPOCHS)) {
                ClassScores classes = ClassScores.of(judge.probabilities(drawn), judge.classes());
                scores.put("confident", classes.confident());
                scores.put("smallest_class", classes.smallestClass());
                scores.put("classifier_error_rate", judge.errorRate(taught));
            }
        }
        return scores;
    }

    private static void requireFinite(Tensor drawn) {
        float[] pixels = drawn.floats();
        int row = pixels.length / drawn.shape().get(0);
        for (int i = 0; i < pixels.length; i++) {
            if (!Float.isFinite(pixels[i])) {
                throw new IllegalStateException(
                        "the generator draws values that are not finite: sample " + i / row + " has " + pixels[i]);
            }
        }
    }
}
