package hocket.programs.operators;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.spread;
import static hocket.programs.Operators.transpose;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.programs.layers.Window;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Windows of images combined, and images made larger. The largest of each window and what its gradient takes are
 * operators (padding is never the largest); the rest is composed.
 */
public final class Pooling {
    private Pooling() {}

    /** An operator that looks for the largest of each window of its first input. */
    public sealed interface OfWindows extends Primitive permits MaxPool, AtMaxima {
        Window kernel();

        @Override
        default String settings() {
            return kernel().toString();
        }
    }

    /** An operator that reads its second input as the maxima of the first say, to which no gradient flows. */
    public sealed interface AtMaxima extends OfWindows permits MaxPoolInput, MaxPoolPick {
        @Override
        default Arity arity() {
            return Arity.TWO;
        }

        @Override
        default boolean differentiable(int input) {
            return input == 1;
        }
    }

    /** The largest of each window and channel: x (channels, h, w) gives (channels, h', w'). Of equals the first counts. */
    public record MaxPool(Window kernel) implements OfWindows {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.maxPool(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            return pooled(inputs.get(0), kernel);
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return y.graph().numbered(new MaxPoolInput(kernel), y.inputs().get(0), upstream);
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return comparisons(result, kernel);
        }
    }

    /**
     * The gradient by a max-pool's input: each g (channels, h', w') is added at the place of the largest of its window in
     * x (channels, h, w), which gives (channels, h, w). No gradient flows to x.
     */
    public record MaxPoolInput(Window kernel) implements AtMaxima {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.maxPoolInput(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = inputs.get(0);
            requireAlike(pooled(x, kernel).shape(), x, inputs.get(1));
            return x.result();
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return y.graph().numbered(new MaxPoolPick(kernel), y.inputs().get(0), upstream);
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return comparisons(inputs.get(1).result(), kernel);
        }
    }

    /**
     * Picks from a second image (channels, h, w) the elements at the maxima of x's windows: (channels, h', w'). No
     * gradient flows to x.
     */
    public record MaxPoolPick(Window kernel) implements AtMaxima {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.maxPoolPick(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            requireAlike(inputs.get(0).shape(), inputs.get(0), inputs.get(1));
            return pooled(inputs.get(0), kernel);
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return y.graph().numbered(new MaxPoolInput(kernel), y.inputs().get(0), upstream);
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return comparisons(result, kernel);
        }
    }

    private static Operator.Result pooled(Value x, Window kernel) {
        Products.requireWindow(kernel);
        Shape shape = Products.windows(Products.image(x), kernel, x.shape().get(0));
        for (int i = 0; i < 2; i++) {
            if (2L * kernel.pad().get(i) > kernel.size().get(i)) {
                throw new IllegalArgumentException("pad must be at most half the window, got " + kernel);
            }
        }
        if (!kernel.dilation().equals(List.of(1, 1)) || kernel.groups() != 1) {
            throw new IllegalArgumentException("a pool's window has no dilation and no groups, got " + kernel);
        }
        return new Operator.Result(shape, x.batched(), x.type());
    }

    private static void requireAlike(Shape shape, Value x, Value other) {
        if (!other.shape().equals(shape) || other.batched() != x.batched() || other.type() != x.type()) {
            throw new IllegalArgumentException("needs " + shape + " with " + x + ", got " + other);
        }
    }

    private static RowCost comparisons(Operator.Result result, Window kernel) {
        return RowCost.each(result, (long) kernel.size().get(0) * kernel.size().get(1));
    }

    /** The mean of each window, as a convolution of each channel with the same weights. */
    public static Value averaged(Value x, Window kernel, boolean countPadding) {
        Shape result;
        Shape weight;
        try {
            result = pooled(x, kernel).shape();
            weight = eachChannel(x, kernel);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("average pool: " + e.getMessage(), e);
        }
        double[] taps = new double[weight.get(2) * weight.get(3)];
        Arrays.fill(taps, 1.0 / taps.length);
        Value means = eachChannel(x, kernel, taps);
        boolean padded = kernel.pad().get(0) + kernel.pad().get(1) > 0;
        return countPadding || !padded ? means : multiply(means, corrections(x, kernel, taps, result));
    }

