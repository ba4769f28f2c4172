package hocket.programs;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.step;

import hocket.programs.layers.Padding;
import hocket.programs.layers.ReparametrisedWeight;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Elementwise.Binary;
import hocket.programs.operators.Elementwise.Pair;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Normalised;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Layers with parameters, for static import: each has a name, under which its parameters are, in the scope that is open
 * in its argument's graph. Shapes are of one row.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Network<Value, Value> encoder = graph.module("encoder", x -> {
 *     Value h = leakyRelu(conv("conv1", x, 32, kernel(4).stride(2).pad(1)), 0.2);
 *     return dense("out", flatten(batchNorm("bn", h)), 8);
 * });
 * }</pre>
 */
public final class Layers {
    private Layers() {}

    /** {@code x·Wᵀ + b}: x (…, in) gives (…, units). Parameters {@code weight (units, in)}, {@code bias (units)}. */
    public static Value dense(String name, Value x, int units) {
        return dense(name, x, units, Weights.standard());
    }

    /** Builds a dense layer with these initialisers, or without a bias. */
    public static Value dense(String name, Value x, int units, Weights weights) {
        if (x.shape().rank() < 1) {
            throw new IllegalArgumentException(name + ": dense needs rows of at least one axis, input is " + x);
        }
        int in = x.shape().get(-1);
        Shape shape = shape(x, name, () -> x.shape().with(-1, units), units, in);
        Value weight = weight(x, name, shape, 1, new Fan(in, units), weights.weight());
        Value used = new ReparametrisedWeight(name, weight, 0).by(weights.use());
        return x.graph().named(name, new Products.Dense(), operands(name, x, used, units, weights));
    }

    /**
     * 2-D convolution: x (channels, h, w) gives (filters, h', w'). Parameters {@code weight (filters, channels/groups,
     * kh, kw)}, {@code bias (filters)}.
     */
    public static Value conv(String name, Value x, int filters, Window kernel) {
        int channels = channels(name, x, 3, kernel, filters);
        int height = kernel.size().get(0);
        int width = kernel.size().get(1);
        Shape shape = shape(
                x,
                name,
                () -> Products.windows(x, kernel, filters),
                filters,
                channels / kernel.groups(),
                height,
                width);
        Value weight = weight(x, name, shape, 1, channels, filters, kernel);
        Value used =
                new ReparametrisedWeight(name, weight, 0).by(kernel.weights().use());
        Operator operator = new Products.Convolution(kernel);
        return x.graph().named(name, operator, operands(name, x, used, filters, kernel.weights()));
    }

    /**
     * A convolution whose padding is not of zeros, PyTorch's {@code padding_mode}: {@code conv("c", x, 64,
     * kernel(3).pad(1), Padding.REFLECT)}.
     *
     * @throws IllegalArgumentException as {@link Operators#pad(Value, Padding, int...)}, or if x is no image
     */
    public static Value conv(String name, Value x, int filters, Window kernel, Padding padding) {
        channels(name, x, 3, kernel, filters);
        int vertical = kernel.pad().get(0);
        int horizontal = kernel.pad().get(1);
        return conv(name, padding.of(name, x, horizontal, horizontal, vertical, vertical), filters, kernel.pad(0));
    }

    /**
     * Depthwise convolution: each of the channels of x (channels, h, w) is filtered by itself, {@code multiplier} times:
     * output channel o reads input channel {@code o / multiplier}. Parameters {@code weight (channels·multiplier, 1, kh,
     * kw)}, {@code bias (channels·multiplier)}.
     *
     * @throws IllegalArgumentException if x is no image, the kernel has groups, or the multiplier is below 1
     */
    public static Value depthwiseConv(String name, Value x, int multiplier, Window kernel) {
        channels(name, x, 3, kernel.groups(1), 1);
        if (kernel.groups() != 1 || multiplier < 1) {
            throw new IllegalArgumentException(name + ": a depthwise convolution has a group for each channel and a"
                    + " multiplier of at least 1, got " + kernel + " and multiplier " + multiplier);
        }
        int channels = x.shape().get(0);
        return conv(name, x, channels * multiplier, kernel.groups(channels)).as("depthwise_conv");
    }

