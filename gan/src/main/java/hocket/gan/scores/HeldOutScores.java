package hocket.gan.scores;

import hocket.gan.data.Images;
import hocket.schedulers.evaluation.Evaluation.Range;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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

    /** The ranges of all scores. */
    static final Map<String, Range> RANGES = ranges();

    private static final int MOST = 12_000;

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
        int known = known(real, heldOut);
        if (2 * known > heldOut.count()) {
            throw new IllegalArgumentException(
                    "held-out images must not be real ones that the generator is trained on, but " + known + " of "
                            + heldOut.count() + " are");
        }
        this.real = real;
        this.heldOut = heldOut;
        this.evaluator = evaluator;
    }

    /** Counts the held-out images that are real ones too, by hashes, which some others may share. */
    private static int known(Images real, Images heldOut) {
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; i < real.count(); i++) {
            hashes.add(Arrays.hashCode(real.image(i)));
        }
        return (int) IntStream.range(0, heldOut.count())
                .filter(i -> hashes.contains(Arrays.hashCode(heldOut.image(i))))
                .count();
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
                ofTraining(threads), ofOthers(threads), evaluator.features(generated, real, threads)));
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
        return features(real, MOST, threads);
    }

    private FeatureRows ofOthers(int threads) {
        return features(heldOut, ImageSetScores.MOST, threads);
    }

    private FeatureRows features(Images images, int most, int threads) {
        Images some = images.spread(Math.min(most, images.count()));
        return evaluator.features(ImageSetScores.tensor(some), real, threads);
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
