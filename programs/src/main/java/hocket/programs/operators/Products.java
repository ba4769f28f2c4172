package hocket.programs.operators;

import static hocket.programs.Operators.slice;

import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.programs.layers.Window;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Operators that multiply by a weight; a bias is a further input where there is one. Dense layers and convolutions are
 * bilinear, so that each has two companions, its gradients by input and by weight, and each of the three has the other
 * two as gradients.
 */
public final class Products {
    private static final int WEIGHT = 1, BIAS = 2;

    /** A limit far above any window and far below an overflow of products. */
    private static final int LARGEST_WINDOW = 10_000;

    private Products() {}

    /** A product with a bias, which costs an addition for each element of the result. */
    public sealed interface WithBias extends Primitive permits Dense, Convolution, TransposedConvolution {
        @Override
        default Arity arity() {
            return Arity.WITH_BIAS;
        }

        @Override
        default RowCost flops(List<Value> inputs, Result result) {
            return Primitive.super.flops(inputs, result).plus(bias(inputs, result));
        }

        @Override
        default RowCost gradientFlops(int input, List<Value> inputs, Result result) {
            return input == BIAS ? bias(inputs, result) : Primitive.super.flops(inputs, result);
        }
    }

    /** {@code x·Wᵀ + b} over the last axis: x (…, in), W (out, in), b (out). */
    public record Dense() implements WithBias {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.dense(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = Operator.floating(inputs.get(0));
            Shape weight = weight(inputs, 2);
            requireBias(inputs, weight.get(0));
            Operator.require(
                    x.shape().rank() > 0 && x.shape().get(-1) == weight.get(1),
                    "weight " + weight + " needs a last axis of " + weight.get(1) + ", input is " + x);
            return new Result(x.shape().with(-1, weight.get(0)), x.batched(), x.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value x = y.inputs().get(0);
            return switch (input) {
                case BIAS -> upstream;
                case WEIGHT -> y.graph().numbered(new DenseWeight(), x, upstream);
                default ->
                    y.graph().numbered(new DenseInput(), upstream, y.inputs().get(WEIGHT));
            };
        }

        @Override
        public RowCost multiplications(List<Value> inputs, Result result) {
            return RowCost.each(result, inputs.get(WEIGHT).shape().get(1));
        }
    }

    /** {@code g·W} over the last axis, a dense layer's gradient by its input: g (…, out), W (out, in) give (…, in). */
    public record DenseInput() implements Primitive {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.denseInput(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            Value g = Operator.floating(inputs.get(0));
            Shape weight = weight(inputs, 2);
            Operator.require(
                    g.shape().rank() > 0 && g.shape().get(-1) == weight.get(0),
                    "weight " + weight + " does not fit " + g);
            return new Result(g.shape().with(-1, weight.get(1)), g.batched(), g.type());
        }

        @Override
        public Value gradient(int input, Value x, Value upstream) {
            Value g = x.inputs().get(0);
            return input == WEIGHT
                    ? x.graph().numbered(new DenseWeight(), upstream, g)
                    : x.graph().numbered(new Dense(), upstream, x.inputs().get(WEIGHT));
        }

        @Override
        public RowCost multiplications(List<Value> inputs, Result result) {
            return RowCost.each(result, inputs.get(WEIGHT).shape().get(0));
        }
    }

    /**
     * {@code gᵀ·x} summed over all axes but the last and over the batch, a dense layer's gradient by its weight: x (…,
     * in), g (…, out) give (out, in).
     */
    public record DenseWeight() implements Primitive {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.denseWeight(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = Operator.floating(inputs.get(0));
            Value g = Operator.floating(inputs.get(1));
            if (x.shape().rank() < 1
                    || g.shape().rank() != x.shape().rank()
                    || g.batched() != x.batched()
                    || !g.shape().with(-1, 1).equals(x.shape().with(-1, 1))) {
                throw new IllegalArgumentException(
                        "needs values of equal shape except along the last axis, got " + x + " and " + g);
            }
            return new Result(Shape.of(g.shape().get(-1), x.shape().get(-1)), false, x.type());
        }

