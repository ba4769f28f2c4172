package hocket.programs.layers;

import static hocket.programs.Operators.reshape;

import hocket.programs.Value;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Pooling;
import java.util.Arrays;

/**
 * Filters that are not trained, the same for every channel of an image: StyleGAN2's {@code upfirdn2d} and the blur pool
 * of Zhang 2019. A filter is given by the taps of one direction; its kernel is their outer product divided by its sum.
 */
public final class FixedFilters {
    private FixedFilters() {}

    /** Returns the binomial coefficients {@code (n-1 over i)}: 1, 2, 1 of 3 and 1, 3, 3, 1 of 4 taps. */
    public static double[] binomial(int taps) {
        if (taps < 1) {
            throw new IllegalArgumentException("a binomial filter needs at least 1 tap, got " + taps);
        }
        double[] coefficients = new double[taps];
        coefficients[0] = 1;
        for (int i = 1; i < taps; i++) {
            coefficients[i] = coefficients[i - 1] * (taps - i) / i;
        }
        return coefficients;
    }

    /**
     * {@code upfirdn2d}: each pixel is followed by {@code up - 1} zeros, the image padded by zeros, convolved with the
     * filter times the gain, and each {@code down}-th pixel kept, from the first on.
     *
     * @param pad left, right, top and bottom; a negative number crops
     */
    public static Value resampled(String name, Value x, int up, int down, int[] pad, double gain, double... taps) {
        requireImage(name, x);
        if (up < 1 || down < 1 || pad.length != 4) {
            throw new IllegalArgumentException(name + ": needs factors of at least 1 and pads of four sides, got up "
                    + up + ", down " + down + " and pads " + Arrays.toString(pad));
        }
        Value padded = Padding.ZEROS.of(name, spaced(x, up), pad);
        return convolved(name, padded, down, gain, taps);
    }

    /** Zhang's blur pool: the image padded so that ceil(extent / stride) windows fit, then filtered with a stride. */
    public static Value pooled(String name, Value x, int stride, Padding padding, double... taps) {
        requireImage(name, x);
        int before = (taps.length - 1) / 2;
        int after = taps.length / 2;
        Value padded = padding.of(name, x, before, after, before, after);
        double[] turned = reversed(taps);
        return convolved(name, padded, stride, 1, turned);
    }

    private static Value convolved(String name, Value x, int stride, double gain, double... taps) {
        double sum = Arrays.stream(taps).sum();
        if (taps.length == 0 || sum == 0 || !Double.isFinite(sum)) {
            throw new IllegalArgumentException(
                    name + ": needs taps with a finite sum other than 0, got " + Arrays.toString(taps));
        }
        double[] kernel = new double[taps.length * taps.length];
        for (int i = 0; i < kernel.length; i++) {
            double vertical = taps[taps.length - 1 - i / taps.length];
            double horizontal = taps[taps.length - 1 - i % taps.length];
            kernel[i] = vertical * horizontal * gain / (sum * sum);
        }
        Window window = Window.of(taps.length, taps.length);
        try {
            return Pooling.eachChannel(x, window.stride(stride), kernel);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    /** Each pixel followed by zeros, in both directions. */
    private static Value spaced(Value x, int up) {
        if (up == 1) {
            return x;
        }
        int channels = x.shape().get(0);
        int height = x.shape().get(1);
        int width = x.shape().get(2);
        Value columns = followed(reshape(x, channels * height, width, 1), up);
        Value rows = followed(reshape(columns, channels, height, 1, width * up), up);
        return reshape(rows, channels, height * up, width * up);
    }

    private static Value followed(Value x, int up) {
        return x.graph().numbered(new Arrangement.Pad(2, 0, up - 1), x);
    }

    private static double[] reversed(double[] taps) {
        double[] turned = new double[taps.length];
        for (int i = 0; i < taps.length; i++) {
            turned[i] = taps[taps.length - 1 - i];
        }
        return turned;
    }

    private static void requireImage(String name, Value x) {
        if (x.shape().rank() != 3) {
            throw new IllegalArgumentException(name + ": needs an image (channels, height, width), input is " + x);
        }
    }
}
