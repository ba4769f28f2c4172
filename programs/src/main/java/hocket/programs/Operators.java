package hocket.programs;

import hocket.programs.layers.AdaptivePooling;
import hocket.programs.layers.BatchStatistics;
import hocket.programs.layers.FixedFilters;
import hocket.programs.layers.Padding;
import hocket.programs.layers.Window;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Elementwise.Binary;
import hocket.programs.operators.Elementwise.Function;
import hocket.programs.operators.Elementwise.Pair;
import hocket.programs.operators.Elementwise.Unary;
import hocket.programs.operators.Gathering;
import hocket.programs.operators.Gelu;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Matmul;
import hocket.programs.operators.Normalised;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Pooling;
import hocket.programs.operators.Reduction;
import hocket.programs.operators.Reduction.How;
import hocket.programs.operators.Reduction.Reduce;
import hocket.scopes.Shape;
import java.util.stream.IntStream;

/**
 * Operators without parameters, for static import. Each works in the graph of its argument and in the scope that is
 * open there; values are numbered by kind. Shapes are of one row; {@code (…)} is any shape.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Value h = relu(add(scale(real, 2), fake));
 * Value error = mean(square(subtract(h, real)));
 * }</pre>
 */
public final class Operators {
    private Operators() {}

    /** {@code -x}. */
    public static Value negate(Value x) {
        return unary(Function.NEGATE, x);
    }

    /** {@code max(x, 0)}, with gradient 0 at 0. */
    public static Value relu(Value x) {
        return unary(Function.RELU, x);
    }

    /** {@code x} where positive, else {@code slope·x}; gradient {@code slope} at 0. */
    public static Value leakyRelu(Value x, double slope) {
        return x.graph().numbered(new Elementwise.LeakyRelu(slope), x);
    }

    /** {@code x} where positive, else {@code alpha·(exp(x) - 1)}; gradient {@code alpha} at 0 (Clevert et al. 2015). */
    public static Value elu(Value x, double alpha) {
        return x.graph().numbered(new Elementwise.Elu(alpha), x);
    }

    /**
     * {@code λ·x} where positive, else {@code λ·α·(exp(x) - 1)} with λ = 1.0507… and α = 1.6732…, under which activations
     * stay near mean 0 and variance 1 (Klambauer et al. 2017).
     */
    public static Value selu(Value x) {
        return scale(elu(x, 1.6732632423543772848170429916717), 1.0507009873554804934193349852946);
    }

    /** {@code x·Φ(x) = x·(1 + erf(x/√2))/2} (Hendrycks and Gimpel 2016). */
    public static Value gelu(Value x) {
        return new Gelu().of(x);
    }

    /** The approximation of {@link #gelu} {@code x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2} (there, section 2). */
    public static Value geluTanh(Value x) {
        Value curve = multiply(x, shift(scale(square(x), 0.044715), 1));
        return multiply(scale(x, 0.5), shift(tanh(scale(curve, Math.sqrt(2 / Math.PI))), 1));
    }

    /** {@code x·sigmoid(x)}, also called swish (Elfwing et al. 2018; Ramachandran et al. 2017). */
    public static Value silu(Value x) {
        return multiply(x, sigmoid(x));
    }

    /** {@code x·tanh(softplus(x))} (Misra 2019). */
    public static Value mish(Value x) {
        return multiply(x, tanh(softplus(x)));
    }

    /** {@code x / (1 + |x|)}. */
    public static Value softsign(Value x) {
        return divide(x, shift(abs(x), 1));
    }

    /** {@code max(-1, min(1, x))}, with gradient 0 at the bounds, where that of {@link #clip} is 1. */
    public static Value hardTanh(Value x) {
        return maximum(x.graph().constant(-1), minimum(x.graph().constant(1), x));
    }

    /** {@code min(max(x, 0), 6)}, with gradient 0 at the bounds (Krizhevsky 2010). */
    public static Value relu6(Value x) {
        return minimum(x.graph().constant(6), relu(x));
    }

