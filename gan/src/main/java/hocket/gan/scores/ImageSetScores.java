package hocket.gan.scores;

import hocket.gan.data.Images;
import hocket.schedulers.evaluation.Evaluation.Range;
import hocket.schedulers.evaluation.Evaluation.Reference;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Scores of sets of images, beside those of references: {@link DistributionScores} of features. Where the real images have
 * labels, a classifier is trained on them: {@code classifier_confidence} is the share of images that it is confident about, {@code
 * smallest_class} the share of images in the rarest class of those that real images have, {@code classifier_error_rate} its own
 * error on every sixth image of each class, which it was not trained on, and {@code label_agreement} the share of images classified
 * as their label.
 * {@link #heldOut} adds {@link HeldOutScores}.
 *
 * <p>The parts that depend on the real images alone are computed once for each number of threads and kept. Not thread-safe.
 */
public final class ImageSetScores {
    /** The labels of images without any. */
    public static final int[] NO_LABELS = {};

    /** The most images of a set that are compared; of more, some are, by {@link Images#spread(int, int)}. */
    public static final int MOST = 2000;

    /** The fewest images of a set: halves of them must have balls of their five nearest others. */
    public static final int FEWEST = 12;

    private final Images real;
    private final Evaluator evaluator;
    private final ClassifierCache classifiers;
    private final @Nullable HeldOutScores heldOut;
    private final Map<Integer, DistributionScores> distributions;

    /**
     * @param real the images that a generator was trained on
     * @param evaluator of the features that are compared
     */
    public ImageSetScores(Images real, Evaluator evaluator) {
        this(real, evaluator, ClassifierCache.SHARED);
    }

    ImageSetScores(Images real, Evaluator evaluator, ClassifierCache classifiers) {
        this(real, evaluator, classifiers, null, new HashMap<>());
    }

    private ImageSetScores(
            Images real,
            Evaluator evaluator,
            ClassifierCache classifiers,
            @Nullable HeldOutScores heldOut,
            Map<Integer, DistributionScores> distributions) {
        this.real = real;
        this.evaluator = evaluator;
        this.classifiers = classifiers;
        this.heldOut = heldOut;
        this.distributions = distributions;
    }

    /**
     * Returns these scores with those by real images that no generator was trained on, which take longer.
     *
     * @throws IllegalArgumentException if they are not like the real ones, or mostly the same
     */
    public ImageSetScores heldOut(Images others) {
        return new ImageSetScores(
                real, evaluator, classifiers, new HeldOutScores(real, others, evaluator), distributions);
    }

    /** Returns the real images. */
    Images real() {
        return real;
    }

    /** Returns the ranges of all scores by name. */
    public static Map<String, Range> ranges() {
        Map<String, Range> ranges = new HashMap<>(DistributionScores.RANGES);
        ranges.putAll(HeldOutScores.RANGES);
        for (String share :
                List.of("classifier_confidence", "smallest_class", "classifier_error_rate", "label_agreement")) {
            ranges.put(share, Range.SHARE);
        }
        return ranges;
    }

    /**
     * The scores of images.
     *
     * @param images (N, channels, height, width), usually in -1..1, N at least 2
     * @param labels the label of each, or {@link #NO_LABELS}
     * @throws IllegalStateException if a value is not finite
     */
    public SortedMap<String, Double> of(Tensor images, int[] labels, int threads) {
        requireFinite(images);
        SortedMap<String, Double> scores = scores(distribution(threads), images, labels, threads);
        if (heldOut != null) {
            scores.putAll(heldOut.of(images, labels, threads));
        }
        return scores;
    }

    /**
     * The scores of a bootstrap of the real images, of one half of them against the other, of one Gaussian, and of the
     * held-out images.
     *
     * @param count the number of images of each, as far as there are as many
     * @param isLabelled whether scores that need labels are wanted
     * @throws IllegalArgumentException if there are fewer than {@link #FEWEST} real images
     */
    public List<Reference> references(int count, boolean isLabelled, int threads) {
        if (real.count() < FEWEST) {
            throw new IllegalArgumentException(
                    "scores need at least " + FEWEST + " real images to compare with, there are " + real.count());
        }
        ReferenceRows rows = new ReferenceRows(new FeatureRows(real.pixels(), real.valuesPerImage()));
        List<Reference> references = new ArrayList<>();
        Images again = real.at(rows.bootstrap(count));
        references.add(ReferenceRows.ofBootstrap(count, of(tensor(again), labels(again, isLabelled), threads)));

        int[] order = rows.shuffled();
        int half = Math.min(Math.min(count, MOST), order.length / 2);
        Images one = real.at(Arrays.copyOf(order, half));
        Images other = real.at(Arrays.copyOfRange(order, half, 2 * half));
        SortedMap<String, Double> ofHalf =
                scores(distribution(other, threads), tensor(one), labels(one, isLabelled), threads);
        if (heldOut != null) {
            ofHalf.putAll(heldOut.accuracy(tensor(one), labels(one, isLabelled), threads));
        }
        references.add(ReferenceRows.ofHalves(half, ofHalf));

        Tensor gaussian = Tensor.of(shape(real, count), rows.gaussian(count));
        references.add(ReferenceRows.ofGaussian(count, of(gaussian, NO_LABELS, threads)));
        if (heldOut != null) {
            Images others =
                    heldOut.images().spread(Math.min(count, heldOut.images().count()));
            SortedMap<String, Double> ofOthers =
                    scores(distribution(threads), tensor(others), labels(others, isLabelled), threads);
            ofOthers.putAll(heldOut.ofHeldOut(threads));
            references.add(ReferenceRows.ofHeldOut(others.count(), ofOthers));
        }
        return references;
    }

    private static int[] labels(Images images, boolean isLabelled) {
        return isLabelled ? images.labels() : NO_LABELS;
    }

    /** The scores but those by held-out images. */
    private SortedMap<String, Double> scores(DistributionScores against, Tensor images, int[] labels, int threads) {
        SortedMap<String, Double> scores = against.of(features(evaluator, images, real, threads));
        if (real.isLabelled()) {
            Optional<Images> test = ClassifierCache.split(real).heldOut();
            try (ImageClassifier classifier = classifiers.classifier(real, threads)) {
                ClassScores classes = ClassScores.of(classifier.probabilities(images), classifier.classes());
                scores.put("classifier_confidence", classes.confidentShare());
                scores.put("smallest_class", classes.smallestClass(real.labels()));
                test.ifPresent(others -> scores.put("classifier_error_rate", classifier.errorRate(others)));
                if (labels.length > 0) {
                    scores.put("label_agreement", 1 - classifier.errorRate(images, labels));
                }
            }
        }
        return scores;
    }

    private DistributionScores distribution(int threads) {
        return distributions.computeIfAbsent(threads, number -> distribution(real, number));
    }

    private DistributionScores distribution(Images images, int threads) {
        Images some = images.spread(Math.min(MOST, images.count()));
        return new DistributionScores(features(evaluator, tensor(some), real, threads));
    }

    /**
     * Returns the features of images.
     *
     * @throws IllegalStateException if an evaluator gives another number of rows
     */
    static FeatureRows features(Evaluator evaluator, Tensor images, Images real, int threads) {
        FeatureRows features = evaluator.features(images, real, threads);
        if (features.count() != images.shape().get(0)) {
            throw new IllegalStateException("features: " + evaluator + " must give a row for each of "
                    + images.shape().get(0) + " images, gave " + features.count());
        }
        return features;
    }

    /** Returns the shape of {@code count} such images. */
    static Shape shape(Images images, int count) {
        return Shape.of(count, images.channels(), images.height(), images.width());
    }

    /** Returns images as a tensor. */
    public static Tensor tensor(Images images) {
        return Tensor.of(shape(images, images.count()), images.pixels());
    }

    /** @throws IllegalStateException if a value is not finite */
    public static void requireFinite(Tensor images) {
        float[] pixels = images.floats();
        int row = pixels.length / images.shape().get(0);
        for (int i = 0; i < pixels.length; i++) {
            if (!Float.isFinite(pixels[i])) {
                throw new IllegalStateException(
                        "the generator's samples are not finite: sample " + i / row + " has " + pixels[i]);
            }
        }
    }
}
