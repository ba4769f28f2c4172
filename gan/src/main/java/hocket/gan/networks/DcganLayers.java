package hocket.gan.networks;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.instanceNorm;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.tanh;

import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.schedulers.settings.Limits;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * The layers of DCGANs (Radford et al. 2015) for small images whose sides are multiples of four, such as 8×8 and 28×28:
 * two layers of stride 2 in each network, no bias before a batch norm.
 *
 * @param image the shape (channels, height, width)
 * @param width the filters of the outer layers; the inner ones have twice as many
 * @param norm of the discriminator; the generator has batch norms
 * @param weights initialiser of all weights
 */
public record DcganLayers(Shape image, int width, Norm norm, Initialiser weights) {
    private static final double EPSILON = 1e-5;
    private static final Window HALVE = kernel(4).stride(2).pad(1);

    /** Makes layers with normal weights of deviation 0.02. */
    public DcganLayers(Shape image, int width, Norm norm) {
        this(image, width, norm, Initialiser.normal(0.02));
    }

    /** Makes layers with a batch norm in the discriminator. */
    public DcganLayers(Shape image, int width) {
        this(image, width, Norm.BATCH);
    }

    /**
     * @throws IllegalArgumentException if the image does not have three axes, or its sides are not multiples of four
     */
    public DcganLayers {
        if (image.rank() != 3 || image.get(1) % 4 != 0 || image.get(2) % 4 != 0) {
            throw new IllegalArgumentException(
                    "a DCGAN needs images (channels, height, width) with sides that are multiples of 4, got " + image);
        }
        if (width < 1) {
            throw new IllegalArgumentException("a DCGAN's width must be at least 1, was " + width);
        }
        Limits.elements("width", 2, width, image.get(1) / 4, image.get(2) / 4);
    }

    /**
     * Builds the generator in the open module or scope: images in -1..1 from noise.
     *
     * @param noise (latent)
     * @return (channels, height, width)
     */
    public Value generate(Value noise) {
        int height = image.get(1) / 4;
        int across = image.get(2) / 4;
        Weights biased = Weights.weights(weights);
        Weights unbiased = biased.withoutBias();
        Value h = dense("project", noise, 2 * width * height * across, unbiased);
        h = relu(batchNorm("bn0", reshape(h, 2 * width, height, across)));
        h = relu(batchNorm("bn1", convTranspose("conv1", h, width, HALVE.weights(unbiased))));
        return tanh(convTranspose("conv2", h, image.get(0), HALVE.weights(biased)));
    }

    /**
     * Builds the discriminator in the open module or scope: one logit from an image, high for real.
     *
     * @param x (channels, height, width)
     * @return (1)
     */
    public Value discriminate(Value x) {
        Weights plain = Weights.weights(weights);
        Weights used = norm == Norm.SPECTRAL ? plain.spectralNorm() : plain;
        Value h = leakyRelu(conv("conv1", x, width, HALVE.weights(used)), 0.2);
        h = leakyRelu(normalised(h, HALVE.weights(used)), 0.2);
        return dense("logit", flatten(h), 1, used);
    }

    /** Builds the second convolution with its norm; without a bias where the norm would remove it. */
    private Value normalised(Value h, Window halve) {
        int filters = 2 * width;
        Window unbiased = HALVE.weights(halve.weights().withoutBias());
        return switch (norm) {
            case BATCH, BATCH_UNCHECKED -> batchNorm("bn2", conv("conv2", h, filters, unbiased));
            case LAYER -> layerNorm("ln2", conv("conv2", h, filters, halve), 3, EPSILON);
            case INSTANCE -> instanceNorm("in2", conv("conv2", h, filters, unbiased));
            case SPECTRAL, NONE -> conv("conv2", h, filters, halve);
        };
    }
}
