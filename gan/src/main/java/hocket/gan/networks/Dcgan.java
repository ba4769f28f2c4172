package hocket.gan.networks;

import hocket.gan.losses.GanLoss;
import hocket.gan.losses.Penalty;
import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.util.List;

/**
 * A DCGAN's generator and discriminator (Radford et al. 2015) on a column {@code image} (channels, height, width) in
 * -1..1; see {@link DcganLayers}. Programs:
 *
 * <ul>
 *   <li>{@code discriminator}, minimised by {@code discriminator/**}; metric {@code error_rate};
 *   <li>{@code generator}, minimised by {@code generator/**};
 *   <li>{@code draw}: images (channels, height, width) in -1..1.
 * </ul>
 *
 * @param latent the numbers of standard normal noise for an image
 * @param width the filters of the outer layers; the inner ones have twice as many
 * @param loss of the two networks
 * @param penalties added to the discriminator's loss; {@code wasserstein} needs one, or bounded weights
 * @param noise when noise is resampled; each-round shows both networks the same
 * @param norm of the discriminator
 * @param weights initialiser of the layers' weights
 */
public record Dcgan(
        @Setting(usually = "64", least = 1, most = 65536, help = "size of the noise that an image is made from")
        int latent,

        @Setting(usually = "64", least = 1, most = 4096, help = "filters of the outer layers")
        int width,

        @Setting(usually = "non-saturating", help = "non-saturating, least-squares, hinge or wasserstein")
        GanLoss.Standard loss,

        @Setting(usually = "[]", help = "penalties of the discriminator: [{r1: {weight: 10}}]")
        List<Penalty> penalties,

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
    /** Makes networks with normal weights of deviation 0.02. */
    public Dcgan(int latent, int width, GanLoss.Standard loss, List<Penalty> penalties, Redraw noise, Norm norm) {
        this(latent, width, loss, penalties, noise, norm, Initialiser.normal(0.02));
    }

    /** Makes networks with a batch norm in the discriminator. */
    public Dcgan(int latent, int width, GanLoss.Standard loss, List<Penalty> penalties, Redraw noise) {
        this(latent, width, loss, penalties, noise, Norm.BATCH);
    }

    /** @throws IllegalArgumentException if latent or width is below 1 */
    public Dcgan {
        penalties = List.copyOf(penalties);
        DcganCopies.check(latent, width);
    }

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        DcganLayers layers = new DcganLayers(columns.shape("image"), width, norm, weights);
        Value z = graph.noise("noise", Shape.of(latent), new Distribution.Normal(), noise);
        Value real = graph.input("image", layers.image());
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = graph.name("image", layers.generate(z));
        }
        Network<Value, Value> discriminator = graph.module("discriminator", layers::discriminate);
        return new GanPrograms(loss, penalties, norm).build(discriminator::apply, real, fake);
    }
}
