package hocket.gan.scores;

import hocket.gan.data.Images;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.evaluation.Evaluation;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a generator by as many samples as there are real images (2,000 at most). {@code frechet_distance} is
 * between the pixels of both. Where the real images have labels, a classifier is trained on them: {@code confident} is
 * the share of samples it is confident about, {@code smallest_class} the share of samples in the rarest class, and
 * {@code classifier_error_rate} its own error on every sixth image of each class, which it was not trained on. A
 * generator that reads a {@code label} is given every class equally often, and {@code label_agreement} is the share of
 * samples classified as the given class.
 *
 * <p>The classifier is trained once for each number of threads and kept for later scores. Not thread-safe.
 */
public final class GanEvaluation implements Evaluation {
    /** Trains the classifier on images with a number of threads. */
    @FunctionalInterface
    interface ClassifierTraining {
        ImageClassifier on(Images images, int threads);
    }

    private static final String LABEL = "label";
    private static final int[] NOT_ASKED = {};
    private static final int MOST = 2000;
    private static final int CLASSIFIER_EPOCHS = 20;
    private static final int CLASSIFIER_IMAGES = 12_000;

    private final Images real;
    private final Program samples;
    private final ClassifierTraining training;
    private final Map<Integer, Snapshot> classifiers = new HashMap<>();
    private @Nullable RowMoments moments;

    /**
     * @param real the images that the generator was trained on
     * @param samples a program whose first target is samples, from noise and optionally a label
     * @throws IllegalArgumentException if the program reads another input than a label, the images have no labels for
     *     it, or the samples are not images of their size
     */
    public GanEvaluation(Images real, Program samples) {
        this(real, samples, (images, threads) -> ImageClassifier.train(images, 0, CLASSIFIER_EPOCHS, threads));
    }

    GanEvaluation(Images real, Program samples, ClassifierTraining training) {
        this.real = real;
        this.samples = samples;
        this.training = training;
        for (Value input : samples.inputs()) {
            if (!input.path().text().equals(LABEL)) {
                throw new IllegalArgumentException("program " + samples.name() + " reads " + input
                        + "; image scores take one that draws from noise, or from noise and " + LABEL);
            }
        }
        if (samples.input(LABEL).isPresent() && !real.isLabelled()) {
            throw new IllegalArgumentException(
                    "program " + samples.name() + " reads " + LABEL + ", but the images have none: " + real);
        }
        Shape image = Shape.of(real.channels(), real.height(), real.width());
        Value drawn = samples.targets().get(0);
        if (!drawn.shape().equals(image)) {
            throw new IllegalArgumentException(
                    "program " + samples.name() + " draws " + drawn + ", the images are " + image);
        }
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(new Merit("frechet_distance", false));
    }

    @Override
    public Map<String, Range> ranges() {
        return Map.of(
                "frechet_distance",
                Range.FROM_ZERO,
                "confident",
                Range.SHARE,
                "smallest_class",
                Range.SHARE,
                "classifier_error_rate",
                Range.SHARE,
                "label_agreement",
                Range.SHARE);
    }

    @Override
    public SortedMap<String, Double> scores(Parameters parameters) {
        try (Session session = Session.over(samples.graph(), parameters)) {
            return scores(session);
        }
    }

    @Override
    public SortedMap<String, Double> scores(Session session) {
        int count = Math.min(MOST, real.count());
        Feeds feeds = Feeds.rows(count);
        int[] asked = NOT_ASKED;
        if (samples.input(LABEL).isPresent()) {
            asked = IntStream.range(0, count).map(i -> i % real.classes()).toArray();
            long[] wide = IntStream.of(asked).asLongStream().toArray();
            feeds = feeds.and(LABEL, Tensor.of(Shape.of(count), wide));
        }
        return scores(moments(), session.run(samples, feeds).get(0), asked, session.threads());
    }

    /**
     * The scores of unconditional samples (N, channels, height, width) in -1..1, N at least 2.
     *
     * @throws IllegalStateException if a value is not finite
     */
    public SortedMap<String, Double> scores(Tensor drawn) {
        return scores(moments(), drawn, NOT_ASKED, Runtime.getRuntime().availableProcessors());
    }