    /**
     * Depthwise separable convolution (Howard et al. 2017, section 3.1): a {@link #depthwiseConv depthwise} one with the
     * kernel, then a 1×1 one. x (channels, h, w) gives (filters, h', w'). Parameters {@code depthwise/weight (channels,
     * 1, kh, kw)}, {@code depthwise/bias (channels)}, {@code pointwise/weight (filters, channels, 1, 1)}, {@code
     * pointwise/bias (filters)}.
     */
    public static Value separableConv(String name, Value x, int filters, Window kernel) {
        return separableConv(name, x, filters, kernel, h -> h);
    }

    /**
     * Builds a separable convolution with a normalisation or activation between its two convolutions.
     *
     * @param between what becomes of the depthwise convolution's output; its layers are named in the layer's scope
     */
    public static Value separableConv(String name, Value x, int filters, Window kernel, UnaryOperator<Value> between) {
        channels(name, x, 3, kernel.groups(1), filters);
        Graph graph = x.graph();
        Value y;
        try (Scope<Value> scope = graph.scope(name)) {
            Value depthwise = between.apply(depthwiseConv("depthwise", x, 1, kernel));
            y = conv("pointwise", depthwise, filters, kernel(1).weights(kernel.weights()));
        }
        return graph.name(name, y).as("separable_conv");
    }

    /**
     * 2-D transposed convolution: x (channels, h, w) gives (filters, h', w'). Parameters {@code weight (channels,
     * filters/groups, kh, kw)}, {@code bias (filters)}.
     */
    public static Value convTranspose(String name, Value x, int filters, Window kernel) {
        int channels = channels(name, x, 3, kernel, filters);
        int height = kernel.size().get(0);
        int width = kernel.size().get(1);
        Shape shape = shape(
                x, name, () -> Products.spread(x, kernel, filters), channels, filters / kernel.groups(), height, width);
        Value weight = weight(x, name, shape, 0, channels, filters, kernel);
        ReparametrisedWeight used = new ReparametrisedWeight(name, weight, kernel.groups());
        Value taken = used.transposed(kernel.weights().use());
        return transposed(
                        used,
                        x,
                        taken,
                        filters,
                        kernel,
                        (last, inputs) -> x.graph().named(name, last, inputs))
                .as("conv_transpose");
    }

    /**
     * 1-D convolution: x (channels, length) gives (filters, length'). Of the kernel the horizontal settings count, {@code
     * kernel(3).pad(1)}. Parameters {@code weight (filters, channels/groups, k)}, {@code bias (filters)}.
     */
    public static Value conv1d(String name, Value x, int filters, Window kernel) {
        Window line = line(kernel);
        int channels = channels(name, x, 2, line, filters);
        int size = line.size().get(1);
        Value image = row(x);
        Shape shape =
                shape(x, name, () -> Products.windows(image, line, filters), filters, channels / line.groups(), size);
        Value weight = weight(x, name, shape, 1, channels, filters, line);
        Value used =
                row(new ReparametrisedWeight(name, weight, 0).by(line.weights().use()));
        Graph graph = x.graph();
        Operator operator = new Products.Convolution(line);
        Value windows = graph.numbered(operator, operands(name, image, used, filters, line.weights()));
        return graph.named(name, withoutRow(windows), windows).as("conv1d");
    }

    /** A 1-D convolution whose padding is not of zeros. Throws as {@link #conv(String, Value, int, Window, Padding)}. */
    public static Value conv1d(String name, Value x, int filters, Window kernel, Padding padding) {
        channels(name, x, 2, line(kernel), filters);
        int pad = kernel.pad().get(1);
        return conv1d(name, padding.of(name, x, pad, pad), filters, kernel.pad(0));
    }

