package hocket.gan.scores;

import hocket.gan.data.Images;
import hocket.schedulers.evaluation.Evaluation.Range;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Scores of generated images by real ones that the generator was not trained on. {@code nearest_neighbour_ratio} and {@code
 * nearer_to_training} are the ratio of means and the share of {@link NearestNeighbours}, over at most 12,000 training rows and
 * 2,000 held-out ones.
 * {@code classification_accuracy_score} is the accuracy on the held-out images of a classifier that is trained on the
 * generated images and their labels (Ravuri and Vinyals, "Classification Accuracy Score for Conditional Generative
 * Models", 2019).
 */
public final class HeldOutScores {
    /** The ranges of the scores of {@link #neighbours}. */
    public static final Map<String, Range> NEIGHBOURS = Map.of(
            "nearest_neighbour_ratio", Range.FROM_ZERO,
            "nearer_to_training", Range.SHARE);

    /** The most training rows whose distance to a row is taken; of more, some are, by {@link Images#spread(int, int)}. */
    public static final int MOST_TRAINING = 12_000;

    /** The ranges of all scores. */
    static final Map<String, Range> RANGES = ranges();

    private static Map<String, Range> ranges() {
        Map<String, Range> ranges = new TreeMap<>(NEIGHBOURS);
        ranges.put("classification_accuracy_score", Range.SHARE);
        return Map.copyOf(ranges);
    }

    private final Images real;
    private final Images heldOut;
    private final Evaluator evaluator;

    /**
     * @param real the images that the generator was trained on
     * @throws IllegalArgumentException if the held-out images have another size, no labels where the real ones have some,
     *     other classes, or are mostly real ones
     */
    HeldOutScores(Images real, Images heldOut, Evaluator evaluator) {
        if (!ImageSetScores.shape(real, 1).equals(ImageSetScores.shape(heldOut, 1))
                || real.isLabelled() != heldOut.isLabelled()
                || heldOut.classes() > real.classes()) {
            throw new IllegalArgumentException(
                    "held-out images must be as the real ones are, " + real + ", but are " + heldOut);
        }
        requireOthers("images", hashes(real), hashes(heldOut));
        this.real = real;
        this.heldOut = heldOut;
        this.evaluator = evaluator;
    }

    private static int[] hashes(Images images) {
        return IntStream.range(0, images.count())
                .map(i -> Arrays.hashCode(images.image(i)))
                .toArray();
    }

    /**
     * Checks that held-out rows are mostly others than the real ones. Real rows of which most occur twice, as in a table of few
     * categories, do not tell; then all are accepted.
     *
     * @param rows what the rows are, for the message
     * @param real the hash code of each row that the generator is trained on
     * @param heldOut the hash code of each held-out row
     * @throws IllegalArgumentException if more than half of the held-out rows are real ones
     */
    public static void requireOthers(String rows, int[] real, int... heldOut) {
        Set<Integer> hashes = Arrays.stream(real).boxed().collect(Collectors.toSet());
        long known = Arrays.stream(heldOut).filter(hashes::contains).count();
        if (2 * hashes.size() > real.length && 2 * known > heldOut.length) {
            throw new IllegalArgumentException("held-out " + rows
                    + " must not be real ones that the generator is trained on, but " + known + " of " + heldOut.length
                    + " are");
        }
    }

    /** Returns the held-out images. */
    Images images() {
        return heldOut;
    }

    /**
     * The scores of generated images.
     *
     * @param labels their labels; without any there is no classification accuracy
     */
    SortedMap<String, Double> of(Tensor generated, int[] labels, int threads) {
        SortedMap<String, Double> scores = neighbours(NearestNeighbours.of(
                ofTraining(threads), ofOthers(threads), ImageSetScores.features(evaluator, generated, real, threads)));
        scores.putAll(accuracy(generated, labels, threads));
        return scores;
    }

    /** The neighbours of the held-out images themselves, as of a generator of the true distribution. */
    SortedMap<String, Double> ofHeldOut(int threads) {
        return neighbours(NearestNeighbours.ofHeldOut(ofTraining(threads), ofOthers(threads)));
    }

    /** The classification accuracy score alone; none without labels. */
    SortedMap<String, Double> accuracy(Tensor images, int[] labels, int threads) {
        SortedMap<String, Double> scores = new TreeMap<>();
        if (labels.length > 0) {
            Images labelled = clipped(images).withLabels(labels, real.classes());
            try (ImageClassifier classifier = ImageClassifier.train(labelled, threads)) {
                scores.put("classification_accuracy_score", 1 - classifier.errorRate(heldOut));
            }
        }
        return scores;
    }

    /** Returns those of the values that are printed, by name. */
    public static SortedMap<String, Double> neighbours(NearestNeighbours neighbours) {
        return new TreeMap<>(Map.of(
                "nearest_neighbour_ratio",
                neighbours.ratioOfMeans(),
                "nearer_to_training",
                neighbours.shareNearerToTraining()));
    }

    private FeatureRows ofTraining(int threads) {
        return features(real, MOST_TRAINING, threads);
    }

    private FeatureRows ofOthers(int threads) {
        return features(heldOut, ImageSetScores.MOST, threads);
    }

    private FeatureRows features(Images images, int most, int threads) {
        Images some = images.spread(Math.min(most, images.count()));
        return ImageSetScores.features(evaluator, ImageSetScores.tensor(some), real, threads);
    }

    /** A linear generator's values may exceed -1..1. */
    private Images clipped(Tensor images) {
        float[] pixels = images.floats();
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = Math.max(-1, Math.min(1, pixels[i]));
        }
        return Images.of(real.channels(), real.height(), real.width(), pixels);
    }
}