    /** Returns the inverse weight inside the image of each window, for taps that sum to 1. */
    private static Value corrections(Value x, Window kernel, double[] taps, Shape result) {
        double[] factors = new double[result.get(1) * result.get(2)];
        for (int row = 0; row < result.get(1); row++) {
            for (int column = 0; column < result.get(2); column++) {
                double inside = 0;
                for (int k = 0; k < taps.length; k++) {
                    int width = kernel.size().get(1);
                    boolean within = within(x, kernel, 0, row, k / width) && within(x, kernel, 1, column, k % width);
                    inside += within ? taps[k] : 0;
                }
                factors[row * result.get(2) + column] = 1 / inside;
            }
        }
        return constant(x.graph(), Shape.of(1, result.get(1), result.get(2)), factors);
    }

    private static boolean within(Value x, Window kernel, int axis, int window, int tap) {
        long place = (long) window * kernel.stride().get(axis) - kernel.pad().get(axis) + tap;
        return place >= 0 && place < x.shape().get(1 + axis);
    }

    /** The shape of a weight for each channel, which is refused where it has too many elements. */
    private static Shape eachChannel(Value x, Window kernel) {
        return Shape.of(x.shape().get(0), 1, kernel.size().get(0), kernel.size().get(1));
    }

    /** A convolution of each channel with the same weights, row-major. */
    public static Value eachChannel(Value x, Window kernel, double[] taps) {
        Shape shape = eachChannel(x, kernel);
        double[] all = new double[shape.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = taps[i % taps.length];
        }
        Value weight = constant(x.graph(), shape, all);
        return x.graph().numbered(new Products.Convolution(kernel.groups(shape.get(0))), x, weight);
    }

    private static Value constant(Graph graph, Shape shape, double[] values) {
        return graph.constant(Tensor.rounded(shape, graph.floatType(), values));
    }

    public static Value nearest(Value x, int factor) {
        Shape image = enlarged("upsample", x, factor);
        int channels = image.get(0);
        int height = image.get(1);
        int width = image.get(2);
        Value apart = reshape(x, channels * height, 1, width, 1);
        Value repeated = spread(apart, channels * height, factor, width, factor);
        return reshape(repeated, channels, height * factor, width * factor);
    }

    /**
     * The image enlarged by repetition, each pixel then the mean of a window as wide as the factor, at whose ends an even
     * factor has half a pixel. Windows that reach over the border hold the border's pixel only, so that it is enough to
     * leave the padding out of the mean.
     */
    public static Value bilinear(Value x, int factor) {
        Value large = nearest(x, factor);
        if (factor == 1) {
            return large;
        }
        int reach = factor / 2;
        int size = 2 * reach + 1;
        Window kernel = Window.of(size, size).pad(reach);
        double[] taps = new double[Shape.of(size, size).size()];
        double[] line = new double[size];
        Arrays.fill(line, 1.0 / factor);
        if (factor % 2 == 0) {
            line[0] = 0.5 / factor;
            line[size - 1] = 0.5 / factor;
        }
        for (int i = 0; i < taps.length; i++) {
            taps[i] = line[i / size] * line[i % size];
        }
        return multiply(eachChannel(large, kernel, taps), corrections(large, kernel, taps, large.shape()));
    }

    public static Value shuffled(Value x, int factor) {
        Shape image = enlarged("pixel shuffle", x, factor);
        int height = image.get(1);
        int width = image.get(2);
        long square = (long) factor * factor;
        if (image.get(0) % square != 0) {
            throw new IllegalArgumentException("pixel shuffle by " + factor + " needs channels that are a multiple of "
                    + square + ", input is " + x);
        }
        int channels = (int) (image.get(0) / square);
        Value apart = reshape(x, channels, factor, factor, height, width);
        return reshape(transpose(apart, 0, 3, 1, 4, 2), channels, height * factor, width * factor);
    }

    private static Shape enlarged(String what, Value x, int factor) {
        if (x.shape().rank() != 3 || factor < 1) {
            throw new IllegalArgumentException(what + " needs an image (channels, height, width) and a factor of at"
                    + " least 1, got " + x + " and " + factor);
        }
        return x.shape();
    }
}
