package hocket.gan.networks;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.depthwiseConv;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.averagePool;
import static hocket.programs.Operators.flatten;

import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Value;
import hocket.programs.layers.Window;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;

/**
 * The discriminator of a small R3GAN (Huang et al. 2024): stages of residual blocks, each before the last with half the sides
 * after it, by the mean of four pixels; then a depthwise convolution over all pixels and a dense layer. It has no
 * normalisation: use it with {@code loss: relativistic_paired} and the terms {@code r1} and {@code r2}. It reads no label: with
 * labels it is {@code {projection: {of: r3gan}}}.
 *
 * @param width filters of the first stage; those after have twice as many each, at most {@code most}
 * @param most largest number of filters
 * @param halvings how often the image is halved
 * @param blocks residual blocks of each stage
 */
public record R3ganDiscriminator(
        @Setting(usually = "32", least = 1, most = 4096, help = "filters of the first stage")
        int width,

        @Setting(usually = "128", least = 1, most = 4096, help = "largest number of filters of a stage")
        int most,

        @Setting(usually = "2", least = 1, most = 8, help = "how often the image is halved")
        int halvings,

        @Setting(usually = "2", least = 1, most = 16, help = "residual blocks of each stage")
        int blocks)
        implements Discriminator, R3ganDiscriminatorCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public R3ganDiscriminator {
        R3ganDiscriminatorCopies.check(width, most, halvings, blocks);
    }

    /** Returns a discriminator of three stages, for images such as 28×28. */
    public static R3ganDiscriminator usual() {
        return R3ganDiscriminatorCopies.usual();
    }

    @Override
    public Scored score(Value image, RowCondition condition) {
        ImageSides.requireMultiples("an R3GAN that halves " + halvings + " times", halvings, image.shape());
        int all = blocks * (halvings + 1);
        Value h = conv("in", image, filters(0), kernel(1).weights(R3ganBlocks.linear()));
        for (int i = 0; i < halvings; i++) {
            h = R3ganBlocks.stage("stage" + i, h, blocks, all);
            h = R3ganBlocks.channels("widen" + i, averagePool(h, kernel(2).stride(2), true), filters(i + 1));
        }
        h = R3ganBlocks.stage("stage" + halvings, h, blocks, all);
        Shape last = h.shape();
        Window whole =
                Window.of(last.get(1), last.get(2)).weights(R3ganBlocks.linear().withoutBias());
        Value features = flatten(depthwiseConv("pixels", h, 1, whole));
        return Scored.of(dense("logit", features, 1, R3ganBlocks.linear())).with(Scored.FEATURES, features);
    }

    private int filters(int halved) {
        return Math.min(most, width << halved);
    }
}
