package hocket.programs;

import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * Layers with parameters, for static import: each has a name of its own, under which its parameters live, in the scope
 * that is open in its argument's graph. Shapes are of one row.
 */
public final class Layers {
    private Layers() {}

    /** {@code x·Wᵀ + b}: x (…, in) gives (…, units). Parameters {@code weight (units, in)}, {@code bias (units)}. */
    public static Value dense(String name, Value x, int units) {
        return dense(name, x, units, Weights.standard());
    }

    /** The same with these initialisers, or without a bias. */
    public static Value dense(String name, Value x, int units, Weights weights) {
        if (x.shape().rank() < 1) {
            throw new IllegalArgumentException(name + ": dense needs rows of at least one axis, input is " + x);
        }
        int in = x.shape().get(-1);
        Value weight = weight(x, name, Shape.of(units, in), 1, new Fan(in, units), weights.weight());
        return product(name, new Products.Dense(), x, weight, units, weights);
    }

    /**
     * 2-D convolution: x (channels, h, w) gives (filters, h', w'). Parameters {@code weight (filters, channels/groups,
     * kh, kw)}, {@code bias (filters)}.
     */
    public static Value conv(String name, Value x, int filters, Kernel kernel) {
        int channels = channels(name, x, kernel, filters);
        int area = kernel.size().get(0) * kernel.size().get(1);
        Shape shape = Shape.of(
                filters,
                channels / kernel.groups(),
                kernel.size().get(0),
                kernel.size().get(1));
        Fan fan = new Fan(channels / kernel.groups() * area, filters / kernel.groups() * area);
        Value weight = weight(x, name, shape, 1, fan, kernel.weights().weight());
        return product(name, new Products.Convolution(kernel), x, weight, filters, kernel.weights());
    }

    /**
     * 2-D transposed convolution: x (channels, h, w) gives (filters, h', w'). Parameters {@code weight (channels,
     * filters/groups, kh, kw)}, {@code bias (filters)}.
     */
    public static Value convTranspose(String name, Value x, int filters, Kernel kernel) {
        int channels = channels(name, x, kernel, filters);
        int area = kernel.size().get(0) * kernel.size().get(1);
        Shape shape = Shape.of(
                channels,
                filters / kernel.groups(),
                kernel.size().get(0),
                kernel.size().get(1));
        Fan fan = new Fan(channels / kernel.groups() * area, filters / kernel.groups() * area);
        Value weight = weight(x, name, shape, 0, fan, kernel.weights().weight());
        return product(name, new Products.TransposedConvolution(kernel), x, weight, filters, kernel.weights());
    }

    /** A window of {@code size}×{@code size}, stride 1, without padding. */
    public static Kernel kernel(int size) {
        return Kernel.of(size, size);
    }

    /** A window of {@code vertical}×{@code horizontal}, stride 1, without padding. */
    public static Kernel kernel(int vertical, int horizontal) {
        return Kernel.of(vertical, horizontal);
    }

    /** {@link BatchNorm} with epsilon 1e-5 and momentum 0.1. */
    public static Value batchNorm(String name, Value x) {
        return batchNorm(name, x, normalisation());
    }

    /**
     * {@link BatchNorm} with these settings. Parameters {@code scale}, {@code shift} (channels), which begin as 1 and 0,
     * and running statistics {@code mean}, {@code variance} (channels), which begin as 0 and 1.
     */
    public static Value batchNorm(String name, Value x, Normalisation settings) {
        if (x.shape().rank() < 1) {
            throw new IllegalArgumentException(name + ": batch norm needs rows (channels, …), input is " + x);
        }
        Graph graph = x.graph();
        Shape channels = Shape.of(x.shape().get(0));
        Value scale = declare(graph, name + "/scale", channels, Fan.NONE, settings.scale, Kind.WEIGHT);
        Value shift = declare(graph, name + "/shift", channels, Fan.NONE, Initialiser.zeros(), Kind.WEIGHT);
        Value mean = declare(graph, name + "/mean", channels, Fan.NONE, Initialiser.zeros(), Kind.RUNNING_STATISTIC);
        Value variance =
                declare(graph, name + "/variance", channels, Fan.NONE, Initialiser.constant(1), Kind.RUNNING_STATISTIC);
        BatchNorm norm = new BatchNorm(settings.epsilon, settings.momentum, settings.frozen);
        return graph.named(name, norm, x, scale, shift, mean, variance);
    }

