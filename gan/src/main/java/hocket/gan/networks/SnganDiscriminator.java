package hocket.gan.networks;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.averagePool;
import static hocket.programs.Operators.globalAveragePool;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;

import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Scope;

/**
 * The residual discriminator of an SN-GAN (Miyato et al. 2018, table 4): four blocks of two 3×3 convolutions, of which the
 * first halve the image, the sum over all pixels, and a dense layer; every weight has a spectral norm. It reads no label: with
 * labels it is {@code {projection: {of: sngan}}}.
 *
 * @param width filters of every convolution
 * @param blocks number of blocks
 * @param halved number of the first blocks that halve the image
 * @param weights initialiser of all weights
 */
public record SnganDiscriminator(
        @Setting(usually = "64", least = 1, most = 4096, help = "filters of every convolution")
        int width,

        @Setting(usually = "4", least = 1, most = 16, help = "number of residual blocks")
        int blocks,

        @Setting(usually = "2", least = 0, most = 8, help = "number of the first blocks that halve the image")
        int halved,

        @Setting(
                usually = "xavier_uniform",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Discriminator, SnganDiscriminatorCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, or more blocks halve than there are */
    public SnganDiscriminator {
        SnganDiscriminatorCopies.check(width, blocks, halved);
        if (halved > blocks) {
            throw new IllegalArgumentException(
                    "halved: must be at most the number of blocks, " + blocks + ", was " + halved);
        }
    }

    /** Returns a discriminator of four blocks, for images such as 28×28 and 32×32. */
    public static SnganDiscriminator usual() {
        return SnganDiscriminatorCopies.usual();
    }

    @Override
    public boolean isLipschitzConstrained() {
        return true;
    }

    @Override
    public Scored score(Value image, RowCondition condition) {
        ImageSides.requireMultiples("an SN-GAN that halves " + halved + " times", halved, image.shape());
        Weights spectral = Weights.weights(weights).spectralNorm();
        Value h = image;
        for (int i = 1; i <= blocks; i++) {
            h = block(i, h, spectral);
        }
        int pixels = h.shape().get(1) * h.shape().get(2);
        Value features = scale(globalAveragePool(relu(h)), pixels);
        return Scored.of(dense("logit", features, 1, spectral)).with(Scored.FEATURES, features);
    }

    private Value block(int number, Value x, Weights spectral) {
        try (Scope<Value> block = x.graph().scope("block" + number)) {
            Value h = conv(
                    "conv1", number == 1 ? x : relu(x), width, kernel(3).pad(1).weights(spectral));
            h = conv("conv2", relu(h), width, kernel(3).pad(1).weights(spectral));
            Value shortcut = x.shape().get(0) == width && number > halved
                    ? x
                    : conv("shortcut", x, width, kernel(1).weights(spectral));
            Value sum = add(h, shortcut);
            return number <= halved ? averagePool(sum, kernel(2).stride(2), true) : sum;
        }
    }
}
