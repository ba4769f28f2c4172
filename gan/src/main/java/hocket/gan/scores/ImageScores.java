package hocket.gan.scores;

import hocket.gan.data.ImageSource;
import hocket.schedulers.Evaluation;
import hocket.schedulers.EvaluationDefinition;
import hocket.schedulers.Networks;
import hocket.schedulers.Setting;
import hocket.schedulers.Source;
import java.util.Map;

/**
 * Judges drawn images against real ones: {@link GanEvaluation}.
 *
 * @param feed gives the real ones
 * @param program draws: its first target, from noise and, if it reads it, a {@code label}
 */
public record ImageScores(
        @Setting(help = "the feed whose images are the real ones")
        String feed,

        @Setting(usually = "draw", help = "the program that draws")
        String program)
        implements EvaluationDefinition {
    @Override
    public Evaluation build(Networks networks, Map<String, Source> sources) {
        ImageSource real = Judged.by(feed, sources, ImageSource.class, "images");
        return new GanEvaluation(real.images(), networks.program(program));
    }
}
