package hocket.gan.networks.stylegan;

import static hocket.gan.networks.stylegan.EqualisedLayers.TAPS;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.downsample2d;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.minibatchStdDev;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.upfirdn2d;

import hocket.gan.networks.ImageSides;
import hocket.gan.parts.Discriminator;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Scope;

/**
 * The residual discriminator of StyleGAN2 (Karras et al. 2020, figure 7c): each block filters and halves the image, and the last
 * layers see the standard deviation over a group of rows. It has a head {@code features}.
 *
 * @param width filters of the first layer; those after have twice as many each
 * @param most largest number of filters of a layer
 * @param halvings blocks, of which each halves the image
 * @param groups that the rows of a batch are divided into for the standard deviation: 16 for 64 rows in groups of 4
 */
public record Stylegan2Discriminator(
        @Setting(usually = "16", least = 1, most = 4096, help = "filters of the first layer")
        int width,

        @Setting(usually = "64", least = 1, most = 4096, help = "largest number of filters of a layer")
        int most,

        @Setting(usually = "2", least = 1, most = 8, help = "blocks, of which each halves the image")
        int halvings,

        @Setting(
                usually = "16",
                least = 1,
                most = 4096,
                help = "groups of rows whose standard deviation is seen: 16 for 64 rows in groups of 4")
        int groups)
        implements Discriminator, Stylegan2DiscriminatorCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public Stylegan2Discriminator {
        Stylegan2DiscriminatorCopies.check(width, most, halvings, groups);
    }

    @Override
    public int fewestRows() {
        return 2 * groups;
    }

    @Override
    public Scored score(Value image, RowCondition condition) {
        ImageSides.requireMultiples("a StyleGAN2 that halves " + halvings + " times", halvings, image.shape());
        Value h = EqualisedLayers.activated("rgb", image, filters(0), kernel(1));
        for (int i = 1; i <= halvings; i++) {
            h = block("block" + i, h, filters(i));
        }
        int filters = filters(halvings);
        h = EqualisedLayers.activated(
                "last", minibatchStdDev(h, groups, 1), filters, kernel(3).pad(1));
        Value features = EqualisedLayers.activate(EqualisedLayers.dense("features", flatten(h), filters, 1, 0));
        return Scored.of(EqualisedLayers.dense("logit", features, 1, 1, 0)).with(Scored.FEATURES, features);
    }

    private int filters(int halved) {
        return Math.min(most, width << halved);
    }

    private static Value block(String name, Value x, int filters) {
        try (Scope<Value> block = x.graph().scope(name)) {
            Value h = EqualisedLayers.activated(
                    "conv1", x, x.shape().get(0), kernel(3).pad(1));
            Value blurred = upfirdn2d(h, 1, 1, new int[] {2, 2, 2, 2}, 1, TAPS);
            h = EqualisedLayers.activated("conv2", blurred, filters, kernel(3).stride(2));
            Value skip = EqualisedLayers.conv("skip", downsample2d(x, 2, TAPS), filters, kernel(1));
            return scale(add(h, skip), Math.sqrt(0.5));
        }
    }
}
