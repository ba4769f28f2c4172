package hocket.gan.scores;

import hocket.gan.data.Images;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.ProgramEvaluation;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * Evaluates a generator by as many samples as there are real images (2,000 at most), by {@link ImageSetScores}. A generator
 * that reads a {@code label} is given the labels of as many real images, so that classes have their shares. Not thread-safe.
 */
public final class GanEvaluation implements ProgramEvaluation {
    private static final String LABEL = "label";

    private final Program samples;
    private final ImageSetScores scores;
    private final ImageSetScores thorough;

    /**
     * Evaluates by pixels, without held-out images.
     *
     * @param real the images that the generator was trained on
     * @param samples a program whose first target is samples, from noise and optionally a label
     * @throws IllegalArgumentException as {@link #GanEvaluation(Program, ImageSetScores, ImageSetScores)}
     */
    public GanEvaluation(Images real, Program samples) {
        this(samples, new ImageSetScores(real, new Evaluator.Pixels()));
    }

    GanEvaluation(Program samples, ImageSetScores scores) {
        this(samples, scores, scores);
    }

    /**
     * @param samples a program whose first target is samples, from noise and optionally a label
     * @param thorough the scores of {@link #thorough}, against the same real images
     * @throws IllegalArgumentException if the program reads another input than a label, the images have no labels for
     *     it, or the samples are not images of their size
     */
    GanEvaluation(Program samples, ImageSetScores scores, ImageSetScores thorough) {
        this.samples = samples;
        this.scores = scores;
        this.thorough = thorough;
        Images real = scores.real();
        for (Value input : samples.inputs()) {
            if (!input.path().text().equals(LABEL)) {
                throw new IllegalArgumentException("program " + samples.name() + " reads " + input
                        + "; image scores take one that draws from noise, or from noise and " + LABEL);
            }
        }
        if (isLabelled() && !real.isLabelled()) {
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

    private boolean isLabelled() {
        return samples.input(LABEL).isPresent();
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(new Merit("frechet_distance", false));
    }

    @Override
    public Map<String, Range> ranges() {
        return ImageSetScores.ranges();
    }

    @Override
    public OptionalInt rows() {
        return OptionalInt.of(count());
    }

    private int count() {
        return Math.min(ImageSetScores.MOST, scores.real().count());
    }

    @Override
    public Evaluation thorough() {
        return new GanEvaluation(samples, thorough);
    }

    @Override
    public SortedMap<String, Double> scores(Session session) {
        Feeds feeds = Feeds.rows(count());
        int[] labels = ImageSetScores.NO_LABELS;
        if (isLabelled()) {
            int[] all = scores.real().labels();
            labels = IntStream.of(Images.spread(count(), all.length))
                    .map(i -> all[i])
                    .toArray();
            feeds = feeds.and(
                    LABEL,
                    Tensor.of(
                            Shape.of(count()),
                            IntStream.of(labels).asLongStream().toArray()));
        }
        return scores.of(session.run(samples, feeds).get(0), labels, session.threads());
    }

    @Override
    public List<Reference> references(int threads) {
        return scores.references(count(), isLabelled(), threads);
    }
}
