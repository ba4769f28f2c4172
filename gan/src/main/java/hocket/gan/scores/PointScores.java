package hocket.gan.scores;

import hocket.gan.data.PointSource;
import hocket.gan.data.SyntheticPoints;
import hocket.programs.Program;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

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

        @Setting(usually = "4000", least = 2, help = "number of points to generate")
        int samples,

        @Setting(help = "points that the generator is not trained on, by class as a feed, for hocket eval")
        Optional<SourceDefinition> heldOut)
        implements EvaluationDefinition, PointScoresCopies {
    /** @throws IllegalArgumentException if samples is below 2 */
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
        others.ifPresent(each -> HeldOutScores.requireOthers("points", hashes(points), hashes(each)));
        Shape point = Shape.of(SyntheticPoints.DIMENSIONS);
        Program draw = ReferenceSources.requireDrawing(networks.program(program), point, "points");
        return new PointEvaluation(points, draw, samples, others);
    }

    private static int[] hashes(SyntheticPoints points) {
        float[] numbers = points.sample();
        return IntStream.range(0, numbers.length / SyntheticPoints.DIMENSIONS)
                .map(i -> Arrays.hashCode(new float[] {numbers[2 * i], numbers[2 * i + 1]}))
                .toArray();
    }
}