        @Override
        public Value gradient(int input, Value weight, Value upstream) {
            return input == 0
                    ? weight.graph().numbered(new DenseInput(), weight.inputs().get(1), upstream)
                    : weight.graph().numbered(new Dense(), weight.inputs().get(0), upstream);
        }

        @Override
        public RowCost multiplications(List<Value> inputs, Result result) {
            return RowCost.each(inputs.get(0).result(), inputs.get(1).shape().get(-1));
        }
    }

    /**
     * 2-D cross-correlation (what the field calls convolution): x (in, h, w), weight (out, in/groups, kh, kw), bias
     * (out). Dumoulin and Visin 2016 give the sizes.
     */
    public record Convolution(Window kernel) implements WithBias {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.convolution(this);
        }

        @Override
        public String kind() {
            return "conv";
        }

        @Override
        public String settings() {
            return kernel.toString();
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = image(inputs.get(0));
            Shape weight = weight(inputs, kernel);
            int groups = kernel.groups();
            Operator.require(
                    weight.get(0) % groups == 0, groups + " groups must divide the filters of weight " + weight);
            requireBias(inputs, weight.get(0));
            int channels = weight.get(1) * kernel.groups();
            if (x.shape().get(0) != channels) {
                throw new IllegalArgumentException("weight " + weight + " needs " + count(channels, "channel")
                        + ", input has " + x.shape().get(0));
            }
            return new Result(windows(x, kernel, weight.get(0)), x.batched(), x.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value x = y.inputs().get(0);
            Value weight = y.inputs().get(WEIGHT);
            return switch (input) {
                case BIAS -> ofChannels(upstream);
                case WEIGHT -> y.graph().numbered(new ConvolutionWeight(kernel, window(weight.shape())), x, upstream);
                default -> transposed(kernel, upstream, weight, x.shape());
            };
        }

        @Override
        public RowCost multiplications(List<Value> inputs, Result result) {
            return RowCost.each(result, window(inputs.get(WEIGHT)));
        }
    }

    /**
     * 2-D transposed convolution, the gradient of a convolution with respect to its input: x (in, h, w), weight (in,
     * out/groups, kh, kw), bias (out).
     */
    public record TransposedConvolution(Window kernel) implements WithBias {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.transposedConvolution(this);
        }

        @Override
        public String kind() {
            return "conv_transpose";
        }

        @Override
        public String settings() {
            return kernel.toString();
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = image(inputs.get(0));
            Shape weight = weight(inputs, kernel);
            int groups = kernel.groups();
            Operator.require(
                    weight.get(0) % groups == 0, groups + " groups must divide the channels of weight " + weight);
            requireBias(inputs, weight.get(1) * groups);
            if (x.shape().get(0) != weight.get(0)) {
                throw new IllegalArgumentException("weight " + weight + " needs " + count(weight.get(0), "channel")
                        + ", input has " + x.shape().get(0));
            }
            return new Result(spread(x, kernel, weight.get(1) * kernel.groups()), x.batched(), x.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value x = y.inputs().get(0);
            Value weight = y.inputs().get(WEIGHT);
            Window forward = kernel.outputPad(0, 0);
            return switch (input) {
                case BIAS -> ofChannels(upstream);
                case WEIGHT -> y.graph().numbered(new ConvolutionWeight(forward, window(weight.shape())), upstream, x);
                default -> convolved(forward, upstream, weight, x.shape());
            };
        }

        @Override
        public RowCost multiplications(List<Value> inputs, Result result) {
            return RowCost.each(inputs.get(0).result(), window(inputs.get(WEIGHT)));
        }
    }

    /**
     * A convolution's gradient by its weight, summed over the batch: x (in, h, w), g (out, h', w') give (out, in/groups,
     * kh, kw).
     *
     * @param kernel the convolution's
     * @param window (kh, kw)
     */
    public record ConvolutionWeight(Window kernel, Shape window) implements Primitive {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.convolutionWeight(this);
        }

        @Override
        public String kind() {
            return "conv_weight";
        }

        @Override
        public String settings() {
            return kernel.toString();
        }