    /** Hyperbolic tangent. */
    public static Value tanh(Value x) {
        return unary(Function.TANH, x);
    }

    /** {@code 1 / (1 + exp(-x))}. */
    public static Value sigmoid(Value x) {
        return unary(Function.SIGMOID, x);
    }

    /** {@code log(1 + exp(x))}, without overflow. */
    public static Value softplus(Value x) {
        return unary(Function.SOFTPLUS, x);
    }

    /** {@code log(sigmoid(x)) = -softplus(-x)}, without overflow. */
    public static Value logSigmoid(Value x) {
        return negate(softplus(negate(x)));
    }

    /** {@code exp(x)}. */
    public static Value exp(Value x) {
        return unary(Function.EXP, x);
    }

    /** Natural logarithm. */
    public static Value log(Value x) {
        return unary(Function.LOG, x);
    }

    /** Square root. Its gradient at 0 is infinite. */
    public static Value sqrt(Value x) {
        return unary(Function.SQRT, x);
    }

    /** {@code x²}. */
    public static Value square(Value x) {
        return unary(Function.SQUARE, x);
    }

    /** {@code |x|}, with gradient 0 at 0. */
    public static Value abs(Value x) {
        return unary(Function.ABS, x);
    }

    /** Sine of radians. */
    public static Value sin(Value x) {
        return unary(Function.SIN, x);
    }

    /** Cosine of radians. */
    public static Value cos(Value x) {
        return unary(Function.COS, x);
    }

    /** The error function {@code 2/√π ∫ exp(-t²) dt} from 0 to x. */
    public static Value erf(Value x) {
        return unary(Function.ERF, x);
    }

    /** 1 where {@code x > 0}, else 0; no gradient. */
    public static Value step(Value x) {
        return unary(Function.STEP, x);
    }

    /** -1, 0 or 1; no gradient. */
    public static Value sign(Value x) {
        return unary(Function.SIGN, x);
    }

    /** {@code factor·x}. */
    public static Value scale(Value x, double factor) {
        return x.graph().numbered(new Elementwise.Scalar(factor, 0), x);
    }

    /** {@code x + term}. */
    public static Value shift(Value x, double term) {
        return x.graph().numbered(new Elementwise.Scalar(1, term), x);
    }

    /** {@code a + b}; as in all functions of two values, extents are aligned at the end and 1 is repeated. */
    public static Value add(Value a, Value b) {
        return binary(Pair.ADD, a, b);
    }

    /** {@code a - b}. */
    public static Value subtract(Value a, Value b) {
        return binary(Pair.SUBTRACT, a, b);
    }

    /** {@code a·b}, element by element. */
    public static Value multiply(Value a, Value b) {
        return binary(Pair.MULTIPLY, a, b);
    }

    /** {@code a / b}. */
    public static Value divide(Value a, Value b) {
        return binary(Pair.DIVIDE, a, b);
    }

    /** The larger of two, element by element; where they are equal the gradient goes to {@code a}. */
    public static Value maximum(Value a, Value b) {
        return binary(Pair.MAXIMUM, a, b);
    }

    /** The smaller of two, element by element; where they are equal the gradient goes to {@code a}. */
    public static Value minimum(Value a, Value b) {
        return binary(Pair.MINIMUM, a, b);
    }

    /** 1 where equal, else 0; no gradient. */
    public static Value equal(Value a, Value b) {
        return binary(Pair.EQUAL, a, b);
    }

    /** 1 where {@code a > b}, else 0; no gradient. */
    public static Value greater(Value a, Value b) {
        return binary(Pair.GREATER, a, b);
    }

