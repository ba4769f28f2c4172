package hocket.gan.scores;

import hocket.gan.data.ImageSource;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import java.util.Map;
import java.util.Optional;

/**
 * Scores generated images against real ones by {@link GanEvaluation}.
 *
 * @param feed of the real images
 * @param program whose first target is images, from noise and optionally a {@code label}
 * @param heldOut real images that the generator is not trained on
 * @param features the features that are compared
 */
public record ImageScores(
        @Setting(help = "the feed of the real images") String feed,

        @Setting(usually = "draw", help = "the program that generates samples")
        String program,

        @Setting(help = "real images that the generator is not trained on, by class as a feed, for hocket eval")
        Optional<SourceDefinition> heldOut,

        @Setting(usually = "pixels", help = "what distances compare: pixels, classifier or a class of your own")
        Evaluator features)
        implements EvaluationDefinition, ImageScoresCopies {
    @Override
    public Evaluation build(Networks networks, Map<String, Source> sources) {
        ImageSetScores scores = new ImageSetScores(
                ReferenceSources.by(feed, sources, ImageSource.class, "images").images(), features);
        ImageSetScores thorough = heldOut.map(data -> ReferenceSources.heldOut(data, ImageSource.class, "images"))
                .map(others -> scores.heldOut(others.images()))
                .orElse(scores);
        return new GanEvaluation(networks.program(program), scores, thorough);
    }
}
