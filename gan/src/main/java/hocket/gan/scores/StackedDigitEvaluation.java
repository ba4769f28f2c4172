package hocket.gan.scores;

import hocket.gan.data.Digits;
import hocket.gan.data.Images;
import hocket.gan.data.StackedDigits;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.evaluation.ProgramEvaluation;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Evaluates a generator of stacked digits as VEEGAN (Srivastava et al. 2017) and PacGAN (Lin et al. 2018) do on stacked MNIST: a
 * classifier of single digits tells the digit of each channel, and the three digits are the image's mode.
 *
 * <ul>
 *   <li>{@code modes}: how many of the 1,000 occur;
 *   <li>{@code mode_kl}: the divergence {@code KL(p ‖ uniform)} of the modes' shares p, in nats; about 999 / 2N for N images of
 *       a perfect generator, 6.9 for a single mode; decides which parameters are best;
 *   <li>{@code classifier_confidence}: the share of channels that the classifier is confident about, {@link ClassScores#THRESHOLD};
 *   <li>{@code classifier_error_rate}: its error on digits that it was not trained on.
 * </ul>
 */
final class StackedDigitEvaluation implements ProgramEvaluation {
    private static final int AT_ONCE = 1000;

    private final Images real;
    private final Program draw;
    private final int samples;
    private final Images digits = Digits.load();

    /** @param real stacked digits that the generator was trained on */
    StackedDigitEvaluation(Images real, Program draw, int samples) {
        this.real = real;
        this.draw = draw;
        this.samples = samples;
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(new Merit("mode_kl", false));
    }

    @Override
    public Map<String, Range> ranges() {
        return Map.of(
                "modes", new Range(0, StackedDigits.modes(), true),
                "mode_kl", Range.FROM_ZERO,
                "classifier_confidence", Range.SHARE,
                "classifier_error_rate", Range.SHARE);
    }

    @Override
    public OptionalInt rows() {
        return OptionalInt.of(samples);
    }

    @Override
    public SortedMap<String, Double> scores(Session session) {
        float[] pixels = new float[samples * real.valuesPerImage()];
        for (int from = 0; from < samples; from += AT_ONCE) {
            float[] some = session.run(draw, Feeds.rows(Math.min(AT_ONCE, samples - from)))
                    .get(0)
                    .floats();
            System.arraycopy(some, 0, pixels, from * real.valuesPerImage(), some.length);
        }
        return scores(pixels, session.threads());
    }

    /** The scores of a bootstrap of the real images and of one Gaussian. */
    @Override
    public List<Reference> references(int threads) {
        ReferenceRows rows = new ReferenceRows(new FeatureRows(real.pixels(), real.valuesPerImage()));
        return List.of(
                ReferenceRows.ofBootstrap(
                        samples, scores(real.at(rows.bootstrap(samples)).pixels(), threads)),
                ReferenceRows.ofGaussian(samples, scores(rows.gaussian(samples), threads)));
    }

    /** The scores of images (n, 3, 8, 8), which are also digits (3n, 1, 8, 8). */
    private SortedMap<String, Double> scores(float[] pixels, int threads) {
        ImageSetScores.requireFinite(
                Tensor.of(ImageSetScores.shape(real, pixels.length / real.valuesPerImage()), pixels));
        Tensor channels = Tensor.of(ImageSetScores.shape(digits, pixels.length / digits.valuesPerImage()), pixels);
        SortedMap<String, Double> scores = new TreeMap<>();
        try (ImageClassifier classifier = ClassifierCache.SHARED.classifier(digits, threads)) {
            float[] p = classifier.probabilities(channels);
            ModeCoverage coverage = coverage(p, classifier.classes());
            scores.put("modes", (double) coverage.modes());
            scores.put("mode_kl", coverage.klFromUniform());
            scores.put(
                    "classifier_confidence",
                    ClassScores.of(p, classifier.classes()).confidentShare());
            ClassifierCache.split(digits)
                    .heldOut()
                    .ifPresent(others -> scores.put("classifier_error_rate", classifier.errorRate(others)));
        }
        return scores;
    }

    /**
     * The modes of images.
     *
     * @param probabilities of the digits of each channel, row-major (3n, classes)
     */
    static ModeCoverage coverage(float[] probabilities, int classes) {
        int[] counts = new int[StackedDigits.modes()];
        int n = probabilities.length / classes / StackedDigits.CHANNELS;
        for (int image = 0; image < n; image++) {
            int first = image * StackedDigits.CHANNELS;
            counts[
                    StackedDigits.label(IntStream.range(first, first + StackedDigits.CHANNELS)
                            .map(channel -> ClassScores.largest(probabilities, channel, classes))
                            .toArray())]++;
        }
        return new ModeCoverage(Arrays.stream(counts).boxed().toList(), n);
    }
}
