package hocket.gan.scores;

import hocket.gan.data.GaussianMixture;
import hocket.gan.data.SyntheticPoints;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.ProgramEvaluation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a generator of points. {@link DistributionScores} compare them with as many real ones; {@code sliced_wasserstein}
 * decides which parameters are best. If the real points are of a mixture, {@code modes} and {@code high_quality} are of {@link
 * ModeCoverage}, as PacGAN counts them, and so is the stricter {@code populated_modes}. With held-out points the thorough
 * evaluation has {@code nearest_neighbour_ratio} and {@code nearer_to_training} of {@link NearestNeighbours}. Not
 * thread-safe.
 */
final class PointEvaluation implements ProgramEvaluation {
    private final SyntheticPoints real;
    private final Program draw;
    private final int samples;
    private final Optional<SyntheticPoints> heldOut;
    private final boolean isThorough;
    private @Nullable DistributionScores distribution;

    PointEvaluation(SyntheticPoints real, Program draw, int samples, Optional<SyntheticPoints> heldOut) {
        this(real, draw, samples, heldOut, false);
    }

    private PointEvaluation(
            SyntheticPoints real, Program draw, int samples, Optional<SyntheticPoints> heldOut, boolean isThorough) {
        this.real = real;
        this.draw = draw;
        this.samples = samples;
        this.heldOut = heldOut;
        this.isThorough = isThorough;
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(new Merit("sliced_wasserstein", false));
    }

    @Override
    public Map<String, Range> ranges() {
        Map<String, Range> ranges = new HashMap<>(DistributionScores.RANGES);
        ranges.putAll(HeldOutScores.RANGES);
        real.mixture().ifPresent(mixture -> {
            ranges.put("modes", new Range(0, mixture.modes(), true));
            ranges.put("populated_modes", new Range(0, mixture.modes(), true));
            ranges.put("high_quality", Range.SHARE);
        });
        return ranges;
    }

    @Override
    public OptionalInt rows() {
        return OptionalInt.of(samples);
    }

    @Override
    public Evaluation thorough() {
        return new PointEvaluation(real, draw, samples, heldOut, true);
    }

    @Override
    public SortedMap<String, Double> scores(Session session) {
        return scores(session.run(draw, Feeds.rows(samples)).get(0).floats());
    }

    /** The scores of a bootstrap of the real points, of one half of them against the other, of one Gaussian, and of held-out points. */
    @Override
    public List<Reference> references(int threads) {
        ReferenceRows rows = new ReferenceRows(points(real));
        List<Reference> references = new ArrayList<>();
        references.add(ReferenceRows.ofBootstrap(
                samples, scores(rows.real().at(rows.bootstrap(samples)).values())));
        int[] order = rows.shuffled();
        int half = Math.min(samples, order.length / 2);
        if (2 * half >= ImageSetScores.FEWEST) {
            FeatureRows one = rows.real().at(Arrays.copyOf(order, half));
            FeatureRows other = rows.real().at(Arrays.copyOfRange(order, half, 2 * half));
            references.add(ReferenceRows.ofHalves(half, alone(one.values(), new DistributionScores(other))));
        }
        references.add(ReferenceRows.ofGaussian(samples, scores(rows.gaussian(samples))));
        heldOut.map(others -> some(points(others))).ifPresent(others -> {
            SortedMap<String, Double> scores = alone(others.values());
            scores.putAll(HeldOutScores.neighbours(NearestNeighbours.ofHeldOut(rows.real(), others)));
            references.add(ReferenceRows.ofHeldOut(others.count(), scores));
        });
        return references;
    }

    private SortedMap<String, Double> scores(float[] points) {
        SortedMap<String, Double> scores = alone(points);
        if (isThorough && isFinite(points)) {
            heldOut.ifPresent(others -> scores.putAll(HeldOutScores.neighbours(NearestNeighbours.of(
                    points(real), some(points(others)), new FeatureRows(points, SyntheticPoints.DIMENSIONS)))));
        }
        return scores;
    }

    /** The scores but those by held-out points; of points that are not finite, only the modes. */
    private SortedMap<String, Double> alone(float[] points) {
        if (distribution == null) {
            distribution = new DistributionScores(some(points(real)));
        }
        return alone(points, distribution);
    }

    private SortedMap<String, Double> alone(float[] points, DistributionScores to) {
        SortedMap<String, Double> scores =
                real.mixture().map(mixture -> modes(points, mixture)).orElseGet(TreeMap::new);
        if (isFinite(points) && points.length > SyntheticPoints.DIMENSIONS) {
            scores.putAll(to.of(new FeatureRows(points, SyntheticPoints.DIMENSIONS)));
        }
        return scores;
    }

    private static SortedMap<String, Double> modes(float[] points, GaussianMixture mixture) {
        double[] wide =
                IntStream.range(0, points.length).mapToDouble(i -> points[i]).toArray();
        double[] variances = new double[mixture.centres().length];
        Arrays.fill(variances, mixture.deviation() * mixture.deviation());
        ModeCoverage coverage = ModeCoverage.of(wide, mixture.centres(), variances, SyntheticPoints.DIMENSIONS);
        SortedMap<String, Double> scores = new TreeMap<>();
        scores.put("modes", (double) coverage.modes());
        scores.put("populated_modes", (double) coverage.populatedModes());
        scores.put("high_quality", coverage.highQuality());
        return scores;
    }

    private static boolean isFinite(float[] points) {
        return IntStream.range(0, points.length).allMatch(i -> Float.isFinite(points[i]));
    }

    private static FeatureRows points(SyntheticPoints points) {
        return new FeatureRows(points.sample(), SyntheticPoints.DIMENSIONS);
    }

    /** As many points as are drawn, if there are as many. */
    private FeatureRows some(FeatureRows points) {
        return points.at(IntStream.range(0, Math.min(samples, points.count())).toArray());
    }
}
