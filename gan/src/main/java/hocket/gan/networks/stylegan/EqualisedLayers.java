package hocket.gan.networks.stylegan;

import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;

import hocket.programs.Layers;
import hocket.programs.Value;
import hocket.programs.layers.Window;
import hocket.programs.operators.Products;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * Layers whose weights are standard normal numbers at the beginning, and are multiplied by {@code 1/√inputs} when they are used:
 * an equalised learning rate (Karras et al. 2018, section 4.1).
 */
final class EqualisedLayers {
    /** The filter of StyleGAN2's resampling. */
    static final double[] TAPS = {1, 3, 3, 1};

    private static final double SLOPE = 0.2;

    private EqualisedLayers() {}

    /** A leaky rectifier that keeps the variance: {@code √2 · leakyRelu(x, 0.2)}. */
    static Value activate(Value x) {
        return scale(leakyRelu(x, SLOPE), Math.sqrt(2));
    }

    /**
     * A dense layer.
     *
     * @param rate its learning rate, as a share of the optimizer's
     * @param bias its bias at the beginning
     */
    static Value dense(String name, Value x, int units, double rate, double bias) {
        int in = x.shape().get(0);
        Value weight = weight(x, name + "/weight", Shape.of(units, in), Initialiser.normal(1 / rate));
        Value shift = weight(x, name + "/bias", Shape.of(units), Initialiser.constant(bias / rate));
        return x.graph().numbered(new Products.Dense(), x, scale(weight, rate / Math.sqrt(in)), scale(shift, rate));
    }

    /** A convolution without a bias. */
    static Value conv(String name, Value x, int filters, Window window) {
        return x.graph().numbered(new Products.Convolution(window), x, filter(name, x, filters, window));
    }

    /** A convolution with a bias and {@link #activate}. */
    static Value activated(String name, Value x, int filters, Window window) {
        return activate(biased(name, conv(name, x, filters, window)));
    }

    /**
     * A convolution whose weights are multiplied by a style of each row, and divided by the norm of the result (Karras et al. 2020,
     * equations 1 and 3): {@code w'_oik = s_i · w_oik}, {@code w''_oik = w'_oik / √(Σ_ik w'_oik² + 1e-8)}. Computed on the inputs
     * and outputs, so that all rows share the weights.
     *
     * @param w from which the style is computed by a dense layer
     * @param size of the window, 1 or 3
     * @param demodulates whether it is divided by the norm
     */
    static Value modulated(String name, Value x, Value w, int filters, int size, boolean demodulates) {
        int channels = x.shape().get(0);
        Window window = kernel(size).pad(size / 2);
        Value style = dense(name + "/style", w, channels, 1, 1);
        Value filter = filter(name, x, filters, window);
        Value y = x.graph()
                .numbered(new Products.Convolution(window), multiply(x, reshape(style, channels, 1, 1)), filter);
        if (!demodulates) {
            return y;
        }
        Value squares = sum(sum(square(filter), 3), 2);
        Value norms = x.graph().numbered(new Products.Dense(), square(style), squares);
        return divide(y, reshape(sqrt(shift(norms, 1e-8)), filters, 1, 1));
    }

    /** Adds a bias of each channel. */
    static Value biased(String name, Value image) {
        int filters = image.shape().get(0);
        Value bias = weight(image, name + "/bias", Shape.of(filters), Initialiser.zeros());
        return add(image, reshape(bias, filters, 1, 1));
    }

    /** A parameter of that path. */
    static Value weight(Value at, String path, Shape shape, Initialiser initialiser) {
        return Layers.declare(at.graph(), path, shape, Fan.NONE, initialiser, Kind.WEIGHT);
    }

    private static Value filter(String name, Value x, int filters, Window window) {
        int channels = x.shape().get(0);
        int height = window.size().get(0);
        int width = window.size().get(1);
        Shape shape = Shape.of(filters, channels, height, width);
        return scale(
                weight(x, name + "/weight", shape, Initialiser.normal(1)), 1 / Math.sqrt(channels * height * width));
    }
}
