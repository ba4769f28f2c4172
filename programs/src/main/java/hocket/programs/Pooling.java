package hocket.programs;

import hocket.scopes.Shape;
import java.util.List;

/** The largest of each window of an image, and what its gradient takes. Padding is never the largest. */
public final class Pooling {
    private Pooling() {}

    /** The largest of each window and channel: x (channels, h, w) gives (channels, h', w'). Of equals the first counts. */
    public record MaxPool(Kernel kernel) implements Operator {
        @Override
        public String kind() {
            return "max_pool";
        }

        @Override
        public String settings() {
            return kernel.toString();
        }

        @Override
        public Result infer(List<Value> inputs) {
            return pooled(inputs.get(0), kernel);
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return y.graph().numbered(new MaxPoolInput(kernel), y.inputs().get(0), upstream);
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return comparisons(result, kernel);
        }
    }

    /**
     * The gradient by a max-pool's input: each g (channels, h', w') is added at the place of the largest of its window in
     * x (channels, h, w), which gives (channels, h, w). No gradient flows to x.
     */
    public record MaxPoolInput(Kernel kernel) implements Operator {
        @Override
        public String kind() {
            return "max_pool_input";
        }

        @Override
        public String settings() {
            return kernel.toString();
        }

        @Override
        public Result infer(List<Value> inputs) {
            Value x = inputs.get(0);
            requireAlike(pooled(x, kernel).shape(), x, inputs.get(1));
            return x.result();
        }

        @Override
        public boolean differentiable(int input) {
            return input == 1;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return y.graph().numbered(new MaxPoolPick(kernel), y.inputs().get(0), upstream);
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return comparisons(inputs.get(1).result(), kernel);
        }
    }

    /**
     * What stands in a second image (channels, h, w) at the places of the largest of x's windows: (channels, h', w'). No
     * gradient flows to x.
     */
    public record MaxPoolPick(Kernel kernel) implements Operator {
        @Override
        public String kind() {
            return "max_pool_pick";
        }

        @Override
        public String settings() {
            return kernel.toString();
        }

        @Override
        public Result infer(List<Value> inputs) {
            requireAlike(inputs.get(0).shape(), inputs.get(0), inputs.get(1));
            return pooled(inputs.get(0), kernel);
        }

        @Override
        public boolean differentiable(int input) {
            return input == 1;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return y.graph().numbered(new MaxPoolInput(kernel), y.inputs().get(0), upstream);
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return comparisons(result, kernel);
        }
    }

    private static Operator.Result pooled(Value x, Kernel kernel) {
        Shape shape = Products.windows(Products.image(x), kernel, x.shape().get(0));
        for (int i = 0; i < 2; i++) {
            if (2 * kernel.pad().get(i) > kernel.size().get(i)) {
                throw new IllegalArgumentException("pad must be at most half the window, got " + kernel);
            }
        }
        return new Operator.Result(shape, x.batched(), x.type());
    }

    private static void requireAlike(Shape shape, Value x, Value other) {
        if (!other.shape().equals(shape) || other.batched() != x.batched() || other.type() != x.type()) {
            throw new IllegalArgumentException("needs " + shape + " beside " + x + ", got " + other);
        }
    }

    private static Amount comparisons(Operator.Result result, Kernel kernel) {
        return Amount.each(result, (long) kernel.size().get(0) * kernel.size().get(1));
    }
}
