package hocket.gan.scores;

import hocket.gan.data.ImageSource;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import java.util.Map;

/**
 * Scores generated images against real ones by {@link GanEvaluation}.
 *
 * @param feed of the real images
 * @param program whose first target is images, from noise and optionally a {@code label}
 */
public record ImageScores(
        @Setting(help = "the feed of the real images") String feed,

        @Setting(usually = "draw", help = "the program that generates samples")
        String program)
        implements EvaluationDefinition {
    @Override
    public Evaluation build(Networks networks, Map<String, Source> sources) {
        ImageSource real = ReferenceSources.by(feed, sources, ImageSource.class, "images");
        return new GanEvaluation(real.images(), networks.program(program));
    }
}