    /**
     * 1-D transposed convolution: x (channels, length) gives (filters, length'). Of the kernel the horizontal settings
     * count. Parameters {@code weight (channels, filters/groups, k)}, {@code bias (filters)}.
     */
    public static Value convTranspose1d(String name, Value x, int filters, Window kernel) {
        Window line = line(kernel);
        int channels = channels(name, x, 2, line, filters);
        Value image = row(x);
        Shape shape = shape(
                x,
                name,
                () -> Products.spread(image, line, filters),
                channels,
                filters / line.groups(),
                line.size().get(1));
        Value weight = weight(x, name, shape, 0, channels, filters, line);
        Graph graph = x.graph();
        ReparametrisedWeight used = new ReparametrisedWeight(name, weight, line.groups());
        Value taken = row(used.transposed(line.weights().use()));
        Value spread = transposed(used, image, taken, filters, line, graph::numbered);
        return graph.named(name, withoutRow(spread), spread).as("conv_transpose1d");
    }

    /** A window of {@code size}×{@code size}, stride 1, without padding. */
    public static Window kernel(int size) {
        return Window.of(size, size);
    }

    /** A window of {@code vertical}×{@code horizontal}, stride 1, without padding. */
    public static Window kernel(int vertical, int horizontal) {
        return Window.of(vertical, horizontal);
    }

    /** {@link BatchNorm} with epsilon 1e-5 and momentum 0.1. */
    public static Value batchNorm(String name, Value x) {
        return batchNorm(name, x, normalisation());
    }

    /**
     * {@link BatchNorm} with these settings. Parameters {@code scale}, {@code shift} (channels), initially 1 and 0, and
     * running statistics {@code mean}, {@code variance} (channels), initially 0 and 1.
     *
     * <p>Without scale and shift ({@code normalisation().affine(false)}) the running statistics are updated by the turns
     * that update the weight before the layer: the nearest one that x is made of, in the same module if there is one, and not
     * beyond a {@code stopGradient}.
     *
     * @throws IllegalArgumentException if x has no channels, or there is no weight before a norm without scale and shift
     */
    public static Value batchNorm(String name, Value x, Normalisation settings) {
        if (x.shape().rank() < 1) {
            throw new IllegalArgumentException(name + ": batch norm needs rows (channels, …), input is " + x);
        }
        Graph graph = x.graph();
        Shape channels = Shape.of(x.shape().get(0));
        if (!settings.affine) {
            Value owner = BatchNorm.nearestWeight(x, graph.module())
                    .orElseThrow(
                            () -> new IllegalArgumentException(name + ": a batch norm without scale and shift needs"
                                    + " a weight before it, whose turns update its running statistics, input is " + x));
            return normalised(name, x, settings, constant(x, channels, 1), constant(x, channels, 0), owner);
        }
        Value scale = declare(graph, name + "/scale", channels, Fan.NONE, settings.scale, Kind.WEIGHT);
        Value shift = declare(graph, name + "/shift", channels, Fan.NONE, Initialiser.zeros(), Kind.WEIGHT);
        return normalised(name, x, settings, scale, shift);
    }

    private static Value constant(Value x, Shape shape, double value) {
        return x.graph().constant(Tensor.filled(shape, x.type(), value));
    }

    /**
     * A batch norm with these running statistics.
     *
     * @param affine scale, shift and where these are no parameters the owner
     */
    private static Value normalised(String name, Value x, Normalisation settings, Value... affine) {
        Graph graph = x.graph();
        Shape channels = Shape.of(x.shape().get(0));
        Value mean = declare(graph, name + "/mean", channels, Fan.NONE, Initialiser.zeros(), Kind.RUNNING_STATISTIC);
        Value variance =
                declare(graph, name + "/variance", channels, Fan.NONE, Initialiser.constant(1), Kind.RUNNING_STATISTIC);
        List<Value> inputs = new ArrayList<>(List.of(x, affine[0], affine[1], mean, variance));
        inputs.addAll(List.of(affine).subList(2, affine.length));
        BatchNorm norm = new BatchNorm(settings.epsilon, settings.momentum, settings.frozen);
        return graph.named(name, norm, inputs.toArray(Value[]::new));
    }

    /** Epsilon 1e-5, momentum 0.1, scale beginning as 1. */
    public static Normalisation normalisation() {
        return new Normalisation(1e-5, 0.1, false, Initialiser.constant(1), true);
    }