        @Override
        public Result check(List<Value> inputs) {
            requireWindow(kernel, window);
            Value x = image(inputs.get(0));
            Value g = image(inputs.get(1));
            Shape most = windows(x, kernel, g.shape().get(0));
            if (x.batched() != g.batched()
                    || g.shape().get(1) > most.get(1)
                    || g.shape().get(2) > most.get(2)
                    || x.shape().get(0) % kernel.groups() != 0
                    || g.shape().get(0) % kernel.groups() != 0) {
                throw new IllegalArgumentException(
                        "needs an image and the gradient by its convolution " + most + ", got " + x + " and " + g);
            }
            return new Result(
                    Shape.of(g.shape().get(0), x.shape().get(0) / kernel.groups(), window.get(0), window.get(1)),
                    false,
                    x.type());
        }

        @Override
        public Value gradient(int input, Value weight, Value upstream) {
            Value x = weight.inputs().get(0);
            Value g = weight.inputs().get(1);
            return input == 0 ? transposed(kernel, g, upstream, x.shape()) : convolved(kernel, x, upstream, g.shape());
        }

        @Override
        public RowCost multiplications(List<Value> inputs, Result result) {
            return RowCost.each(
                    inputs.get(1).result(),
                    (long) result.shape().size() / result.shape().get(0));
        }
    }

    /** Rows of a table: indices (INT64, any shape), table (entries, width). Indices are checked when they are fed. */
    public record Embedding() implements Primitive {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.embedding(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            Value index = inputs.get(0);
            Shape table = weight(inputs, 2);
            if (index.type() != ElementType.INT64) {
                throw new IllegalArgumentException("needs INT64 indices, got " + index);
            }
            Arrangement.requireBounded(index, table.get(0));
            return new Result(
                    embedded(index, table.get(1)),
                    index.batched(),
                    inputs.get(WEIGHT).type());
        }

        @Override
        public int indexBound(int input, List<Value> inputs) {
            return input == 0 ? inputs.get(WEIGHT).shape().get(0) : 0;
        }

        @Override
        public boolean differentiable(int input) {
            return input == WEIGHT;
        }

        @Override
        public Value gradient(int input, Value rows, Value upstream) {
            int entries = rows.inputs().get(WEIGHT).shape().get(0);
            return rows.graph()
                    .numbered(
                            new Gathering.EmbeddingWeight(entries),
                            rows.inputs().get(0),
                            upstream);
        }

        /** Each row of the gradient is added to that of its entry. */
        @Override
        public RowCost gradientFlops(int input, List<Value> inputs, Result result) {
            return RowCost.each(result, 1);
        }
    }

    /** Returns whether an operator is a convolution, or the gradient of one. */
    public static boolean isConvolution(Operator operator) {
        return operator instanceof Convolution
                || operator instanceof TransposedConvolution
                || operator instanceof ConvolutionWeight;
    }

    private static RowCost bias(List<Value> inputs, Operator.Result result) {
        return inputs.size() > BIAS ? RowCost.each(result, 1) : RowCost.NONE;
    }

    /** Weights that one output of a convolution sums over, or to which one input of a transposed one goes. */
    private static long window(Value weight) {
        return weight.shape().size() / weight.shape().get(0);
    }

    private static Shape window(Shape weight) {
        return Shape.of(weight.get(2), weight.get(3));
    }

    private static long span(Window kernel, int i) {
        return kernel.dilation().get(i) * (kernel.size().get(i) - 1L) + 1;
    }

    /** Returns the output shape of a transposed convolution of an image. */
    public static Shape spread(Value x, Window kernel, int filters) {
        int[] extents = {filters, 0, 0};
        for (int i = 0; i < 2; i++) {
            long extent = (x.shape().get(1 + i) - 1L) * kernel.stride().get(i)
                    - 2L * kernel.pad().get(i)
                    + span(kernel, i)
                    + kernel.outputPad().get(i);
            if (extent < 1) {
                throw new IllegalArgumentException("padding leaves no output (" + x + ", " + kernel + ")");
            }
            extents[1 + i] = extent(extent, x, kernel);
        }
        return Shape.of(extents);
    }

    /** Returns the shape of the entries of an index. */
    public static Shape embedded(Value index, int width) {
        int[] extents = Arrays.copyOf(index.shape().extents(), index.shape().rank() + 1);
        extents[extents.length - 1] = width;
        return Shape.of(extents);
    }

