package hocket.gan.scores;

import hocket.gan.data.PointSource;
import hocket.gan.data.SyntheticPoints;
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
 * Scores generated points against {@link SyntheticPoints} by {@link PointEvaluation}.
 *
 * @param feed of synthetic points
 * @param program whose first target is points, from noise alone
 * @param samples the number of points drawn
 * @param heldOut points that the generator is not trained on: the same with another seed
 */
public record PointScores(
        @Setting(help = "the feed of the points: a GaussianRing, GaussianGrid, Spiral or SwissRoll")
        String feed,

        @Setting(usually = "draw", help = "the program that generates points")
        String program,

        @Setting(usually = "4000", least = 1, help = "number of points to generate")
        int samples,

        @Setting(help = "points that the generator is not trained on, by class as a feed, for hocket eval")
        Optional<SourceDefinition> heldOut)
        implements EvaluationDefinition, PointScoresCopies {
    /** @throws IllegalArgumentException if samples is below 1 */
    public PointScores {
        PointScoresCopies.check(samples);
    }

    @Override
    public Evaluation build(Networks networks, Map<String, Source> sources) {
        SyntheticPoints points = ReferenceSources.by(feed, sources, PointSource.class, "synthetic points")
                .points();
        Optional<SyntheticPoints> others =
                heldOut.map(data -> ReferenceSources.heldOut(data, PointSource.class, "synthetic points")
                        .points());
        if (others.filter(points::equals).isPresent()) {
            throw new IllegalArgumentException("held_out: must be other points than those of " + feed
                    + ", but has the same seed, " + points.seed());
        }
        Program draw = networks.program(program);
        Value drawn = draw.targets().get(0);
        Shape point = Shape.of(SyntheticPoints.DIMENSIONS);
        if (!draw.inputs().isEmpty() || !drawn.shape().equals(point)) {
            throw new IllegalArgumentException("program: must draw points " + point + " from noise alone, but "
                    + program + " draws " + drawn + " from " + draw.inputs());
        }
        return new PointEvaluation(points, draw, samples, others);
    }
}
