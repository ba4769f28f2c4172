package hocket.gan.networks;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;

import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;

/**
 * The discriminator of a DCGAN (Radford et al. 2015): convolutions of stride 2 with leaky rectifiers, each but the first
 * with a norm, and no bias before a batch or instance norm. Images (channels, height, width) have sides that are multiples
 * of 2^layers. With labels, it reads an embedding of the label as a further channel (Mirza and Osindero 2014).
 *
 * @param width filters of the first layer; those after have twice as many each
 * @param layers number of convolutions
 * @param norm of all layers but the first
 * @param weights initialiser of all weights
 */
public record DcganDiscriminator(
        @Setting(usually = "64", least = 1, most = 4096, help = "filters of the first layer")
        int width,

        @Setting(usually = "2", least = 1, most = 10, help = "layers, of which each halves the image")
        int layers,

        @Setting(
                usually = "batch",
                help =
                        "batch, layer, instance, spectral (norm of its weights) or none; batch mixes rows, and is refused"
                                + " with penalties on each row's gradient")
        Norm norm,

        @Setting(
                usually = "normal(0.02)",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Discriminator, DcganDiscriminatorCopies {
    private static final double SLOPE = 0.2;
    private static final Window HALVE = kernel(4).stride(2).pad(1);

    /** @throws IllegalArgumentException if a setting is out of its range */
    public DcganDiscriminator {
        DcganDiscriminatorCopies.check(width, layers);
    }

    /** Returns a discriminator of two layers with a batch norm, for images such as 8×8 and 28×28. */
    public static DcganDiscriminator usual() {
        return DcganDiscriminatorCopies.usual();
    }

    @Override
    public boolean isLipschitzConstrained() {
        return norm.constrainsLipschitz();
    }

    @Override
    public Scored score(Value image, RowCondition condition) {
        ImageSides.requireMultiples("a DCGAN of " + layers + " layers", layers, image.shape());
        Weights used = norm.of(Weights.weights(weights));
        Value h = leakyRelu(conv("conv1", LabelInputs.asChannel(image, condition), width, HALVE.weights(used)), SLOPE);
        for (int i = 2; i <= layers; i++) {
            h = leakyRelu(norm.conv(i, h, width << (i - 1), HALVE.weights(used)), SLOPE);
        }
        Value features = flatten(h);
        return Scored.of(dense("logit", features, 1, used)).with(Scored.FEATURES, features);
    }
}
