package hocket.gan.scores;

import hocket.gan.data.GaussianRing;
import hocket.gan.data.RingSource;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Scores generated points against a {@link GaussianRing} by {@link ModeCoverage}: {@code modes} and {@code high_quality}
 * as PacGAN counts them, and {@code populated_modes}, which decides which parameters are best.
 *
 * @param feed of points of the ring
 * @param program whose first target is points, from noise alone
 * @param samples the number of points drawn
 */
public record RingScores(
        @Setting(help = "the feed of a Gaussian ring") String feed,

        @Setting(usually = "draw", help = "the program that generates points")
        String program,

        @Setting(usually = "4000", least = 1, help = "number of points to generate")
        int samples)
        implements EvaluationDefinition, RingScoresCopies {
    private static final Shape POINT = Shape.of(2);

    /** @throws IllegalArgumentException if samples is below 1 */
    public RingScores {
        RingScoresCopies.check(samples);
    }

    @Override
    public Evaluation build(Networks networks, Map<String, Source> sources) {
        GaussianRing ring = ReferenceSources.by(feed, sources, RingSource.class, "points of a ring")
                .ring();
        Program draw = networks.program(program);
        Value drawn = draw.targets().get(0);
        if (!draw.inputs().isEmpty() || !drawn.shape().equals(POINT)) {
            throw new IllegalArgumentException("program: must draw points " + POINT + " from noise alone, but "
                    + program + " draws " + drawn + " from " + draw.inputs());
        }
        return new Coverage(ring, draw, samples);
    }

    /** Evaluates how well generated points cover a ring; more modes are better. */
    private record Coverage(GaussianRing ring, Program draw, int samples) implements Evaluation {
        @Override
        public Optional<Merit> merit() {
            return Optional.of(new Merit("populated_modes", true));
        }

        @Override
        public Map<String, Range> ranges() {
            Range modes = new Range(0, ring.modes(), true);
            return Map.of("modes", modes, "populated_modes", modes, "high_quality", Range.SHARE);
        }

        @Override
        public SortedMap<String, Double> scores(Parameters parameters) {
            try (Session session = Session.over(draw.graph(), parameters)) {
                return scores(session);
            }
        }

        @Override
        public SortedMap<String, Double> scores(Session session) {
            return scores(session.run(draw, Feeds.rows(samples)).get(0).floats());
        }

        /** The scores of a bootstrap of the real points, and of one Gaussian. */
        @Override
        public List<Reference> references(int threads) {
            ReferenceRows rows = new ReferenceRows(ring.sample(), POINT.size());
            return List.of(
                    ReferenceRows.ofBootstrap(scores(rows.at(rows.bootstrap(samples)))),
                    ReferenceRows.ofGaussian(scores(rows.gaussian(samples))));
        }

        private SortedMap<String, Double> scores(float[] points) {
            double[] wide = new double[points.length];
            for (int i = 0; i < wide.length; i++) {
                wide[i] = points[i];
            }
            double[] variances = new double[ring.centres().length];
            Arrays.fill(variances, ring.deviation() * ring.deviation());
            ModeCoverage coverage = ModeCoverage.of(wide, ring.centres(), variances, POINT.size());
            SortedMap<String, Double> scores = new TreeMap<>();
            scores.put("modes", (double) coverage.modes());
            scores.put("populated_modes", (double) coverage.populatedModes());
            scores.put("high_quality", coverage.highQuality());
            return scores;
        }
    }
}
