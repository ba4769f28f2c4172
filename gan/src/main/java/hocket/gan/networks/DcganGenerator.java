package hocket.gan.networks;

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
 * and no bias before a norm. Images (channels, height, width) in -1..1 have sides that are multiples of 2^layers.
 *
 * @param width filters of the last but one layer; those before have twice as many each
 * @param layers number of transposed convolutions
 * @param weights initialiser of all weights
 * @param labels how it reads labels, if there are any
 */
public record DcganGenerator(
        @Setting(usually = "64", least = 1, most = 4096, help = "filters of the last but one layer")
        int width,

        @Setting(usually = "2", least = 1, most = 10, help = "layers, of which each doubles the image")
        int layers,

        @Setting(
                usually = "normal(0.02)",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights,

        @Setting(
                usually = "beside",
                help =
                        "how it reads labels: beside its noise, or in its norms, where it cannot ignore the noise instead")
        LabelInput labels)
        implements Generator, DcganGeneratorCopies {
    /** How a generator reads labels. */
    public enum LabelInput {
        /**
         * By an embedding next to the noise (Mirza and Osindero 2014). Small generators then tend to ignore the noise: all samples of a
         * class are alike.
         */
        BESIDE,

        /** By a gain and a bias for each class in every batch norm (de Vries et al. 2017; Miyato and Koyama 2018). */
        NORMS
    }

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
        Value in = labels == LabelInput.NORMS
                ? LabelInputs.withCode(latent, condition)
                : LabelInputs.ofGenerator(latent, condition);
        RowCondition ofNorms = labels == LabelInput.NORMS ? condition : RowCondition.none();
        Value h = dense("project", in, filters * height * across, unbiased);
        h = relu(LabelInputs.batchNorm("bn0", reshape(h, filters, height, across), ofNorms));
        for (int i = 1; i < layers; i++) {
            filters /= 2;
            h = convTranspose("conv" + i, h, filters, DOUBLE.weights(unbiased));
            h = relu(LabelInputs.batchNorm("bn" + i, h, ofNorms));
        }
        return tanh(convTranspose("conv" + layers, h, image.get(0), DOUBLE.weights(biased)));
    }
}