    /**
     * Settings of a batch norm.
     *
     * @param epsilon added to the variance
     * @param momentum weight of the new batch in the running statistics
     * @param frozen whether TRAIN programs too normalise by the running statistics, and leave them
     * @param scale initialiser of the scale
     * @param affine whether there are a scale and a shift
     */
    public record Normalisation(double epsilon, double momentum, boolean frozen, Initialiser scale, boolean affine)
            implements NormalisationCopies {
        public Normalisation {
            if (!(epsilon > 0) || !(momentum >= 0 && momentum <= 1)) {
                throw new IllegalArgumentException("batch norm: epsilon must be above 0 and momentum in [0, 1], got "
                        + epsilon + " and " + momentum);
            }
        }

        public Normalisation frozenStatistics() {
            return new Normalisation(epsilon, momentum, true, scale, affine);
        }
    }

    /**
     * {@link #conditionalBatchNorm(String, Value, Value, int, Weights, Normalisation)} with tables of zeros, so that it
     * begins as a batch norm.
     */
    public static Value conditionalBatchNorm(String name, Value x, Value label, int classes) {
        return conditionalBatchNorm(name, x, label, classes, Weights.weights(Initialiser.zeros()), normalisation());
    }

    /**
     * Batch norm with a gain and a bias for each class (de Vries et al. 2017; StudioGAN's {@code
     * ConditionalBatchNorm2d}): x (channels, …) and INT64 label () give {@code (x - mean) / sqrt(variance + epsilon) · (1
     * + gain[label]) + bias[label]}, with the moments of the whole batch. Parameters {@code gain/table}, {@code
     * bias/table} (classes, channels); running statistics {@code mean}, {@code variance} (channels), which the turns that
     * update the gain update too.
     *
     * @param weights initialiser and normalisation of both tables
     * @param settings those of the batch norm, whose scale is not used
     * @throws IllegalArgumentException if x has no channels or the label is no index below the classes
     */
    public static Value conditionalBatchNorm(
            String name, Value x, Value label, int classes, Weights weights, Normalisation settings) {
        int channels = Normalised.channels(name, x);
        return conditional(name, x, settings, part -> embedding(part, label, classes, channels, weights));
    }

    /**
     * Batch norm with a gain and a bias by linear maps of a condition, such as BigGAN's embedding of the class (Brock et
     * al. 2019, section 3): as {@link #conditionalBatchNorm(String, Value, Value, int, Weights, Normalisation)}, with
     * the condition (features) times {@code gain/weight}, {@code bias/weight} (channels, features).
     *
     * @param weights initialiser and normalisation of both maps, which have no bias
     */
    public static Value conditionalBatchNorm(
            String name, Value x, Value condition, Weights weights, Normalisation settings) {
        int channels = Normalised.channels(name, x);
        Weights map = weights.withoutBias();
        return conditional(name, x, settings, part -> dense(part, condition, channels, map));
    }

    private static Value conditional(String name, Value x, Normalisation settings, Function<String, Value> parts) {
        Graph graph = x.graph();
        Value gain;
        Value bias;
        try (Scope<Value> scope = graph.scope(name)) {
            gain = parts.apply("gain");
            bias = parts.apply("bias");
        }
        Value owner = graph.declared(name + "/gain/table")
                .or(() -> graph.declared(name + "/gain/weight"))
                .orElseThrow();
        return normalised(name, x, settings, shift(gain, 1), bias, owner).as("conditional_batch_norm");
    }

    /** {@link #layerNorm(String, Value, int, double)} over the last axis with epsilon 1e-5. */
    public static Value layerNorm(String name, Value x) {
        return layerNorm(name, x, 1, 1e-5);
    }

    /**
     * Normalises each row over its last axes (Ba et al. 2016): {@code (x - mean) / sqrt(variance + epsilon) · scale +
     * shift}, the variance divided by the number of elements. Parameters {@code scale}, {@code shift} of the extents of
     * these axes, initially 1 and 0.
     *
     * @param axes the number of last axes
     * @throws IllegalArgumentException if x has fewer axes, or none is asked for, or epsilon is not above 0
     */
    public static Value layerNorm(String name, Value x, int axes, double epsilon) {
        Shape shape = last(name, x, axes);
        Value standard = Normalised.standardised(name, x, x.shape().size() / shape.size(), epsilon);
        return affine(name, standard, shape, shape).as("layer_norm");
    }

