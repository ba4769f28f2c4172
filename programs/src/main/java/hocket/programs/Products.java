package hocket.programs;

import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;

/** Operators that multiply by a weight; a bias is a further input where there is one. */
public final class Products {
    private static final int WEIGHT = 1, BIAS = 2;

    private Products() {}

    /** {@code x·Wᵀ + b} over the last axis: x (…, in), W (out, in), b (out). */
    public record Dense() implements Operator {
        @Override
        public String kind() {
            return "dense";
        }

        @Override
        public Result infer(List<Value> inputs) {
            Value x = Operator.floating(inputs.get(0));
            Shape weight = inputs.get(1).shape();
            if (x.shape().rank() < 1 || weight.rank() != 2 || x.shape().get(-1) != weight.get(1)) {
                throw new IllegalArgumentException("weight " + weight + " needs a last axis of "
                        + (weight.rank() == 2 ? weight.get(1) : "one extent") + ", input is " + x);
            }
            return new Result(x.shape().with(-1, weight.get(0)), x.batched(), x.type());
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return product(inputs, result).plus(bias(inputs, result));
        }

        @Override
        public Amount gradientFlops(int input, List<Value> inputs, Result result) {
            return input == BIAS ? bias(inputs, result) : product(inputs, result);
        }

        private static Amount product(List<Value> inputs, Result result) {
            return Amount.each(result, 2L * inputs.get(WEIGHT).shape().get(1));
        }
    }

    /**
     * 2-D cross-correlation (what the field calls convolution): x (in, h, w), weight (out, in/groups, kh, kw), bias
     * (out). Dumoulin and Visin 2016 give the sizes.
     */
    public record Convolution(Kernel kernel) implements Operator {
        @Override
        public String kind() {
            return "conv";
        }

        @Override
        public String settings() {
            return kernel.toString();
        }

        @Override
        public Result infer(List<Value> inputs) {
            Value x = image(inputs.get(0));
            Shape weight = inputs.get(1).shape();
            int channels = weight.get(1) * kernel.groups();
            if (x.shape().get(0) != channels) {
                throw new IllegalArgumentException("weight " + weight + " needs " + count(channels, "channel")
                        + ", input has " + x.shape().get(0));
            }
            int[] extents = {weight.get(0), 0, 0};
            for (int i = 0; i < 2; i++) {
                int span = kernel.dilation().get(i) * (kernel.size().get(i) - 1) + 1;
                int room = x.shape().get(1 + i) + 2 * kernel.pad().get(i);
                if (room < span) {
                    throw new IllegalArgumentException("kernel spans " + span + " pixels, the padded input has " + room
                            + " (" + x + ", " + kernel + ")");
                }
                extents[1 + i] = (room - span) / kernel.stride().get(i) + 1;
            }
            return new Result(Shape.of(extents), x.batched(), x.type());
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return product(inputs, result).plus(bias(inputs, result));
        }

        @Override
        public Amount gradientFlops(int input, List<Value> inputs, Result result) {
            return input == BIAS ? bias(inputs, result) : product(inputs, result);
        }

        private static Amount product(List<Value> inputs, Result result) {
            return Amount.each(result, 2 * window(inputs.get(WEIGHT)));
        }
    }

    /**
     * 2-D transposed convolution, the gradient of a convolution with respect to its input: x (in, h, w), weight (in,
     * out/groups, kh, kw), bias (out).
     */
    public record TransposedConvolution(Kernel kernel) implements Operator {
        @Override
        public String kind() {
            return "conv_transpose";
        }

        @Override
        public String settings() {
            return kernel.toString();
        }

        @Override
        public Result infer(List<Value> inputs) {
            Value x = image(inputs.get(0));
            Shape weight = inputs.get(1).shape();
            if (x.shape().get(0) != weight.get(0)) {
                throw new IllegalArgumentException("weight " + weight + " needs " + count(weight.get(0), "channel")
                        + ", input has " + x.shape().get(0));
            }
            int[] extents = {weight.get(1) * kernel.groups(), 0, 0};
            for (int i = 0; i < 2; i++) {
                int span = kernel.dilation().get(i) * (kernel.size().get(i) - 1) + 1;
                extents[1 + i] = (x.shape().get(1 + i) - 1) * kernel.stride().get(i)
                        - 2 * kernel.pad().get(i)
                        + span
                        + kernel.outputPad().get(i);
                if (extents[1 + i] < 1) {
                    throw new IllegalArgumentException(
                            "padding takes the whole output away (" + x + ", " + kernel + ")");
                }
            }
            return new Result(Shape.of(extents), x.batched(), x.type());
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return product(inputs).plus(bias(inputs, result));
        }

        @Override
        public Amount gradientFlops(int input, List<Value> inputs, Result result) {
            return input == BIAS ? bias(inputs, result) : product(inputs);
        }

        private static Amount product(List<Value> inputs) {
            return Amount.each(inputs.get(0).result(), 2 * window(inputs.get(WEIGHT)));
        }
    }

    /** Rows of a table: indices (INT64, any shape), table (entries, width). Indices are checked when they are fed. */
    public record Embedding() implements Operator {
        @Override
        public String kind() {
            return "embedding";
        }

        @Override
        public Result infer(List<Value> inputs) {
            Value index = inputs.get(0);
            Value table = inputs.get(1);
            if (index.type() != ElementType.INT64) {
                throw new IllegalArgumentException("needs INT64 indices, got " + index);
            }
            Arrangement.requireFed(index);
            int[] extents = Arrays.copyOf(index.shape().extents(), index.shape().rank() + 1);
            extents[extents.length - 1] = table.shape().get(1);
            return new Result(Shape.of(extents), index.batched(), table.type());
        }

        @Override
        public boolean differentiable(int input) {
            return input == 1;
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.NONE;
        }

        /** Each row of the gradient is added to that of its entry. */
        @Override
        public Amount gradientFlops(int input, List<Value> inputs, Result result) {
            return Amount.each(result, 1);
        }
    }

    private static Amount bias(List<Value> inputs, Operator.Result result) {
        return inputs.size() > BIAS ? Amount.each(result, 1) : Amount.NONE;
    }

    /** Weights that one output of a convolution sums over, or to which one input of a transposed one goes. */
    private static long window(Value weight) {
        return weight.shape().size() / weight.shape().get(0);
    }

    private static Value image(Value x) {
        if (x.shape().rank() != 3 || !x.type().isFloating()) {
            throw new IllegalArgumentException("needs an image (channels, height, width), input is " + x);
        }
        return x;
    }

    static String count(int n, String noun) {
        return n + " " + noun + (n == 1 ? "" : "s");
    }
}
