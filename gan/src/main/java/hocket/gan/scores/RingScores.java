package hocket.gan.scores;

import hocket.gan.data.GaussianRing;
import hocket.gan.data.RingSource;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.Shape;
import java.util.Map;
import java.util.Optional;

/**
 * Scores generated points against a {@link GaussianRing} by {@link PointEvaluation}.
 *
 * @param feed of points of the ring
 * @param program whose first target is points, from noise alone
 * @param samples the number of points drawn
 * @param heldOut points of the ring that the generator is not trained on: the same ring with another seed
 */
public record RingScores(
        @Setting(help = "the feed of a Gaussian ring") String feed,

        @Setting(usually = "draw", help = "the program that generates points")
        String program,

        @Setting(usually = "4000", least = 1, help = "number of points to generate")
        int samples,

        @Setting(help = "points that the generator is not trained on, by class as a feed, for hocket eval")
        Optional<SourceDefinition> heldOut)
        implements EvaluationDefinition, RingScoresCopies {
    /** @throws IllegalArgumentException if samples is below 1 */
    public RingScores {
        RingScoresCopies.check(samples);
    }

    @Override
    public Evaluation build(Networks networks, Map<String, Source> sources) {
        GaussianRing ring = ReferenceSources.by(feed, sources, RingSource.class, "points of a ring")
                .ring();
        Optional<GaussianRing> others =
                heldOut.map(data -> ReferenceSources.heldOut(data, RingSource.class, "points of a ring")
                        .ring());
        if (others.filter(ring::equals).isPresent()) {
            throw new IllegalArgumentException(
                    "held_out: must be other points than those of " + feed + ", but has the same seed, " + ring.seed());
        }
        Program draw = networks.program(program);
        Value drawn = draw.targets().get(0);
        Shape point = Shape.of(PointEvaluation.DIMENSIONS);
        if (!draw.inputs().isEmpty() || !drawn.shape().equals(point)) {
            throw new IllegalArgumentException("program: must draw points " + point + " from noise alone, but "
                    + program + " draws " + drawn + " from " + draw.inputs());
        }
        return new PointEvaluation(ring, draw, samples, others);
    }
}
