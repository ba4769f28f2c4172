package hocket.gan.scores.pairs;

import hocket.gan.data.ImageSource;
import hocket.gan.data.Images;
import hocket.gan.scores.ReferenceSources;
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

/**
 * Scores translated images by {@link PairEvaluation}, such as those of a CycleGAN. The true translations are of the evaluation
 * alone: a CycleGAN learns without pairs.
 *
 * @param feed of the wanted kind of images, which the classifier is trained on
 * @param from images that are translated, with labels
 * @param to their true translations, image for image
 * @param program whose first target is the translation of its only input
 */
public record PairScores(
        @Setting(help = "the feed of the wanted kind of images, with labels")
        String feed,

        @Setting(help = "labelled images to translate, by class as a feed, for the scores alone")
        SourceDefinition from,

        @Setting(help = "the true translations of these, by class as a feed, for comparison")
        SourceDefinition to,

        @Setting(usually = "b_from_a", help = "the program that translates its only input")
        String program)
        implements EvaluationDefinition, PairScoresCopies {
    @Override
    public Evaluation build(Networks networks, Map<String, Source> sources) {
        Images wanted = labelled("feed", ReferenceSources.by(feed, sources, ImageSource.class, "images"));
        Images originals = labelled("from", ReferenceSources.of("from", from, ImageSource.class, "images"));
        Images translations = labelled("to", ReferenceSources.of("to", to, ImageSource.class, "images"));
        if (!Arrays.equals(originals.labels(), translations.labels())) {
            throw new IllegalArgumentException(
                    "to: must be the translations of from, image for image with its label, but from" + " gives "
                            + originals + ", to " + translations);
        }
        if (!shape(translations).equals(shape(wanted))
                || translations.classes() > wanted.classes()
                || originals.classes() > wanted.classes()) {
            throw new IllegalArgumentException("to: must be images as those of " + feed + ", " + wanted
                    + ", with labels among theirs, but are " + translations + ", translated from " + originals);
        }
        Program translate = networks.program(program);
        if (translate.inputs().size() != 1
                || !translate.inputs().get(0).shape().equals(shape(originals))
                || !translate.targets().get(0).shape().equals(shape(wanted))) {
            throw new IllegalArgumentException("program: must translate " + shape(originals) + " to " + shape(wanted)
                    + ", but " + program + " gives " + translate.targets().get(0) + " from " + translate.inputs());
        }
        return new PairEvaluation(wanted, originals, translations, translate);
    }

    private static Images labelled(String key, ImageSource source) {
        if (!source.images().isLabelled()) {
            throw new IllegalArgumentException(key + ": must give images with labels, gives " + source.images());
        }
        return source.images();
    }

    static Shape shape(Images images) {
        return Shape.of(images.channels(), images.height(), images.width());
    }
}
