package hocket.gan.networks;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.tanh;

import hocket.gan.parts.Generator;
import hocket.gan.parts.RowCondition;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * The generator of a DCGAN (Radford et al. 2015): transposed convolutions of stride 2, each with a batch norm but the last,
 * and no bias before a norm. Images (channels, height, width) in -1..1 have sides that are multiples of 2^layers. With
 * labels, it reads an embedding of the label next to its noise (Mirza and Osindero 2014).
 *
 * @param width filters of the last but one layer; those before have twice as many each
 * @param layers number of transposed convolutions
 * @param weights initialiser of all weights
 */
public record DcganGenerator(
        @Setting(usually = "64", least = 1, most = 4096, help = "filters of the last but one layer")
        int width,

        @Setting(usually = "2", least = 1, most = 10, help = "layers, of which each doubles the image")
        int layers,

        @Setting(
                usually = "normal(0.02)",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Generator, DcganGeneratorCopies {
    private static final Window DOUBLE = kernel(4).stride(2).pad(1);

    /** @throws IllegalArgumentException if a setting is out of its range */
    public DcganGenerator {
        DcganGeneratorCopies.check(width, layers);
    }

    /** Returns a generator of two layers for images such as 8×8 and 28×28. */
    public static DcganGenerator usual() {
        return DcganGeneratorCopies.usual();
    }

    @Override
    public Value generate(Value latent, RowCondition condition, Shape image) {
        int scale = ImageSides.requireMultiples("a DCGAN of " + layers + " layers", layers, image);
        int height = image.get(1) / scale;
        int across = image.get(2) / scale;
        Limits.elements("width", 1 << (layers - 1), width, height, across);
        Weights biased = Weights.weights(weights);
        Weights unbiased = biased.withoutBias();
        int filters = width << (layers - 1);
        Value h = dense("project", LabelInputs.ofGenerator(latent, condition), filters * height * across, unbiased);
        h = relu(batchNorm("bn0", reshape(h, filters, height, across)));
        for (int i = 1; i < layers; i++) {
            filters /= 2;
            h = relu(batchNorm("bn" + i, convTranspose("conv" + i, h, filters, DOUBLE.weights(unbiased))));
        }
        return tanh(convTranspose("conv" + layers, h, image.get(0), DOUBLE.weights(biased)));
    }
}
