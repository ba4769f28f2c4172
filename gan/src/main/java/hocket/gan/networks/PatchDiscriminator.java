package hocket.gan.networks;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.kernel;
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
 * A discriminator of patches (Isola et al. 2017, section 3.2.2): convolutions of stride 2, one of stride 1, and one output for
 * each overlapping patch of the image, (1, height, width). Losses take the mean over all patches.
 *
 * @param width filters of the first layer; those after have twice as many each, at most eight times as many
 * @param layers number of convolutions of stride 2
 * @param norm of all layers but the first and the last
 * @param weights initialiser of all weights
 */
public record PatchDiscriminator(
        @Setting(usually = "32", least = 1, most = 4096, help = "filters of the first layer")
        int width,

        @Setting(usually = "2", least = 1, most = 10, help = "layers, of which each halves the image")
        int layers,

        @Setting(usually = "instance", help = "instance, batch, layer, spectral (norm of its weights) or none")
        Norm norm,

        @Setting(
                usually = "normal(0.02)",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Discriminator, PatchDiscriminatorCopies {
    private static final double SLOPE = 0.2;
    private static final int WIDEST = 8;
    private static final Window HALVE = kernel(4).stride(2).pad(1);
    private static final Window SAME = kernel(3).pad(1);

    /** @throws IllegalArgumentException if a setting is out of its range */
    public PatchDiscriminator {
        PatchDiscriminatorCopies.check(width, layers);
    }

    /** Returns a discriminator of patches with two layers of stride 2. */
    public static PatchDiscriminator usual() {
        return PatchDiscriminatorCopies.usual();
    }

    @Override
    public boolean isLipschitzConstrained() {
        return norm.constrainsLipschitz();
    }

    @Override
    public Scored score(Value image, RowCondition condition) {
        ImageSides.requireMultiples("a discriminator of patches with " + layers + " layers", layers, image.shape());
        Weights used = norm.of(Weights.weights(weights));
        Value h = leakyRelu(conv("conv1", LabelInputs.asChannel(image, condition), width, HALVE.weights(used)), SLOPE);
        for (int i = 2; i <= layers; i++) {
            h = leakyRelu(norm.conv(i, h, filters(i), HALVE.weights(used)), SLOPE);
        }
        h = leakyRelu(norm.conv(layers + 1, h, filters(layers + 1), SAME.weights(used)), SLOPE);
        return Scored.of(conv("logit", h, 1, SAME.weights(used)));
    }

    private int filters(int layer) {
        return width * Math.min(WIDEST, 1 << (layer - 1));
    }
}
