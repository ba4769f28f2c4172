package hocket.gan.networks;

import hocket.gan.losses.GanLoss;
import hocket.gan.parts.ConditionDefinition;
import hocket.gan.terms.Term;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A short form of {@link Gan}: a {@link DcganGenerator} and a {@link DcganDiscriminator} of one width and two layers
 * (Radford et al. 2015), on a column {@code image} (channels, height, width) in -1..1.
 *
 * @param latent the numbers of standard normal noise for an image
 * @param width the filters of the outer layers; the inner ones have twice as many
 * @param loss of the two networks; {@code wasserstein} needs a Lipschitz-constrained discriminator
 * @param terms that are added to the losses
 * @param noise when noise is resampled; each-round shows both networks the same
 * @param norm of the discriminator
 * @param weights initialiser of the layers' weights
 */
public record Dcgan(
        @Setting(usually = "64", least = 1, most = 65536, help = "size of the noise that an image is made from")
        int latent,

        @Setting(usually = "64", least = 1, most = 4096, help = "filters of the outer layers")
        int width,

        @Setting(
                usually = "non_saturating",
                help =
                        "non_saturating, least_squares, hinge, wasserstein, relativistic_paired, … or a class of your own")
        GanLoss loss,

        @Setting(usually = "[]", former = "penalties", help = Term.HELP)
        List<Term> terms,

        @Setting(usually = "each-turn", help = "each-turn, or each-round: both networks see the same noise")
        Redraw noise,

        @Setting(
                usually = "batch",
                help = "how the discriminator is normalised: batch, layer, instance, spectral (its weights) or none;"
                        + " batch mixes rows, and is refused with penalties on each row's gradient")
        Norm norm,

        @Setting(
                usually = "normal(0.02)",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements NetworkDefinition, DcganCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public Dcgan {
        terms = List.copyOf(terms);
        DcganCopies.check(latent, width);
    }

    /** Returns a DCGAN with the usual settings. */
    public static Dcgan usual() {
        return DcganCopies.usual();
    }

    @Override
    public Networks build(Columns columns) {
        return build(ConditionDefinition.none(), columns);
    }

    Networks build(ConditionDefinition condition, Columns columns) {
        Gan gan = Gan.of(
                        DcganGenerator.usual().width(width).weights(weights),
                        new DcganDiscriminator(width, 2, norm, weights))
                .latent(latent)
                .condition(condition)
                .rows("image")
                .noise(noise);
        GanLoss whole = norm == Norm.BATCH_UNCHECKED ? loss.withUnchecked(terms) : loss.with(terms);
        return GanPasses.of(gan, columns).networks(whole, UnaryOperator.identity());
    }
}