    /**
     * {@code a} where the condition is not 0, else {@code b}; extents are aligned as in functions of two values. An
     * element that is not taken may be infinite without affecting the value. Its gradient is 0, and 0 times an infinite
     * slope further back is NaN: {@code where(w > 0, log(w), w)} at 0 needs {@code log(where(w > 0, w, 1))}.
     */
    public static Value where(Value condition, Value a, Value b) {
        return condition.graph().numbered(new Elementwise.Where(), condition, a, b);
    }

    /**
     * The nearest number in {@code [low, high]}; gradient 1 within, the bounds included, else 0.
     *
     * @throws IllegalArgumentException unless low is at most high
     */
    public static Value clip(Value x, double low, double high) {
        return x.graph().numbered(new Elementwise.Clip(low, high), x);
    }

    /** Returns the same values, through which no gradient flows. */
    public static Value stopGradient(Value x) {
        return x.graph().numbered(new Elementwise.StopGradient(), x);
    }

    /**
     * The straight-through estimator (Bengio et al. 2013): the values of {@code hard}, and the gradient of {@code soft}. For
     * example {@code straightThrough(step(x), sigmoid(x))}.
     */
    public static Value straightThrough(Value hard, Value soft) {
        return add(stopGradient(hard), subtract(soft, stopGradient(soft)));
    }

    /** The mean of every element of every row: one number. */
    public static Value mean(Value x) {
        return x.graph().numbered(new Reduce(How.MEAN, Reduce.ALL), x);
    }

    /** The mean along one axis of each row; the result lacks this axis. */
    public static Value mean(Value x, int axis) {
        return along(How.MEAN, x, axis);
    }

    /** The sum of every element of every row: one number. */
    public static Value sum(Value x) {
        return x.graph().numbered(new Reduce(How.SUM, Reduce.ALL), x);
    }

    /** The sum along one axis of each row; the result lacks this axis. */
    public static Value sum(Value x, int axis) {
        return along(How.SUM, x, axis);
    }

    /** The maximum along one axis of each row; the result lacks this axis. Equal maxima share the gradient. */
    public static Value max(Value x, int axis) {
        return along(How.MAX, x, axis);
    }

    /** The minimum along one axis of each row; the result lacks this axis. Equal minima share the gradient. */
    public static Value min(Value x, int axis) {
        return negate(max(negate(x), axis));
    }

    /** {@code log sum exp(x)} along one axis of each row, without overflow; the result lacks this axis. */
    public static Value logSumExp(Value x, int axis) {
        Value largest = finite(stopGradient(max(x, axis)));
        return add(log(sum(exp(subtract(x, Reduction.kept(largest, axis))), axis)), largest);
    }

    /** Infinite elements as the largest finite ones of their type, of the same sign. */
    public static Value finite(Value x) {
        return clip(x, -x.type().largest(), x.type().largest());
    }

    /** The sum over the rows of a batch, element by element: x (…) of each row gives one (…). */
    public static Value sumOverBatch(Value x) {
        return BatchStatistics.combined(How.SUM, x);
    }

    /** The mean over the rows of a batch, element by element: x (…) of each row gives one (…). */
    public static Value meanOverBatch(Value x) {
        return BatchStatistics.combined(How.MEAN, x);
    }

    /** The maximum over the rows of a batch, element by element. Equal maxima share the gradient. */
    public static Value maxOverBatch(Value x) {
        return BatchStatistics.combined(How.MAX, x);
    }

    /**
     * {@code Σ aᵀ·b} over the rows of a batch: a (p) and b (q) of each row give one (p, q). {@code productOverBatch(x, x)}
     * is the Gram matrix of the features.
     *
     * @throws IllegalArgumentException unless both are batches of vectors
     */
    public static Value productOverBatch(Value a, Value b) {
        return BatchStatistics.product(a, b);
    }

    /** {@link #minibatchStdDev(Value, int, int)} over the whole batch, with one further channel. */
    public static Value minibatchStdDev(Value x) {
        return minibatchStdDev(x, 1, 1);
    }