    /** {@link #groupNorm(String, Value, int, double)} with epsilon 1e-5. */
    public static Value groupNorm(String name, Value x, int groups) {
        return groupNorm(name, x, groups, 1e-5);
    }

    /**
     * Normalises each group of neighbouring channels of a row (Wu and He 2018): x (channels, …), {@code (x - mean) /
     * sqrt(variance + epsilon) · scale + shift}. Parameters {@code scale}, {@code shift} (channels), initially 1 and 0.
     *
     * @throws IllegalArgumentException if the groups do not divide the channels, or epsilon is not above 0
     */
    public static Value groupNorm(String name, Value x, int groups, double epsilon) {
        int channels = Normalised.channels(name, x);
        if (groups < 1 || channels % groups != 0) {
            throw new IllegalArgumentException(
                    name + ": " + groups + " groups must divide " + channels + " channels, input is " + x);
        }
        return affine(name, Normalised.standardised(name, x, groups, epsilon), Shape.of(channels), perChannel(x))
                .as("group_norm");
    }

    /** {@link #instanceNorm(String, Value, double)} with epsilon 1e-5. */
    public static Value instanceNorm(String name, Value x) {
        return instanceNorm(name, x, 1e-5);
    }

    /**
     * Normalises each row's channels separately (Ulyanov et al. 2016): {@link Operators#instanceNorm} with parameters
     * {@code scale}, {@code shift} (channels), initially 1 and 0. x (channels, …).
     *
     * @throws IllegalArgumentException if x has no axis but the channels, or epsilon is not above 0
     */
    public static Value instanceNorm(String name, Value x, double epsilon) {
        int channels = Normalised.channels(name, x);
        return affine(name, Normalised.instances(name, x, epsilon), Shape.of(channels), perChannel(x))
                .as("instance_norm");
    }

    /** {@link #rmsNorm(String, Value, int, double)} over the last axis with epsilon 1e-6. */
    public static Value rmsNorm(String name, Value x) {
        return rmsNorm(name, x, 1, 1e-6);
    }

    /**
     * {@code x / sqrt(mean(x²) + epsilon) · scale} over the last axes (Zhang and Sennrich 2019). Parameter {@code
     * scale} of the extents of these axes, initially 1.
     *
     * @param axes how many of the last axes are normalised over
     * @throws IllegalArgumentException if x has fewer axes, or none is asked for, or epsilon is not above 0
     */
    public static Value rmsNorm(String name, Value x, int axes, double epsilon) {
        Shape shape = last(name, x, axes);
        Value rows = Normalised.ofRootMeanSquare(name, x, x.shape().size() / shape.size(), epsilon);
        Value scale = declare(x.graph(), name + "/scale", shape, Fan.NONE, Initialiser.constant(1), Kind.WEIGHT);
        return x.graph().named(name, new Binary(Pair.MULTIPLY), rows, scale).as("rms_norm");
    }

    /** The scale and shift parameters of a normalisation, declared in one shape and read in another. */
    private static Value affine(String name, Value x, Shape shape, Shape aligned) {
        Graph graph = x.graph();
        Value scale = declare(graph, name + "/scale", shape, Fan.NONE, Initialiser.constant(1), Kind.WEIGHT);
        Value shift = declare(graph, name + "/shift", shape, Fan.NONE, Initialiser.zeros(), Kind.WEIGHT);
        Value scaled = multiply(x, reshape(scale, aligned.extents()));
        return graph.named(name, new Binary(Pair.ADD), scaled, reshape(shift, aligned.extents()));
    }

    /** The extents of the last axes. */
    private static Shape last(String name, Value x, int axes) {
        int rank = x.shape().rank();
        if (axes < 1 || axes > rank) {
            throw new IllegalArgumentException(
                    name + ": cannot normalise over the last " + axes + " axes, input is " + x);
        }
        return Shape.of(Arrays.copyOfRange(x.shape().extents(), rank - axes, rank));
    }