    private static int extent(long extent, Value x, Window kernel) {
        if (extent > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "an axis of " + extent + " pixels is too long (" + x + ", " + kernel + ")");
        }
        return (int) extent;
    }

    /** Returns the output shape of a window that steps over an image. */
    public static Shape windows(Value x, Window kernel, int filters) {
        if (!kernel.outputPad().equals(List.of(0, 0))) {
            throw new IllegalArgumentException("only a transposed convolution has an output padding, got " + kernel);
        }
        int[] extents = {filters, 0, 0};
        for (int i = 0; i < 2; i++) {
            long span = span(kernel, i);
            long room = x.shape().get(1 + i) + 2L * kernel.pad().get(i);
            if (room < span) {
                throw new IllegalArgumentException("kernel spans " + span + " pixels, the padded input has " + room
                        + " (" + x + ", " + kernel + ")");
            }
            extents[1 + i] = extent((room - span) / kernel.stride().get(i) + 1, x, kernel);
        }
        return Shape.of(extents);
    }

    /** The transposed convolution that gives images of that shape, as the convolution took them. */
    private static Value transposed(Window kernel, Value g, Value weight, Shape image) {
        int[] rest = IntStream.range(0, 2)
                .map(i -> Math.toIntExact(image.get(1 + i)
                        - ((g.shape().get(1 + i) - 1L) * kernel.stride().get(i)
                                - 2L * kernel.pad().get(i)
                                + span(kernel, i))))
                .toArray();
        return g.graph().numbered(new TransposedConvolution(kernel.outputPad(rest[0], rest[1])), g, weight);
    }

    /** Computes the convolution without the windows in the output padding of a transposed one. */
    private static Value convolved(Window kernel, Value x, Value weight, Shape image) {
        Value y = x.graph().numbered(new Convolution(kernel), x, weight);
        for (int axis = 1; axis < 3; axis++) {
            y = y.shape().get(axis) == image.get(axis) ? y : slice(y, axis, 0, image.get(axis));
        }
        return y;
    }

    /** A gradient as one by each channel, of an image's extents but for the channels. */
    private static Value ofChannels(Value upstream) {
        Value pixels = Operators.reshape(
                upstream,
                upstream.shape().get(0),
                upstream.shape().size() / upstream.shape().get(0));
        return Operators.sum(pixels, 1);
    }

    private static Shape weight(List<Value> inputs, int rank) {
        Value weight = Operator.floating(inputs.get(WEIGHT));
        Operator.require(
                !weight.batched() && weight.shape().rank() == rank,
                "needs a weight of rank " + rank + " that is the same for every row, got " + weight);
        return weight.shape();
    }

    private static Shape weight(List<Value> inputs, Window kernel) {
        Shape weight = weight(inputs, 4);
        requireWindow(kernel, window(weight));
        return weight;
    }

    private static void requireWindow(Window kernel, Shape window) {
        requireWindow(kernel);
        Operator.require(
                window.equals(Shape.of(kernel.size().get(0), kernel.size().get(1))),
                "the weight's window " + window + " must be the kernel's, " + kernel);
    }

    /** @throws IllegalArgumentException if a window's numbers are so large that products of them overflow */
    static void requireWindow(Window kernel) {
        for (List<Integer> pair :
                List.of(kernel.size(), kernel.stride(), kernel.pad(), kernel.dilation(), kernel.outputPad())) {
            Operator.require(
                    pair.get(0) <= LARGEST_WINDOW && pair.get(1) <= LARGEST_WINDOW,
                    "numbers of a kernel must be at most " + LARGEST_WINDOW + ", got " + kernel);
        }
    }

    private static void requireBias(List<Value> inputs, int outputs) {
        if (inputs.size() > BIAS) {
            Value bias = Operator.floating(inputs.get(BIAS));
            Operator.require(
                    !bias.batched() && bias.shape().equals(Shape.of(outputs)),
                    "needs a bias (" + outputs + "), got " + bias);
        }
    }

    static Value image(Value x) {
        if (x.shape().rank() != 3 || !x.type().isFloating()) {
            throw new IllegalArgumentException("needs an image (channels, height, width), input is " + x);
        }
        return x;
    }

    public static String count(int n, String noun) {
        return n + " " + noun + (n == 1 ? "" : "s");
    }
}
