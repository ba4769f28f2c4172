package hocket.gan.networks;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.upsampleNearest;

import hocket.gan.parts.Generator;
import hocket.gan.parts.RowCondition;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Scope;
import hocket.scopes.Shape;

/**
 * The residual generator of an SN-GAN (Miyato et al. 2018, table 4): blocks of two 3×3 convolutions after batch norms and
 * rectifiers, each of which doubles the image. Images (channels, height, width) in -1..1 have sides that are multiples of
 * 2^blocks. With labels, its batch norms have a gain and bias for each class (Miyato and Koyama 2018).
 *
 * @param width filters of every convolution
 * @param blocks residual blocks, each of which doubles the image
 * @param weights initialiser of all weights
 */
public record SnganGenerator(
        @Setting(usually = "64", least = 1, most = 4096, help = "filters of every convolution")
        int width,

        @Setting(usually = "2", least = 1, most = 8, help = "residual blocks, each of which doubles the image")
        int blocks,

        @Setting(
                usually = "xavier_uniform",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Generator, SnganGeneratorCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public SnganGenerator {
        SnganGeneratorCopies.check(width, blocks);
    }

    /** Returns a generator of two blocks, for images such as 28×28. */
    public static SnganGenerator usual() {
        return SnganGeneratorCopies.usual();
    }

    @Override
    public Value generate(Value latent, RowCondition condition, Shape image) {
        int scale = ImageSides.requireMultiples("an SN-GAN of " + blocks + " blocks", blocks, image);
        int height = image.get(1) / scale;
        int across = image.get(2) / scale;
        Limits.elements("width", width, height, across);
        Weights used = Weights.weights(weights);
        Value in = LabelInputs.withCode(latent, condition);
        Value h = reshape(dense("project", in, width * height * across, used), width, height, across);
        for (int i = 1; i <= blocks; i++) {
            h = doubled("block" + i, h, condition, used);
        }
        return tanh(conv(
                "out",
                relu(LabelInputs.batchNorm("bn", h, condition)),
                image.get(0),
                kernel(3).pad(1).weights(used)));
    }

    private Value doubled(String name, Value x, RowCondition condition, Weights used) {
        try (Scope<Value> block = x.graph().scope(name)) {
            Value h = upsampleNearest(relu(LabelInputs.batchNorm("bn1", x, condition)), 2);
            h = conv("conv1", h, width, kernel(3).pad(1).weights(used));
            h = conv(
                    "conv2",
                    relu(LabelInputs.batchNorm("bn2", h, condition)),
                    width,
                    kernel(3).pad(1).weights(used));
            return add(
                    h, conv("shortcut", upsampleNearest(x, 2), width, kernel(1).weights(used)));
        }
    }
}