    /**
     * The minibatch standard deviation, for a discriminator that sees how much rows differ (Karras et al. 2018, section
     * 3; StyleGAN2's layer): x (channels, …) gives (channels + features, …). Row r is in group {@code r mod groups}. Each
     * element's {@code sqrt(variance + 1e-8)} over the rows of a group is averaged over the channels of a feature,
     * channels/features neighbours each, and their pixels.
     *
     * @param groups the number of groups: 64 rows in groups of 4 are 16. The graph does not know the number of rows, so
     *     that StyleGAN2's size of a group is rows/groups. Groups of one row have deviation 1e-4
     * @param features further channels, 1 in the papers
     * @throws IllegalArgumentException if x is no batch, there is no group, or the features do not divide the channels
     */
    public static Value minibatchStdDev(Value x, int groups, int features) {
        return BatchStatistics.deviation(x, groups, features);
    }

    /**
     * Several samples as one, for a packed discriminator (PacGAN; Lin et al. 2018, section 3): each (channels, …), side
     * by side along the channels. The samples of one row must be independent: {@code
     * pack(generator.apply(z1), generator.apply(z2))}, or real rows that hold several.
     *
     * @throws IllegalArgumentException if the shapes differ, or there is no sample
     */
    public static Value pack(Value... samples) {
        for (Value sample : samples) {
            if (!sample.result().equals(samples[0].result())) {
                throw new IllegalArgumentException(
                        "pack needs samples of one shape, got " + samples[0] + " and " + sample);
            }
        }
        return concat(0, samples);
    }

    /**
     * Feature-wise linear modulation (Perez et al. 2018): {@code x·gain + bias}, x (channels, …), gain and bias
     * (channels) of each row or of all. After {@link #instanceNorm(Value)} it is AdaIN (Huang and Belongie 2017).
     *
     * @throws IllegalArgumentException if gain or bias is not one number for each channel
     */
    public static Value film(Value x, Value gain, Value bias) {
        Shape channels = Shape.of(Normalised.channels("film", x));
        if (!gain.shape().equals(channels) || !bias.shape().equals(channels)) {
            throw new IllegalArgumentException(
                    "film: needs a gain and a bias " + channels + " for " + x + ", got " + gain + " and " + bias);
        }
        int[] perChannel = Shape.ones(x.shape().rank()).with(0, channels.size()).extents();
        return add(multiply(x, reshape(gain, perChannel)), reshape(bias, perChannel));
    }

    /** {@code x₀, x₀ + x₁, …} along one axis of each row. */
    public static Value cumulativeSum(Value x, int axis) {
        return x.graph().numbered(new Reduction.CumulativeSum(axis, false), x);
    }

    /** The INT64 index of the largest element along the last axis. */
    public static Value argMax(Value x) {
        return x.graph().numbered(new Reduction.ArgMax(), x);
    }

    /** {@code exp(x) / sum exp(x)} along the last axis. */
    public static Value softmax(Value x) {
        return softmax(x, x.shape().rank() - 1);
    }

    /** {@code exp(x) / sum exp(x)} along one axis of each row. */
    public static Value softmax(Value x, int axis) {
        return x.graph().numbered(new Reduction.Softmax(axis, false), x);
    }

    /** {@code x - log sum exp(x)} along the last axis, without overflow. */
    public static Value logSoftmax(Value x) {
        return logSoftmax(x, x.shape().rank() - 1);
    }

    /** {@code x - log sum exp(x)} along one axis of each row, without overflow. */
    public static Value logSoftmax(Value x, int axis) {
        return x.graph().numbered(new Reduction.Softmax(axis, true), x);
    }

    /**
     * Cross entropy of a Bernoulli's logits (…) with targets (…) in [0, 1], element by element: {@code softplus(x) -
     * target·x}, without overflow.
     */
    public static Value sigmoidCrossEntropy(Value logits, Value target) {
        return subtract(softplus(logits), multiply(target, logits));
    }

