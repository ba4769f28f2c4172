package hocket.gan.scores;

import hocket.gan.data.ImageSource;
import hocket.gan.data.Images;
import hocket.gan.data.StackedDigits;
import hocket.programs.Program;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;
import java.util.Map;

/**
 * Scores generated images of three digits by {@link StackedDigitEvaluation}.
 *
 * @param feed of {@link StackedDigits}
 * @param program whose first target is such images, from noise alone
 * @param samples the number of images drawn; 26,000 in the papers
 */
public record StackedDigitScores(
        @Setting(help = "the feed of the StackedDigits") String feed,

        @Setting(usually = "draw", help = "the program that generates images")
        String program,

        @Setting(usually = "26000", least = 1, help = "number of images to generate")
        int samples)
        implements EvaluationDefinition, StackedDigitScoresCopies {
    /** @throws IllegalArgumentException if samples is below 1 */
    public StackedDigitScores {
        StackedDigitScoresCopies.check(samples);
    }

    @Override
    public Evaluation build(Networks networks, Map<String, Source> sources) {
        Shape image = Shape.of(StackedDigits.CHANNELS, StackedDigits.SIDE, StackedDigits.SIDE);
        Images real = ReferenceSources.by(feed, sources, ImageSource.class, "stacked digits " + image)
                .images();
        if (!ImageSetScores.shape(real, 1).equals(image.prepend(1))) {
            throw new IllegalArgumentException(
                    "feed: must give stacked digits " + image + ", but " + feed + " gives " + real);
        }
        Program draw = ReferenceSources.requireDrawing(networks.program(program), image, "images");
        return new StackedDigitEvaluation(real, draw, samples);
    }
}
