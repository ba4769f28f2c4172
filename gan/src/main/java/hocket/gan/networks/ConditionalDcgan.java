package hocket.gan.networks;

import hocket.gan.losses.GanLoss;
import hocket.gan.parts.ConditionDefinition;
import hocket.gan.parts.Labels;
import hocket.gan.terms.Term;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import java.util.List;

/**
 * A short form of {@link Gan}: a {@link Dcgan} that is conditioned on {@link Labels} (Mirza and Osindero 2014).
 *
 * @param latent the size of an image's standard normal noise, and of the label's embedding
 * @param width the filters of the outer layers; the inner ones have twice as many
 * @param classes the number of classes: labels are 0..classes-1
 * @param loss of the two networks; {@code wasserstein} needs a Lipschitz-constrained discriminator
 * @param terms that are added to the losses
 * @param noise when noise is resampled; each-round shows both networks the same
 * @param norm of the discriminator
 * @param weights initialiser of the layers' weights
 */
public record ConditionalDcgan(
        @Setting(usually = "64", least = 1, most = 65536, help = "size of the noise that an image is made from")
        int latent,

        @Setting(usually = "64", least = 1, most = 4096, help = "filters of the outer layers")
        int width,

        @Setting(usually = "10", least = 2, help = "number of classes, with labels from 0")
        int classes,

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
        implements NetworkDefinition, ConditionalDcganCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public ConditionalDcgan {
        terms = List.copyOf(terms);
        ConditionalDcganCopies.check(latent, width, classes);
    }

    /** Returns a conditional DCGAN of ten classes with the usual settings. */
    public static ConditionalDcgan usual() {
        return ConditionalDcganCopies.usual();
    }

    @Override
    public Networks build(Columns columns) {
        return new Dcgan(latent, width, loss, terms, noise, norm, weights)
                .build(ConditionDefinition.labels(classes), columns);
    }
}