    /**
     * Cross entropy of logits (…, n) with the INT64 label (…) of each row, an input of the graph below n: {@code -log
     * softmax(x)[label]}, without overflow.
     */
    public static Value softmaxCrossEntropy(Value logits, Value label) {
        return negate(pick(logSoftmax(logits), label));
    }

    /**
     * The share of rows that are given to another class than their own: {@code 1 - mean(argMax(logits) = label)}, one
     * number in 0..1; no gradient.
     *
     * @param logits (…, n); of equal ones the first counts
     * @param label INT64 (…)
     */
    public static Value errorRate(Value logits, Value label) {
        return shift(scale(mean(equal(argMax(logits), label)), -1), 1);
    }

    /** {@link #instanceNorm(Value, double)} with epsilon 1e-5. */
    public static Value instanceNorm(Value x) {
        return instanceNorm(x, 1e-5);
    }

    /**
     * Each row's channels by themselves (Ulyanov et al. 2016): x (channels, …), {@code (x - mean) / sqrt(variance +
     * epsilon)}, the variance divided by the number of elements.
     *
     * @throws IllegalArgumentException if x has no axis but the channels, or epsilon is not above 0
     */
    public static Value instanceNorm(Value x, double epsilon) {
        return Normalised.instances("instance norm", x, epsilon);
    }

    /**
     * Each pixel's channels by themselves: x (channels, …), {@code x / sqrt(mean(x²) + 1e-8)}, the mean over the channels
     * (Karras et al. 2018, section 4.2).
     */
    public static Value pixelNorm(Value x) {
        Arrangement.checkAxis(x, 0);
        return divide(x, sqrt(shift(Reduction.kept(mean(square(x), 0), 0), 1e-8)));
    }

    /** Each row in another shape of as many elements. */
    public static Value reshape(Value x, int... extents) {
        Shape shape = x.graph().fitting("reshape", () -> Shape.of(extents));
        return x.graph().numbered(new Arrangement.Reshape(shape), x);
    }

    /** Each row as a vector. */
    public static Value flatten(Value x) {
        return reshape(x, x.shape().size());
    }

