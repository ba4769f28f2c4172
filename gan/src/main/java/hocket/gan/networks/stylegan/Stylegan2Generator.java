package hocket.gan.networks.stylegan;

import static hocket.gan.networks.stylegan.EqualisedLayers.TAPS;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pixelNorm;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.upsample2d;

import hocket.gan.networks.ImageSides;
import hocket.gan.networks.LabelInputs;
import hocket.gan.parts.Generated;
import hocket.gan.parts.Generator;
import hocket.gan.parts.Latents;
import hocket.gan.parts.RowCondition;
import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import java.util.Collections;
import java.util.Map;

/**
 * The generator of StyleGAN2 (Karras et al. 2020): a mapping network makes a style of the noise, by which each convolution is
 * modulated; noise of each pixel is added after it; and the images of all stages are added up. The value {@code styles} (styles,
 * numbers) is what {@code path_length} reads. Images are enlarged before a convolution, where the public code enlarges after it, so
 * that they differ at the border. Styles are not mixed.
 *
 * @param width filters of the last stage; those before have twice as many each
 * @param most largest number of filters of a stage
 * @param doublings how often the image is doubled
 * @param mapping layers of the mapping network, whose learning rate is a hundredth of the others'
 * @param style numbers of a style
 */
public record Stylegan2Generator(
        @Setting(usually = "16", least = 1, most = 4096, help = "filters of the last stage")
        int width,

        @Setting(usually = "64", least = 1, most = 4096, help = "largest number of filters of a stage")
        int most,

        @Setting(usually = "2", least = 1, most = 8, help = "how often the image is doubled")
        int doublings,

        @Setting(usually = "4", least = 1, most = 16, help = "layers of the mapping network")
        int mapping,

        @Setting(usually = "64", least = 1, most = 4096, help = "numbers of a style")
        int style)
        implements Generator, Stylegan2GeneratorCopies {
    private static final double MAPPING_RATE = 0.01;

    /** @throws IllegalArgumentException if a setting is out of its range */
    public Stylegan2Generator {
        Stylegan2GeneratorCopies.check(width, most, doublings, mapping, style);
    }

    @Override
    public Value generate(Value latent, RowCondition condition, Shape image) {
        return make(latent, condition, image).rows();
    }

    @Override
    public Generated make(Value latent, RowCondition condition, Shape image) {
        int scale = ImageSides.requireMultiples("a StyleGAN2 that doubles " + doublings + " times", doublings, image);
        Shape first = Shape.of(filters(0), image.get(1) / scale, image.get(2) / scale);
        Limits.elements("width", first.get(0), first.get(1), first.get(2));
        Value w = pixelNorm(LabelInputs.ofGenerator(latent, condition));
        for (int i = 1; i <= mapping; i++) {
            w = EqualisedLayers.activate(EqualisedLayers.dense("map" + i, w, style, MAPPING_RATE, 0));
        }
        int count = 2 * doublings + 2;
        Value[] copies = Collections.nCopies(count, w).toArray(Value[]::new);
        Value styles = w.graph().name("styles", reshape(concat(0, copies), count, style));

        Redraw redraw = Latents.redraw(latent);
        Value h = EqualisedLayers.weight(w, "basis", first, Initialiser.normal(1));
        h = layer("conv0", h, at(styles, 0), filters(0), redraw);
        Value rgb = toRgb("rgb0", h, at(styles, 1), image);
        for (int i = 1; i <= doublings; i++) {
            h = layer("up" + i, upsample2d(h, 2, TAPS), at(styles, 2 * i - 1), filters(i), redraw);
            h = layer("conv" + i, h, at(styles, 2 * i), filters(i), redraw);
            rgb = add(upsample2d(rgb, 2, TAPS), toRgb("rgb" + i, h, at(styles, 2 * i + 1), image));
        }
        return new Generated(rgb, Map.of(Generated.STYLES, styles));
    }

    private int filters(int stage) {
        return Math.min(most, width << (doublings - stage));
    }

    private Value at(Value styles, int index) {
        return reshape(slice(styles, 0, index, index + 1), style);
    }

    private static Value layer(String name, Value x, Value w, int filters, Redraw redraw) {
        Graph graph = x.graph();
        Value y = EqualisedLayers.modulated(name, x, w, filters, 3, true);
        Value noise = graph.noise(name + "/noise", y.shape().with(0, 1), new Distribution.Normal(), redraw);
        Value strength = EqualisedLayers.weight(x, name + "/strength", Shape.of(1, 1, 1), Initialiser.zeros());
        return EqualisedLayers.activate(EqualisedLayers.biased(name, add(y, multiply(noise, strength))));
    }

    private static Value toRgb(String name, Value x, Value w, Shape image) {
        return EqualisedLayers.biased(name, EqualisedLayers.modulated(name, x, w, image.get(0), 1, false));
    }
}
