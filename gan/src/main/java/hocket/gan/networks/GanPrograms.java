package hocket.gan.networks;

import hocket.gan.losses.GanLoss;
import hocket.gan.losses.Penalty;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.optimizers.transforms.Bound;
import hocket.schedulers.settings.Networks;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Builds the programs of a generator and a discriminator.
 *
 * @param loss of the two networks
 * @param penalties added to the discriminator's loss
 * @param norm of the discriminator
 */
record GanPrograms(GanLoss.Standard loss, List<Penalty> penalties, Norm norm) {
    /**
     * Builds programs {@code discriminator}, {@code generator} and {@code draw}, with a caution where the loss needs a
     * Lipschitz-constrained discriminator and nothing constrains it.
     *
     * @param discriminator gives one number a row
     * @param fake the output of a module {@code generator}, of the shape of the real rows
     */
    Networks build(UnaryOperator<Value> discriminator, Value real, Value fake) {
        return build(discriminator, real, fake, UnaryOperator.identity());
    }

    /** The further settings that a caution names where the discriminator has a norm. */
    private String alternatives() {
        return norm == Norm.NONE
                ? ""
                : (norm == Norm.BATCH ? " and norm: layer, as a batch norm mixes the rows" : "")
                        + ", or norm: spectral";
    }

    /** @param metrics adds metrics to the discriminator's loss */
    Networks build(UnaryOperator<Value> discriminator, Value real, Value fake, UnaryOperator<Loss> metrics) {
        GanLoss game = norm == Norm.BATCH_UNCHECKED ? loss.withUnchecked(penalties) : loss.with(penalties);
        Networks networks = Networks.of(
                real.graph(),
                Program.compile(
                        "discriminator", Mode.TRAIN, metrics.apply(game.discriminator(discriminator, real, fake))),
                Program.compile("generator", Mode.TRAIN, game.generator(discriminator, fake)),
                Program.compile("draw", Mode.EVAL, fake));
        return game.requiresLipschitz() && !norm.constrainsLipschitz()
                ? networks.warnUnlessHeld(
                        "discriminator/**",
                        Bound.class,
                        "discriminator: its loss is " + loss.name().toLowerCase(Locale.ROOT)
                                + ", which needs a Lipschitz-constrained discriminator, and nothing constrains it; set"
                                + " penalties: [{wgan_gp: {weight: 10}}]" + alternatives()
                                + ", or put {bound: 0.01} after its optimizer")
                : networks;
    }
}
