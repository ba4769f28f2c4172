package hocket.gan.networks;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.instanceNorm;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.tanh;

import hocket.gan.parts.Generator;
import hocket.gan.parts.RowCondition;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A U-Net that translates images (Ronneberger et al. 2015; Isola et al. 2017, section 6.1.1): convolutions of stride 2 down,
 * transposed ones up, each with an instance norm but the first, the innermost and the last, and each of the way up reads the image of its size
 * on the way down, too. Its input, in place of noise, is an image whose sides are those of the result and multiples of 2^layers.
 *
 * @param width filters of the first layer; those after have twice as many each, at most eight times as many
 * @param layers how often the image is halved
 * @param weights initialiser of all weights
 */
public record Unet(
        @Setting(usually = "32", least = 1, most = 4096, help = "filters of the first layer")
        int width,

        @Setting(usually = "2", least = 1, most = 10, help = "how often the image is halved")
        int layers,

        @Setting(
                usually = "normal(0.02)",
                help = "initialiser of all weights: orthogonal, kaiming_uniform, normal(0.02), …")
        Initialiser weights)
        implements Generator, UnetCopies {
    private static final double SLOPE = 0.2;
    private static final int WIDEST = 8;

    /** @throws IllegalArgumentException if a setting is out of its range */
    public Unet {
        UnetCopies.check(width, layers);
    }

    /** Returns a U-Net that halves images twice. */
    public static Unet usual() {
        return UnetCopies.usual();
    }

    /** @throws IllegalArgumentException if the input is no image of the result's height and width */
    @Override
    public Value generate(Value image, RowCondition condition, Shape result) {
        ImageSides.requireMultiples("a U-Net of " + layers + " layers", layers, result);
        if (image.shape().rank() != 3 || !image.shape().with(0, result.get(0)).equals(result)) {
            throw new IllegalArgumentException(
                    "a U-Net translates images to images of the same height and width, " + result + ", got " + image);
        }
        Window halve = kernel(4).stride(2).pad(1).weights(Weights.weights(weights));
        Window unbiased = halve.weights(halve.weights().withoutBias());
        List<Value> down =
                new ArrayList<>(List.of(conv("down1", LabelInputs.asChannel(image, condition), width, halve)));
        for (int i = 2; i <= layers; i++) {
            Value x = leakyRelu(down.get(i - 2), SLOPE);
            down.add(
                    i == layers
                            ? conv("down" + i, x, filters(i), halve)
                            : instanceNorm("down" + i + "/norm", conv("down" + i, x, filters(i), unbiased)));
        }
        Value h = relu(down.get(layers - 1));
        for (int i = layers - 1; i >= 1; i--) {
            Value up = instanceNorm("up" + i + "/norm", convTranspose("up" + i, h, filters(i), unbiased));
            h = relu(concat(0, up, down.get(i - 1)));
        }
        return tanh(convTranspose("out", h, result.get(0), halve));
    }

    private int filters(int layer) {
        return width * Math.min(WIDEST, 1 << (layer - 1));
    }
}