    /** The extents of one number a channel of x (channels, …). */
    private static Shape perChannel(Value x) {
        return Shape.ones(x.shape().rank()).with(0, x.shape().get(0));
    }

    /**
     * {@code x} where positive, else {@code slope·x} with a slope a channel (He et al. 2015): x (channels, …).
     * Parameter {@code slope (channels)}, initially 0.25.
     */
    public static Value prelu(String name, Value x) {
        Shape channels = Shape.of(Normalised.channels(name, x));
        Value slope = declare(x.graph(), name + "/slope", channels, Fan.NONE, Initialiser.constant(0.25), Kind.WEIGHT);
        Value sloped = multiply(x, reshape(slope, perChannel(x).extents()));
        return x.graph()
                .named(name, new Elementwise.Where(), step(x), x, sloped)
                .as("prelu");
    }

    /**
     * {@code body(x) + x} (He et al. 2016), the body in a scope of this name. Where the body changes the shape, x is
     * projected to it by a layer {@code projection} without a bias: images (channels, h, w) by a 1×1 convolution, of that
     * stride at which their extents agree, other rows by a dense layer over the last axis.
     *
     * @throws IllegalArgumentException if the shapes differ in a way that no such projection mends
     */
    public static Value residual(String name, Value x, UnaryOperator<Value> body) {
        return residual(name, x, Weights.standard().withoutBias(), body);
    }

    /**
     * Builds a residual block with other weights of the projection, such as {@code
     * Weights.standard().withoutBias().spectralNorm()}.
     */
    public static Value residual(String name, Value x, Weights projection, UnaryOperator<Value> body) {
        Graph graph = x.graph();
        Value y;
        Value shortcut;
        try (Scope<Value> scope = graph.scope(name)) {
            y = body.apply(x);
            shortcut = projected(name, x, y, projection);
        }
        return graph.named(name, new Binary(Pair.ADD), y, shortcut).as("residual");
    }

    private static Value projected(String name, Value x, Value y, Weights weights) {
        Shape from = x.shape();
        Shape to = y.shape();
        if (from.equals(to)) {
            return x;
        }
        if (from.rank() == 3 && to.rank() == 3) {
            int vertical = stride(from.get(1), to.get(1));
            int horizontal = stride(from.get(2), to.get(2));
            if (vertical > 0 && horizontal > 0) {
                Window kernel = kernel(1).stride(vertical, horizontal).weights(weights);
                return conv("projection", x, to.get(0), kernel);
            }
        } else if (from.rank() > 0
                && to.rank() == from.rank()
                && from.with(-1, to.get(-1)).equals(to)) {
            return dense("projection", x, to.get(-1), weights);
        }
        throw new IllegalArgumentException(
                name + ": no projection takes the input " + x + " to the shape of the body's " + y);
    }

    /** The least stride at which windows of 1 step over that many pixels that many times; 0 where there is none. */
    private static int stride(int pixels, int windows) {
        int stride = (pixels - 1) / windows + 1;
        return (pixels - 1) / stride + 1 == windows ? stride : 0;
    }

    /**
     * Rows of a table of {@code entries}×{@code width}: index (…) INT64, an input of the graph, gives (…, width).
     * Parameter {@code table}, normal of deviation 1.
     */
    public static Value embedding(String name, Value index, int entries, int width) {
        return embedding(name, index, entries, width, Initialiser.normal(1));
    }

    /** Builds an embedding with another initialiser. */
    public static Value embedding(String name, Value index, int entries, int width, Initialiser initialiser) {
        return embedding(name, index, entries, width, Weights.weights(initialiser));
    }

    /**
     * Builds an embedding with this initialiser and normalisation of its table, (entries, width) as (outputs, rest):
     * {@code Weights.weights(Initialiser.normal(1)).spectralNorm()}. It has no bias.
     */
    public static Value embedding(String name, Value index, int entries, int width, Weights weights) {
        Graph graph = index.graph();
        Shape shape = shape(index, name, () -> Products.embedded(index, width), entries, width);
        graph.fitting(name, () -> {
            Operator.require(index.type() == ElementType.INT64, "needs INT64 indices, got " + index);
            return shape;
        });
        Value table = declare(graph, name + "/table", shape, new Fan(entries, width), weights.weight(), Kind.WEIGHT);
        Value used = new ReparametrisedWeight(name, table, 0).by(weights.use());
        return graph.named(name, new Products.Embedding(), index, used);
    }