    /** The scores of a bootstrap of the real images, of one half of them, and of one Gaussian. */
    @Override
    public List<Reference> references(int threads) {
        ReferenceRows rows = new ReferenceRows(real.pixels(), real.valuesPerImage());
        int count = Math.min(MOST, real.count());
        int[] order = rows.shuffled();
        int half = Math.min(count, order.length / 2);
        RowMoments others = moments(real.at(Arrays.copyOfRange(order, half, 2 * half)));
        Images one = real.at(Arrays.copyOf(order, half));
        return List.of(
                ReferenceRows.ofBootstrap(scores(moments(), real.at(rows.bootstrap(count)), threads)),
                ReferenceRows.ofHalves(scores(others, one, threads)),
                ReferenceRows.ofGaussian(scores(moments(), tensor(rows.gaussian(count)), NOT_ASKED, threads)));
    }

    /** The scores of images with their own labels as the wanted ones. */
    private SortedMap<String, Double> scores(RowMoments against, Images images, int threads) {
        boolean isAsked = samples.input(LABEL).isPresent();
        return scores(against, tensor(images.pixels()), isAsked ? images.labels() : NOT_ASKED, threads);
    }

    private Tensor tensor(float[] pixels) {
        int count = pixels.length / real.valuesPerImage();
        return Tensor.of(Shape.of(count, real.channels(), real.height(), real.width()), pixels);
    }

    /** The moments of the real images, computed once. */
    private RowMoments moments() {
        if (moments == null) {
            moments = moments(real);
        }
        return moments;
    }

    private static RowMoments moments(Images images) {
        return RowMoments.of(images.spread(Math.min(MOST, images.count())).pixels(), images.valuesPerImage());
    }

    private SortedMap<String, Double> scores(RowMoments against, Tensor drawn, int[] asked, int threads) {
        requireFinite(drawn);
        SortedMap<String, Double> scores = new TreeMap<>();
        RowMoments ofDrawn = RowMoments.of(drawn.floats(), real.valuesPerImage());
        scores.put("frechet_distance", FrechetDistance.between(against, ofDrawn));
        if (real.isLabelled()) {
            HeldOutSplit images = HeldOutSplit.of(real.spread(Math.min(CLASSIFIER_IMAGES, real.count())));
            try (ImageClassifier classifier = classifier(images.training(), threads)) {
                ClassScores classes = ClassScores.of(classifier.probabilities(drawn), classifier.classes());
                scores.put("confident", classes.confidentShare());
                scores.put("smallest_class", classes.smallestClass());
                images.heldOut().ifPresent(others -> scores.put("classifier_error_rate", classifier.errorRate(others)));
                if (asked.length > 0) {
                    scores.put("label_agreement", 1 - classifier.errorRate(drawn, asked));
                }
            }
        }
        return scores;
    }

    private ImageClassifier classifier(Images images, int threads) {
        Snapshot trained = classifiers.get(threads);
        if (trained != null) {
            return ImageClassifier.of(images, trained, threads);
        }
        ImageClassifier classifier = training.on(images, threads);
        classifiers.put(threads, classifier.trained());
        return classifier;
    }

    private static void requireFinite(Tensor drawn) {
        float[] pixels = drawn.floats();
        int row = pixels.length / drawn.shape().get(0);
        for (int i = 0; i < pixels.length; i++) {
            if (!Float.isFinite(pixels[i])) {
                throw new IllegalStateException(
                        "the generator's samples are not finite: sample " + i / row + " has " + pixels[i]);
            }
        }
    }

    /**
     * A split of labelled images into those that a classifier is trained on and those that it is tested on. The split is
     * deterministic.
     *
     * @param training five of six images
     * @param heldOut the test images: the sixth, twelfth, … image of each class; empty where no class has six
     */
    record HeldOutSplit(Images training, Optional<Images> heldOut) {
        private static final int EVERY = 6;

        static HeldOutSplit of(Images images) {
            int[] seen = new int[images.classes()];
            int[] labels = images.labels();
            boolean[] isHeldOut = new boolean[images.count()];
            for (int i = 0; i < labels.length; i++) {
                isHeldOut[i] = ++seen[labels[i]] % EVERY == 0;
            }
            int[] others =
                    IntStream.range(0, images.count()).filter(i -> isHeldOut[i]).toArray();
            if (others.length == 0) {
                return new HeldOutSplit(images, Optional.empty());
            }
            int[] taught = IntStream.range(0, images.count())
                    .filter(i -> !isHeldOut[i])
                    .toArray();
            return new HeldOutSplit(images.at(taught), Optional.of(images.at(others)));
        }
    }
}