    /** The values one after the other along an axis of the rows (0 is the first after the batch). */
    public static Value concat(int axis, Value... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("concat needs at least one value");
        }
        return values[0].graph().numbered(new Arrangement.Concat(axis), values);
    }

    /** Elements {@code begin} (included) to {@code end} (excluded) of an axis of the rows. */
    public static Value slice(Value x, int axis, int begin, int end) {
        return x.graph().numbered(new Arrangement.Slice(axis, begin, end), x);
    }

    /** The axes of each row in another order: axis i of the result is axis {@code order[i]} of the input. */
    public static Value transpose(Value x, int... order) {
        return x.graph()
                .numbered(new Arrangement.Transpose(IntStream.of(order).boxed().toList()), x);
    }

    /** {@code before} and {@code after} zeros around an axis of the rows. */
    public static Value pad(Value x, int axis, int before, int after) {
        return x.graph().numbered(new Arrangement.Pad(axis, before, after), x);
    }

    /**
     * Pads the last axes of each row (PyTorch's {@code F.pad} and {@code padding_mode}): {@code pad(image,
     * Padding.REFLECT, 1)} on all sides, {@code pad(image, Padding.REPLICATE, 1, 3, 2, 0)} on the left, right, top and
     * bottom, {@code pad(line, Padding.ZEROS, 2, 0)} for a causal convolution. A negative number crops.
     *
     * @param sides places before and after, of the last axis first; or one number for all axes but the first
     * @throws IllegalArgumentException if the numbers do not fit the axes; or a side is wider than an axis allows, n - 1
     *     places in {@code REFLECT} and n in {@code CIRCULAR}
     */
    public static Value pad(Value x, Padding mode, int... sides) {
        return mode.of(x, sides);
    }

    /** Pads the last axes of each row by a number. Sides and errors are those of {@link #pad(Value, Padding, int...)}. */
    public static Value constantPad(Value x, double number, int... sides) {
        return Padding.constant(x, number, sides);
    }

    /** Each row repeated along its axes of extent 1, to a shape of as many axes. */
    public static Value spread(Value x, int... extents) {
        Shape shape = x.graph().fitting("spread", () -> Shape.of(extents));
        return x.graph().numbered(new Arrangement.Spread(shape, x.batched(), false), x);
    }

    /** One-hot encoding (…, entries) of INT64 indices (…): 1 at the index and 0 elsewhere. */
    public static Value oneHot(Value index, int entries) {
        return index.graph().numbered(new Arrangement.OneHot(entries), index);
    }

    /**
     * The maximum of each window: x (channels, h, w) gives (channels, h', w'). The first of equal maxima gets the gradient.
     */
    public static Value maxPool(Value x, Window kernel) {
        return x.graph().numbered(new Pooling.MaxPool(kernel), x);
    }

    /**
     * The mean of each window: x (channels, h, w) gives (channels, h', w').
     *
     * @param countPadding whether zeros of the padding count as elements of the mean
     *
     * @throws IllegalArgumentException if the window has dilation, groups, or a pad of more than half of it
     */
    public static Value averagePool(Value x, Window kernel, boolean countPadding) {
        return Pooling.averaged(x, kernel, countPadding);
    }

    /**
     * The mean of each window of an adaptive pool: x (channels, h, w) and two extents give (channels, h', w'), x (channels,
     * length) and one give (channels, length'). Window i of n places and o outputs is {@code floor(i·n/o)} to {@code
     * ceil((i+1)·n/o)}, the end not included (PyTorch's {@code AdaptiveAvgPool2d}). An axis is kept by its own extent.
     *
     * @throws IllegalArgumentException if x and the extents do not fit, or an extent is below 1
     */
    public static Value adaptiveAveragePool(Value x, int... extents) {
        return AdaptivePooling.average(x, extents);
    }

    /**
     * The maximum of each window of {@link #adaptiveAveragePool} (PyTorch's {@code AdaptiveMaxPool2d}). The first of
     * equal maxima gets the gradient.
     */
    public static Value adaptiveMaxPool(Value x, int... extents) {
        return AdaptivePooling.max(x, extents);
    }

    /** Taps of a binomial filter, for the filters below: 1, 2, 1 of 3 taps and 1, 3, 3, 1, StyleGAN's, of 4. */
    public static double[] binomial(int taps) {
        return FixedFilters.binomial(taps);
    }

    /**
     * StyleGAN2's {@code upfirdn2d} (Karras et al. 2020, appendix B): each pixel of x (channels, h, w) is followed by
     * {@code up - 1} zeros in both directions, the image padded by zeros, convolved with {@code gain·k·kᵀ/(Σk)²}, and
     * each {@code down}-th pixel kept from the first on. The kernel is turned, as a convolution in mathematics.
     *
     * @param pad left, right, top and bottom; a negative number crops
     * @param taps the filter k of one direction, the same for every channel and not trained
     * @throws IllegalArgumentException if x is no image, a factor is below 1, the taps sum to 0, or do not fit the image
     */
    public static Value upfirdn2d(Value x, int up, int down, int[] pad, double gain, double... taps) {
        return FixedFilters.resampled("upfirdn2d", x, up, down, pad, gain, taps);
    }

    /** A filter that keeps the extents: {@link #upfirdn2d} padded by {@code n/2} before and {@code (n-1)/2} after. */
    public static Value filter2d(Value x, double... taps) {
        int n = taps.length;
        int[] pad = {n / 2, (n - 1) / 2, n / 2, (n - 1) / 2};
        return FixedFilters.resampled("filter2d", x, 1, 1, pad, 1, taps);
    }

    /** Enlarges an image by a factor and filters it: {@link #upfirdn2d} as in StyleGAN2, with gain factor². */
    public static Value upsample2d(Value x, int factor, double... taps) {
        int before = Math.floorDiv(taps.length + factor - 1, 2);
        int after = Math.floorDiv(taps.length - factor, 2);
        int[] pad = {before, after, before, after};
        return FixedFilters.resampled("upsample2d", x, factor, 1, pad, (double) factor * factor, taps);
    }

    /** Filters an image and keeps each factor-th pixel: {@link #upfirdn2d} as in StyleGAN2. */
    public static Value downsample2d(Value x, int factor, double... taps) {
        int before = Math.floorDiv(taps.length - factor + 1, 2);
        int after = Math.floorDiv(taps.length - factor, 2);
        return FixedFilters.resampled("downsample2d", x, 1, factor, new int[] {before, after, before, after}, 1, taps);
    }

    /**
     * Blur pool (Zhang 2019, section 3.2), which makes a strided layer nearly shift-invariant: x (channels, h, w) is
     * padded by {@code (n-1)/2} before and {@code n/2} after and filtered by {@code k·kᵀ/(Σk)²} with a stride, which gives
     * (channels, ceil(h/stride), ceil(w/stride)). {@code blurPool(relu(conv(…)), 2, Padding.REFLECT, binomial(3))}.
     *
     * @param taps the filter k of one direction, n taps
     * @throws IllegalArgumentException if x is no image, the taps sum to 0, or the image is too small for the padding
     */
    public static Value blurPool(Value x, int stride, Padding padding, double... taps) {
        return FixedFilters.pooled("blur pool", x, stride, padding, taps);
    }

    /** The mean of each channel: x (channels, …) gives (channels) (Lin et al. 2013, section 3.2). */
    public static Value globalAveragePool(Value x) {
        Arrangement.checkAxis(x, 0);
        int channels = x.shape().get(0);
        return mean(reshape(x, channels, x.shape().size() / channels), 1);
    }

    /**
     * Repeats each pixel {@code factor}×{@code factor} times: x (channels, h, w) gives (channels, factor·h, factor·w).
     *
     * @throws IllegalArgumentException if x is not an image, or the factor below 1
     */
    public static Value upsampleNearest(Value x, int factor) {
        return Pooling.nearest(x, factor);
    }

    /**
     * Linear interpolation in both directions: x (channels, h, w) gives (channels, factor·h, factor·w), pixel o at
     * {@code (o + 1/2)/factor - 1/2} of the input, kept within it (PyTorch's {@code bilinear} with {@code
     * align_corners=False}).
     *
     * @throws IllegalArgumentException if x is not an image, or the factor below 1
     */
    public static Value upsampleBilinear(Value x, int factor) {
        return Pooling.bilinear(x, factor);
    }

    /**
     * Channels as pixels: x (channels·factor², h, w) gives (channels, factor·h, factor·w), where channel {@code
     * (c·factor + i)·factor + j} holds the pixels at row i and column j of each factor×factor square of channel c (Shi et
     * al. 2016).
     *
     * @throws IllegalArgumentException if x is not an image, or factor² does not divide its channels
     */
    public static Value pixelShuffle(Value x, int factor) {
        return Pooling.shuffled(x, factor);
    }

    /** Takes from each row (…, n) the element at an INT64 index (…). */
    public static Value pick(Value x, Value index) {
        return x.graph().numbered(new Arrangement.Pick(), x, index);
    }

    /**
     * Products of matrices (…, m, k) and (…, k, n): (…, m, n). Leading axes and the batch are broadcast, as in NumPy.
     *
     * @throws IllegalArgumentException if a value has fewer than two axes, or they do not fit
     */
    public static Value matmul(Value a, Value b) {
        return Matmul.of(a, b, false);
    }

    /** {@link #matmul} of matrices (…, m, k) and (…, n, k), the right ones transposed. */
    public static Value matmulTransposed(Value a, Value b) {
        return Matmul.of(a, b, true);
    }

    /**
     * Elements at INT64 indices along an axis: {@code y[…, i, …] = x[…, index[…, i, …], …]}, as PyTorch's {@code gather}
     * and NumPy's {@code take_along_axis}. Indices have at most the extents of x except along the axis, and are below its
     * extent.
     */
    public static Value gather(Value x, int axis, Value index) {
        return Gathering.gathered(x, axis, index);
    }

    /** The same elements for all places: {@code y[…, i, …] = x[…, index[i], …]} of indices (k), as {@code index_select}. */
    public static Value indexSelect(Value x, int axis, Value index) {
        return gather(x, axis, Gathering.along(index, axis, x));
    }

    /**
     * {@code y = x}, to which each element of a source is added at its INT64 index along an axis; those of one place add
     * up. The source may have smaller extents than x.
     */
    public static Value scatterAdd(Value x, int axis, Value index, Value source) {
        return add(x, Gathering.scattered(x, axis, index, source));
    }

    /** {@code y = x}, to which whole slices of a source are added at indices (k) along an axis, as {@code index_add}. */
    public static Value indexAdd(Value x, int axis, Value index, Value source) {
        return scatterAdd(x, axis, Gathering.along(index, axis, source), source);
    }

    /**
     * {@code y = x}, where elements of a source take the places of others at their INT64 indices along an axis. No two
     * may have one place; the source may have smaller extents than x.
     */
    public static Value scatter(Value x, int axis, Value index, Value source) {
        Value ones = spread(
                reshape(x.graph().constant(1), Shape.ones(source.shape().rank()).extents()),
                source.shape().extents());
        ones = source.batched() ? spreadToRows(ones) : ones;
        return where(Gathering.scattered(x, axis, index, ones), Gathering.scattered(x, axis, index, source), x);
    }

    /** The value for each row of a batch: itself if it is of each row already. */
    public static Value spreadToRows(Value x) {
        return x.batched() ? x : x.graph().numbered(new Arrangement.Spread(x.shape(), true, false), x);
    }

    /** The INT64 indices that sort an axis, the first of equals first; NaN is the largest. */
    public static Value argSort(Value x, int axis, boolean descending) {
        return x.graph().numbered(new Reduction.ArgSort(axis, descending), x);
    }

    /** The elements in order along an axis. */
    public static Value sort(Value x, int axis, boolean descending) {
        return gather(x, axis, argSort(x, axis, descending));
    }

    /** The INT64 indices of the k largest elements along an axis, the largest first. */
    public static Value topK(Value x, int axis, int k) {
        return slice(argSort(x, axis, true), axis, 0, k);
    }

    /** Takes from each row (…, n) the elements at INT64 indices (…, k): (…, k). */
    public static Value gather(Value x, Value index) {
        return gather(x, x.shape().rank() - 1, index);
    }

    /**
     * Inverted dropout: in TRAIN programs zero with probability {@code rate}, else times 1/(1 - rate).
     *
     * @throws IllegalArgumentException if the rate is not in [0, 1), or x is not of rows of a batch
     */
    public static Value dropout(String name, Value x, double rate) {
        Graph graph = x.graph();
        graph.fitting(name, () -> {
            Operator.require(x.batched(), "dropout needs rows of a batch, got " + x);
            return x.shape();
        });
        Value mask = graph.noise(name + "_mask", x.shape(), new Leaf.Distribution.Mask(rate), Leaf.Redraw.EACH_TURN);
        return graph.named(name, new Elementwise.Dropout(rate), x, mask);
    }

    private static Value unary(Function function, Value x) {
        return x.graph().numbered(new Unary(function), x);
    }

    private static Value binary(Pair pair, Value a, Value b) {
        return a.graph().numbered(new Binary(pair), a, b);
    }

    private static Value along(How how, Value x, int axis) {
        Arrangement.checkAxis(x, axis);
        return x.graph().numbered(new Reduce(how, axis), x);
    }
}