    /**
     * Builds an embedding in which one index stands for nothing, PyTorch's {@code padding_idx}: its row is read like the
     * others, but gets no gradient.
     *
     * @throws IllegalArgumentException if the table has no such row
     */
    public static Value embedding(String name, Value index, int entries, int width, Weights weights, int padding) {
        if (padding < 0 || padding >= entries) {
            throw new IllegalArgumentException(
                    name + ": the padding index must be from 0 to " + (entries - 1) + ", was " + padding);
        }
        Graph graph = index.graph();
        Value y;
        try (Scope<Value> scope = graph.scope(name)) {
            Value rows = embedding("rows", index, entries, width, weights);
            Value single = graph.constant(Tensor.of(Shape.scalar(), (long) padding));
            Value padded =
                    Reduction.kept(Operators.equal(index, single), index.shape().rank());
            y = Operators.where(padded, Operators.stopGradient(rows), rows);
        }
        return graph.name(name, y).as("embedding");
    }

    /**
     * Scores of all rows of an embedding's table, (…, width) to (…, entries): {@code x·tableᵀ} (Press and Wolf 2017, Using
     * the Output Embedding to Improve Language Models). It has no parameter of its own: the table's gradient is the sum of
     * both uses.
     *
     * @param embedded what {@code embedding} returned
     * @throws IllegalArgumentException if that is not what an embedding returned, or x has another width
     */
    public static Value tied(String name, Value x, Value embedded) {
        Value look = embedded.operator() instanceof Elementwise.Where
                ? embedded.inputs().get(2)
                : embedded; // of one with a padding index
        if (!(look.operator() instanceof Products.Embedding)) {
            throw new IllegalArgumentException(name + ": needs what an embedding returned, got " + embedded);
        }
        Value table = look.inputs().get(1);
        int width = table.shape().get(1);
        if (x.shape().rank() < 1 || x.shape().get(-1) != width) {
            throw new IllegalArgumentException(
                    name + ": the table " + table + " scores rows of " + width + ", input is " + x);
        }
        return x.graph().named(name, new Products.Dense(), x, table).as("tied");
    }

    /**
     * Spectral norm of a weight of your own ({@link Weights.SpectralNorm}), read as (outputs, rest): returns the weight
     * divided by its largest singular value. Running statistics {@code u}, {@code v} under the name.
     *
     * @throws IllegalArgumentException if the weight is no parameter of at least one axis, or there is no iteration
     */
    public static Value spectralNorm(String name, Value weight, int iterations) {
        return reparametrised(name, weight, Weights.standard().spectralNorm(iterations));
    }

    /**
     * Weight norm of a weight of your own along an axis ({@link Weights.WeightNormAlong}). Parameter {@code gain} under
     * the name.
     *
     * @throws IllegalArgumentException if the weight is no parameter that has this axis
     */
    public static Value weightNorm(String name, Value weight, int axis) {
        return reparametrised(name, weight, Weights.standard().weightNorm(axis));
    }

    private static Value reparametrised(String name, Value weight, Weights weights) {
        if (!(weight.operator() instanceof Leaf.Variable) || weight.shape().rank() < 1) {
            throw new IllegalArgumentException(
                    name + ": needs a weight that is a parameter of at least one axis, got " + weight);
        }
        return new ReparametrisedWeight(name, weight, 0).by(weights.use());
    }

    private static int channels(String name, Value x, int rank, Window kernel, int filters) {
        if (x.shape().rank() != rank) {
            throw new IllegalArgumentException(name + ": needs "
                    + (rank == 3 ? "an image (channels, height, width)" : "rows (channels, length)") + ", input is "
                    + x);
        }
        int channels = x.shape().get(0);
        if (channels % kernel.groups() != 0 || filters % kernel.groups() != 0) {
            throw new IllegalArgumentException(name + ": " + kernel.groups() + " groups must divide " + channels
                    + " channels and " + filters + " filters");
        }
        return channels;
    }

