package hocket.gan.experiments;

import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.gan.data.ImageSource;
import hocket.gan.losses.GanLoss;
import hocket.gan.networks.Dcgan;
import hocket.gan.scores.GanEvaluation;
import hocket.programs.Leaf.Redraw;
import hocket.programs.Program;
import hocket.schedulers.Budget;
import hocket.schedulers.Columns;
import hocket.schedulers.Deed;
import hocket.schedulers.Draw;
import hocket.schedulers.Experiment;
import hocket.schedulers.Networks;
import hocket.schedulers.Plan;
import hocket.schedulers.Settings;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.optimizers.Rate;
import hocket.schedulers.optimizers.UpdateRule;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A DCGAN on images, by settings: what the experiments of this package have in common. */
final class DcganExperiment {
    private DcganExperiment() {}

    /** Settings of a DCGAN with an average of its generator. */
    static Settings settings(int latent, int width, int epochs, double generatorRate, double discriminatorRate) {
        return Settings.none()
                .and("seed", 7, "of weights, noise and the order of the data")
                .and("epochs", epochs, "how often all images are seen")
                .and("batch", 64, "images a turn")
                .and("latent", latent, "numbers of noise that an image is made from")
                .and("width", width, "filters of the outer layers")
                .and("loss", "non-saturating", "non-saturating or least-squares")
                .and("rate.discriminator", discriminatorRate, "Adam's rate for the discriminator")
                .and("rate.generator", generatorRate, "Adam's rate for the generator")
                .and("rate.final", 1.0, "share of both rates that is left in the end; 1 keeps them")
                .and("rate.falls-from", 0, "the epoch from which both rates fall")
                .and("rate.falls-to", epochs, "the epoch at which they have fallen")
                .and("beta1", 0.5, "Adam's beta1 for both")
                .and("average", 0.999, "decay of the generator's average that draws samples; 0 draws from it as it is")
                .and("discriminator-turns", 1, "turns of the discriminator a round")
                .and("noise", "each-turn", "each-turn or each-round: whether both networks see the same noise")
                .and("sample-every", Math.max(1, epochs / 10), "epochs between sample grids")
                .and("save-every", Math.max(1, epochs / 10), "epochs between checkpoints");
    }

    static Experiment build(Settings settings, ImageSource source) {
        Dcgan dcgan = new Dcgan(
                settings.wholeFrom(1, "latent"),
                settings.wholeFrom(1, "width"),
                named(GanLoss.Usual.class, settings, "loss"),
                named(Redraw.class, settings, "noise"));
        Networks networks = dcgan.build(Columns.of(source));
        Program draw = networks.program("draw");

        int turns = settings.wholeFrom(1, "discriminator-turns");
        int draws = source.images().count() / source.batch();
        Turn.Descend d = Turn.of("d", networks.program("discriminator"))
                .updates("discriminator/**", rule(settings, "rate.discriminator", draws));
        Turn.Descend g = Turn.of("g", networks.program("generator"))
                .updates("generator/**", rule(settings, "rate.generator", Math.max(1, draws / turns)));
        Plan ds = turns == 1 ? d : d.times(turns);

        Budget budget = Budget.epochs("image", settings.wholeFrom(0, "epochs"));
        double average = settings.real("average");
        Experiment experiment;
        if (average == 0) {
            experiment = Experiment.of(networks.graph(), Plan.sequence(ds, g), budget);
        } else {
            Turn ema = Turn.follow("ema", "generator/**", "ema/generator/**", average);
            draw = draw.reading("generator", "ema/generator");
            experiment = Experiment.of(networks.graph(), Plan.sequence(ds, g, ema), budget)
                    .copy("generator/**", "ema/generator/**");
        }
        return experiment
                .feed(source, Draw.EACH_TURN)
                .samples(draw)
                .on(Trigger.everyEpochs("image", settings.wholeFrom(1, "sample-every")), Deed.Usual.SAMPLES)
                .on(Trigger.everyEpochs("image", settings.wholeFrom(1, "save-every")), Deed.Usual.SAVE)
                .evaluated(new GanEvaluation(source.images(), draw));
    }

    /** Rows a turn. */
    static int batch(Settings settings) {
        return settings.wholeFrom(1, "batch");
    }

    /** Adam, at a rate that falls between two epochs; these do not depend on how long the run is, so it can be prolonged. */
    private static UpdateRule rule(Settings settings, String rate, long updatesAnEpoch) {
        double start = settings.real(rate);
        double end = settings.real("rate.final") * start;
        Adam adam = adam(start).beta1(settings.real("beta1"));
        if (start == end) {
            return adam;
        }
        long from = settings.wholeFrom(0, "rate.falls-from");
        long to = settings.whole("rate.falls-to");
        if (to <= from) {
            throw new IllegalArgumentException(
                    "setting rate.falls-to must be above rate.falls-from, " + from + ", was " + to);
        }
        return adam.rate(Rate.linear(start, end, from * updatesAnEpoch, (to - from) * updatesAnEpoch));
    }

    /** The constant of an enum by its name in small letters with dashes. */
    private static <E extends Enum<E>> E named(Class<E> type, Settings settings, String key) {
        String name = settings.text(key);
        List<String> names = Stream.of(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
        if (!names.contains(name)) {
            throw new IllegalArgumentException(
                    "setting " + key + " must be " + String.join(" or ", names) + ", was \"" + name + "\"");
        }
        return type.getEnumConstants()[names.indexOf(name)];
    }
}
