package hocket.gan.networks;

import hocket.gan.losses.GanLoss;
import hocket.gan.losses.Penalty;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Networks;
import hocket.schedulers.optimizers.Bound;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The programs by which a generator and a discriminator play against each other.
 *
 * @param loss what the two descend
 * @param penalties what the discriminator's loss is raised by
 * @param norm how the discriminator is normalised
 */
record Game(GanLoss.Usual loss, List<Penalty> penalties, Norm norm) {
    /**
     * Programs {@code discriminator}, {@code generator} and {@code draw}, with a caution where nothing keeps a
     * discriminator smooth that has to be.
     *
     * @param discriminator one number a row
     * @param fake what a module {@code generator} makes, of the shape of the real rows
     */
    Networks between(UnaryOperator<Value> discriminator, Value real, Value fake) {
        return between(discriminator, real, fake, UnaryOperator.identity());
    }

    /** The other conditions of a penalty, and its substitutes, where the discriminator has a norm. */
    private String held() {
        return norm == Norm.NONE
                ? ""
                : (norm == Norm.BATCH ? " and norm: layer, as a batch norm mixes the rows" : "")
                        + ", or norm: spectral";
    }

    /** @param judged adds metrics to the discriminator's loss */
    Networks between(UnaryOperator<Value> discriminator, Value real, Value fake, UnaryOperator<Loss> judged) {
        GanLoss game = norm == Norm.BATCH_UNCHECKED ? loss.withUnchecked(penalties) : loss.with(penalties);
        Networks networks = Networks.of(
                real.graph(),
                Program.compile(
                        "discriminator", Mode.TRAIN, judged.apply(game.discriminator(discriminator, real, fake))),
                Program.compile("generator", Mode.TRAIN, game.generator(discriminator, fake)),
                Program.compile("draw", Mode.EVAL, fake));
        return game.needsSmoothness() && !norm.smooths()
                ? networks.warnUnlessHeld(
                        "discriminator/**",
                        Bound.class,
                        "discriminator: its loss is " + loss.name().toLowerCase(Locale.ROOT)
                                + ", which needs a discriminator that is kept smooth, and nothing keeps it; set"
                                + " penalties: [{wgan_gp: {weight: 10}}]" + held()
                                + ", or put {bound: 0.01} behind its rule")
                : networks;
    }
}
