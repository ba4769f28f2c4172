package hocket.gan.networks;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.upsampleBilinear;

import hocket.gan.parts.Generator;
import hocket.gan.parts.RowCondition;
import hocket.programs.Value;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * The generator of a small R3GAN (Huang et al. 2024): a learned image of the smallest size, its channels scaled by a linear
 * map of the noise, then stages of residual blocks, each after the first with twice the sides by bilinear interpolation. It
 * has no normalisation. Images (channels, height, width) have sides that are multiples of 2^doublings. With labels, it reads an
 * embedding of the label next to its noise.
 *
 * @param width filters of the last stage; those before have twice as many each, at most {@code most}
 * @param most largest number of filters
 * @param doublings how often the image is doubled
 * @param blocks residual blocks of each stage
 */
public record R3ganGenerator(
        @Setting(usually = "32", least = 1, most = 4096, help = "filters of the last stage")
        int width,

        @Setting(usually = "128", least = 1, most = 4096, help = "largest number of filters of a stage")
        int most,

        @Setting(usually = "2", least = 1, most = 8, help = "how often the image is doubled")
        int doublings,

        @Setting(usually = "2", least = 1, most = 16, help = "residual blocks of each stage")
        int blocks)
        implements Generator, R3ganGeneratorCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public R3ganGenerator {
        R3ganGeneratorCopies.check(width, most, doublings, blocks);
    }

    /** Returns a generator of three stages, for images such as 28×28. */
    public static R3ganGenerator usual() {
        return R3ganGeneratorCopies.usual();
    }

    @Override
    public Value generate(Value latent, RowCondition condition, Shape image) {
        int scale = ImageSides.requireMultiples("an R3GAN that doubles " + doublings + " times", doublings, image);
        Shape first = Shape.of(filters(doublings), image.get(1) / scale, image.get(2) / scale);
        Limits.elements("width", first.get(0), first.get(1), first.get(2));
        Value basis = latent.graph()
                .parameter(
                        "basis",
                        (path, type) ->
                                new Declaration(path, first, type, Initialiser.normal(1), Fan.NONE, Kind.WEIGHT));
        int all = blocks * (doublings + 1);
        Value gains = dense("gains", LabelInputs.ofGenerator(latent, condition), first.get(0), R3ganBlocks.linear());
        Value h = multiply(basis, reshape(gains, first.get(0), 1, 1));
        h = R3ganBlocks.stage("stage0", h, blocks, all);
        for (int i = 1; i <= doublings; i++) {
            h = upsampleBilinear(R3ganBlocks.channels("narrow" + i, h, filters(doublings - i)), 2);
            h = R3ganBlocks.stage("stage" + i, h, blocks, all);
        }
        return conv("out", h, image.get(0), kernel(1).weights(R3ganBlocks.linear()));
    }

    private int filters(int doublingsLeft) {
        return Math.min(most, width << doublingsLeft);
    }
}