    /** Epsilon 1e-5, momentum 0.1, scale beginning as 1. */
    public static Normalisation normalisation() {
        return new Normalisation(1e-5, 0.1, false, Initialiser.constant(1));
    }

    /**
     * Settings of a batch norm.
     *
     * @param epsilon added to the variance
     * @param momentum weight of the new batch in the running statistics
     * @param frozen whether TRAIN programs too normalise by the running statistics, and leave them
     * @param scale how the scale begins
     */
    public record Normalisation(double epsilon, double momentum, boolean frozen, Initialiser scale) {
        public Normalisation {
            if (!(epsilon > 0) || !(momentum >= 0 && momentum <= 1)) {
                throw new IllegalArgumentException("batch norm: epsilon must be above 0 and momentum in [0, 1], got "
                        + epsilon + " and " + momentum);
            }
        }

        public Normalisation epsilon(double other) {
            return new Normalisation(other, momentum, frozen, scale);
        }

        public Normalisation momentum(double other) {
            return new Normalisation(epsilon, other, frozen, scale);
        }

        public Normalisation frozenStatistics() {
            return new Normalisation(epsilon, momentum, true, scale);
        }

        public Normalisation scale(Initialiser other) {
            return new Normalisation(epsilon, momentum, frozen, other);
        }
    }

    /**
     * Rows of a table of {@code entries}×{@code width}: index (…) INT64, an input of the graph, gives (…, width).
     * Parameter {@code table}, normal of deviation 1.
     */
    public static Value embedding(String name, Value index, int entries, int width) {
        return embedding(name, index, entries, width, Initialiser.normal(1));
    }

    /** The same with another initialiser. */
    public static Value embedding(String name, Value index, int entries, int width, Initialiser initialiser) {
        Graph graph = index.graph();
        Shape shape = Shape.of(entries, width);
        Value table = declare(graph, name + "/table", shape, new Fan(entries, width), initialiser, Kind.WEIGHT);
        return graph.named(name, new Products.Embedding(), index, table);
    }

    private static int channels(String name, Value x, Kernel kernel, int filters) {
        if (x.shape().rank() != 3) {
            throw new IllegalArgumentException(name + ": needs an image (channels, height, width), input is " + x);
        }
        int channels = x.shape().get(0);
        if (channels % kernel.groups() != 0 || filters % kernel.groups() != 0) {
            throw new IllegalArgumentException(name + ": " + kernel.groups() + " groups must divide " + channels
                    + " channels and " + filters + " filters");
        }
        return channels;
    }

    private static Value product(String name, Operator operator, Value x, Value weight, int units, Weights weights) {
        Graph graph = x.graph();
        if (!weights.biased()) {
            return graph.named(name, operator, x, weight);
        }
        Shape shape = Shape.of(units);
        Value bias = declare(graph, name + "/bias", shape, Fan.NONE, weights.bias(), Kind.WEIGHT);
        return graph.named(name, operator, x, weight, bias);
    }

    /**
     * The layer's weight. A module called again with another number of inputs gets the weight it has, so that the
     * operator refuses the input and not the weight.
     */
    private static Value weight(Value x, String name, Shape shape, int inAxis, Fan fan, Initialiser initialiser) {
        Graph graph = x.graph();
        String path = name + "/weight";
        return graph.declared(path)
                .filter(is -> is.shape().rank() == shape.rank()
                        && is.shape().get(inAxis) != shape.get(inAxis)
                        && is.shape().with(inAxis, 1).equals(shape.with(inAxis, 1)))
                .orElseGet(() -> declare(graph, path, shape, fan, initialiser, Kind.WEIGHT));
    }

    private static Value declare(Graph graph, String name, Shape shape, Fan fan, Initialiser initialiser, Kind kind) {
        return graph.parameter(name, (path, type) -> new Declaration(path, shape, type, initialiser, fan, kind));
    }
}