    private static Value[] operands(String name, Value x, Value weight, int units, Weights weights) {
        return weights.biased()
                ? new Value[] {x, weight, bias(x.graph(), name, units, weights)}
                : new Value[] {x, weight};
    }

    private static Value bias(Graph graph, String name, int units, Weights weights) {
        return declare(graph, name + "/bias", Shape.of(units), Fan.NONE, weights.bias(), Kind.WEIGHT);
    }

    /** Makes a layer's last value. */
    @FunctionalInterface
    private interface Last {
        Value of(Operator operator, Value... inputs);
    }

    /**
     * A transposed convolution. Multiplies its output in place of its weight, since the engine is fast with the
     * parameter itself only.
     */
    private static Value transposed(
            ReparametrisedWeight used, Value x, Value weight, int filters, Window kernel, Last last) {
        Operator operator = new Products.TransposedConvolution(kernel);
        Weights weights = kernel.weights();
        Optional<Value> factor = used.factor(weights.use());
        if (factor.isEmpty()) {
            return last.of(operator, operands(used.name(), x, weight, filters, weights));
        }
        Value image = x.graph().numbered(operator, x, weight);
        Value by = factor.get().shape().rank() == 0 ? factor.get() : reshape(factor.get(), filters, 1, 1);
        if (!weights.biased()) {
            return last.of(new Binary(Pair.MULTIPLY), image, by);
        }
        Value bias = reshape(bias(x.graph(), used.name(), filters, weights), filters, 1, 1);
        return last.of(new Binary(Pair.ADD), multiply(image, by), bias);
    }

    /** A kernel's horizontal settings, on images of one row. */
    private static Window line(Window kernel) {
        return Window.of(1, kernel.size().get(1))
                .stride(1, kernel.stride().get(1))
                .pad(0, kernel.pad().get(1))
                .dilation(1, kernel.dilation().get(1))
                .outputPad(0, kernel.outputPad().get(1))
                .groups(kernel.groups())
                .weights(kernel.weights());
    }

    /** (…, length) as (…, 1, length). */
    private static Value row(Value x) {
        return Reduction.kept(x, x.shape().rank() - 1);
    }

    /** Returns the shape of a layer's weight. Its result must fit an array too: a layer that is refused declares nothing. */
    private static Shape shape(Value x, String name, Supplier<Shape> result, int... extents) {
        return x.graph().fitting(name, () -> {
            result.get().bytes(x.graph().floatType());
            return Shape.of(extents);
        });
    }

    private static Operator withoutRow(Value image) {
        return new Arrangement.Reshape(
                Shape.of(image.shape().get(0), image.shape().get(2)));
    }

    /**
     * The layer's weight. A module called again with another number of inputs gets the weight it has, so that the
     * operator refuses the input and not the weight.
     */
    /** Returns the weight of a window over a number of channels. */
    private static Value weight(
            Value x, String name, Shape shape, int inAxis, int channels, int filters, Window kernel) {
        int area = kernel.size().get(0) * kernel.size().get(1);
        Fan fan = new Fan(channels / kernel.groups() * area, filters / kernel.groups() * area);
        return weight(x, name, shape, inAxis, fan, kernel.weights().weight());
    }

    private static Value weight(Value x, String name, Shape shape, int inAxis, Fan fan, Initialiser initialiser) {
        Graph graph = x.graph();
        String path = name + "/weight";
        return graph.declared(path)
                .filter(is -> is.shape().rank() == shape.rank()
                        && is.shape().get(inAxis) != shape.get(inAxis)
                        && is.shape().with(inAxis, 1).equals(shape.with(inAxis, 1)))
                .orElseGet(() -> declare(graph, path, shape, fan, initialiser, Kind.WEIGHT));
    }

    public static Value declare(Graph graph, String name, Shape shape, Fan fan, Initialiser initialiser, Kind kind) {
        return graph.parameter(name, (path, type) -> new Declaration(path, shape, type, initialiser, fan, kind));
    }
}
