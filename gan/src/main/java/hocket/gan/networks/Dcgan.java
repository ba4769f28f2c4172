package hocket.gan.networks;

import hocket.gan.losses.GanLoss;
import hocket.programs.Graph;
import hocket.programs.Leaf.Distribution;
import hocket.programs.Leaf.Redraw;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.Limits;
import hocket.schedulers.NetworkDefinition;
import hocket.schedulers.Networks;
import hocket.schedulers.Setting;
import hocket.scopes.Scope;
import hocket.scopes.Shape;

/**
 * Generator and discriminator of a DCGAN (Radford et al. 2015) on a column {@code image} (channels, height, width) in
 * -1..1; see {@link DcganLayers}. Programs:
 *
 * <ul>
 *   <li>{@code discriminator}, to be descended by {@code discriminator/**}; metric {@code error_rate};
 *   <li>{@code generator}, to be descended by {@code generator/**};
 *   <li>{@code draw}: images (channels, height, width) in -1..1.
 * </ul>
 *
 * @param latent numbers of standard normal noise that an image is made from
 * @param width filters of the outer layers; the inner ones have twice as many
 * @param loss what the two descend
 * @param noise when noise is drawn anew; each-round shows both networks the same
 */
public record Dcgan(
        @Setting(usually = "64", least = 1, most = 65536, help = "numbers of noise that an image is made from")
        int latent,

        @Setting(usually = "64", least = 1, most = 4096, help = "filters of the outer layers")
        int width,

        @Setting(usually = "non-saturating", help = "non-saturating or least-squares")
        GanLoss.Usual loss,

        @Setting(usually = "each-turn", help = "each-turn, or each-round: both networks see the same noise")
        Redraw noise)
        implements NetworkDefinition {
    /** @throws IllegalArgumentException if latent or width is below 1 */
    public Dcgan {
        Limits.atLeast(1, "latent", latent);
        Limits.atLeast(1, "width", width);
    }

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        DcganLayers layers = new DcganLayers(columns.shape("image"), width);
        Value z = graph.noise("noise", Shape.of(latent), new Distribution.Normal(), noise);
        Value real = graph.input("image", layers.image());
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = graph.name("image", layers.generate(z));
        }
        Network<Value, Value> discriminator = graph.module("discriminator", layers::discriminate);
        return Networks.of(
                graph,
                Program.compile("discriminator", Mode.TRAIN, loss.discriminator(discriminator, real, fake)),
                Program.compile("generator", Mode.TRAIN, loss.generator(discriminator, fake)),
                Program.compile("draw", Mode.EVAL, fake));
    }
}
