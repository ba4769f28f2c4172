package hocket.gan.networks;

import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.reshape;

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
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A class-conditional {@link Dcgan} (Mirza and Osindero 2014) on columns {@code image} (channels, height, width) in
 * -1..1 and {@code label} (), INT64. The generator reads an embedding of the label with its noise; the discriminator
 * reads one of the image's size as a further channel. Images are generated for the labels of the real ones, so feed
 * both turns from one batch: {@code resample: each-round}. Programs:
 *
 * <ul>
 *   <li>{@code discriminator}, minimised by {@code discriminator/**}; metric {@code error_rate};
 *   <li>{@code generator}, minimised by {@code generator/**}; reads {@code label};
 *   <li>{@code draw}: from {@code label}, images (channels, height, width) in -1..1 of that class.
 * </ul>
 *
 * @param latent the size of an image's standard normal noise, and of the label's embedding
 * @param width the filters of the outer layers; the inner ones have twice as many
 * @param classes the number of classes: labels are 0..classes-1
 * @param loss of the two networks
 * @param penalties added to the discriminator's loss; {@code wasserstein} needs one, or bounded weights
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
        implements NetworkDefinition, ConditionalDcganCopies {
    /** An image with its class, or with the class it was generated for. */
    private record Labelled(Value image, Value label) {}

    /** Makes networks with normal weights of deviation 0.02. */
    public ConditionalDcgan(
            int latent,
            int width,
            int classes,
            GanLoss.Standard loss,
            List<Penalty> penalties,
            Redraw noise,
            Norm norm) {
        this(latent, width, classes, loss, penalties, noise, norm, Initialiser.normal(0.02));
    }

    /** Makes networks with a batch norm in the discriminator. */
    public ConditionalDcgan(
            int latent, int width, int classes, GanLoss.Standard loss, List<Penalty> penalties, Redraw noise) {
        this(latent, width, classes, loss, penalties, noise, Norm.BATCH);
    }

    /** @throws IllegalArgumentException if latent or width is below 1, or there are not two classes */
    public ConditionalDcgan {
        penalties = List.copyOf(penalties);
        ConditionalDcganCopies.check(latent, width, classes);
    }

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        Shape image = columns.shape("image");
        DcganLayers layers = new DcganLayers(image, width, norm, weights);
        Value z = graph.noise("noise", Shape.of(latent), new Distribution.Normal(), noise);
        Value real = graph.input("image", image);
        Value label = graph.input("label", columns.shape("label"), ElementType.INT64);
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            Value asked = embedding("label", label, classes, latent);
            fake = graph.name("image", layers.generate(concat(0, z, asked)));
        }
        Shape plane = image.with(0, 1);
        Network<Labelled, Value> discriminator = graph.module("discriminator", x -> {
            Value said = reshape(embedding("label", x.label(), classes, plane.size()), plane.extents());
            return layers.discriminate(concat(0, x.image(), said));
        });
        UnaryOperator<Value> judge = x -> discriminator.apply(new Labelled(x, label));
        return new GanPrograms(loss, penalties, norm).build(judge, real, fake);
    }
}
