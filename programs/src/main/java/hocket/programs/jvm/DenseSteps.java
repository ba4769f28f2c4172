package hocket.programs.jvm;

import hocket.programs.Arrangement;
import hocket.programs.BatchNorm;
import hocket.programs.Compiled;
import hocket.programs.Elementwise;
import hocket.programs.Leaf;
import hocket.programs.Lowering;
import hocket.programs.Operator;
import hocket.programs.Pooling;
import hocket.programs.Products;
import hocket.programs.Program;
import hocket.programs.Reduction;
import hocket.programs.Team;
import hocket.programs.Value;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.gamma.Erf;
import org.jspecify.annotations.Nullable;

/**
 * A program of dense layers as steps over feature-major arrays ({@link DenseKernels} says what that is), fused where it
 * pays: activations with the products before them, slopes of activations with the gradients that pass them, sums of
 * gradients over the batch with the products beside them. An array is used again when all that reads it has run. Large
 * steps are shared by the threads of a team; their bits do not depend on how many there are.
 */
final class DenseSteps implements AutoCloseable {
    /** What every array has behind it. */
    static final int SLACK = 16;

    /** From how many multiply-adds, or elements, on a step is shared by threads. */
    private static final long WORTH_SHARING = 1_000_000, ELEMENTS_WORTH_SHARING = 100_000;

    private final Compiled compiled;
    private final Program program;
    private final List<Value> outputs;
    private final int rows;
    private final int stride;
    private final DenseKernels kernels;
    private final Scratch[] scratch;
    private final Team team;
    private final Map<Value, float[]> arrays = new HashMap<>();
    private final Map<Value, long[]> integers = new HashMap<>();
    private final Map<Value, double[][]> batchMoments = new HashMap<>();
    private boolean closed;

    DenseSteps(Compiled compiled, int rows, DenseKernels kernels, int threads) {
        this.compiled = compiled;
        this.program = compiled.program();
        this.outputs = compiled.outputs();
        this.rows = rows;
        this.stride = rows == 1 ? 1 : Math.multiplyExact(Math.addExact(rows, 15) / 16, 16);
        this.kernels = kernels;
        this.scratch = new Scratch[Team.size(threads)];
        Arrays.setAll(scratch, i -> new Scratch());
        this.team = Team.shared(threads);
    }

    /** Why there are no steps for a program: its type, or the first operator without one; empty where there are. */
    static Optional<String> uncovered(Program program) {
        if (program.floatType() != ElementType.FLOAT32) {
            return Optional.of("program " + program.name() + " computes in " + program.floatType());
        }
        return program.values().stream()
                .filter(value -> !covers(value))
                .map(value -> value.path() + ": there is no dense kernel for "
                        + value.operator().kind())
                .findFirst();
    }

    private static boolean covers(Value value) {
        Operator operator = value.operator();
        if (operator instanceof Products.Convolution
                || operator instanceof Products.TransposedConvolution
                || operator instanceof Products.ConvolutionWeight
                || operator.getClass().getNestHost() == Pooling.class) {
            return false;
        }
        return value.type() != ElementType.INT64
                || operator instanceof Leaf.Input
                || operator instanceof Reduction.ArgMax;
    }

    /** How many steps a program has, gradients included, and how many threads share its largest one. */
    static Lowering.Outline outline(Program program, SortedSet<Path> gradients, int rows, int threads) {
        Compiled compiled = Compiled.of(program, gradients, rows);
        List<DenseFusion.Node> nodes = DenseFusion.nodes(compiled);
        boolean shared = nodes.stream().anyMatch(node -> products(node, rows) >= WORTH_SHARING);
        return new Lowering.Outline(nodes.size(), shared ? threads : 1);
    }

    private static long products(DenseFusion.Node node, int rows) {
        Operator operator = node.fusion() instanceof DenseFusion.Activated activated
                ? activated.product().operator()
                : node.value().operator();
        if (!(operator instanceof Products.Dense
                || operator instanceof Products.DenseInput
                || operator instanceof Products.DenseWeight)) {
            return 0;
        }
        Value x = node.reads().get(0);
        Value other = node.reads().get(1);
        long weights = operator instanceof Products.DenseWeight
                ? (long) x.shape().get(-1) * other.shape().get(-1)
                : other.shape().size();
        return weights * (x.batched() ? rows : 1);
    }

    /** Elements from one feature of a batched value to the next. */
    int stride() {
        return stride;
    }

    /** Who shares large steps. */
    Team team() {
        return team;
    }

    /** Says where a leaf's values are. */
    void hold(Value leaf, float[] array) {
        arrays.put(leaf, array);
    }

    /** Says where the integers of an input are. */
    void holdIntegers(Value leaf, long[] array) {
        integers.put(leaf, array);
    }

    /** The array of a value, once it has one. */
    float[] array(Value value) {
        float[] array = arrays.get(value);
        if (array == null) {
            throw new IllegalStateException(value + " is not computed");
        }
        return array;
    }

    /** The integers of an INT64 value. */
    long[] integers(Value value) {
        long[] array = integers.get(value);
        if (array == null) {
            throw new IllegalStateException(value + " is not computed");
        }
        return array;
    }

    /** The moments that a batch norm used last. */
    void moments(Value norm, double[] mean, double[] variance) {
        double[][] both = batchMoments.get(norm);
        if (both == null) {
            throw new IllegalStateException(norm + " does not normalise by the batch");
        }
        System.arraycopy(both[0], 0, mean, 0, mean.length);
        System.arraycopy(both[1], 0, variance, 0, variance.length);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            team.release();
        }
    }

    /** What computes everything, in order. All leaves are held before. */
    Runnable[] plan() {
        List<DenseFusion.Node> nodes = DenseFusion.nodes(compiled);
        Map<Value, Integer> lastRead = lastReads(nodes);
        Map<Integer, Deque<float[]>> free = new HashMap<>();
        List<Runnable> steps = new ArrayList<>();
        Map<Value, Value> biases = DenseFusion.biases(nodes);
        for (int i = 0; i < nodes.size(); i++) {
            DenseFusion.Node node = nodes.get(i);
            Value value = node.value();
            if (value.operator() instanceof Arrangement.Reshape) {
                arrays.put(value, array(node.reads().get(0)));
            } else if (value.operator() instanceof Leaf.Constant constant) {
                arrays.put(value, Arrays.copyOf(constant.value().floats(), length(value) + SLACK));
            } else if (value.type() == ElementType.INT64) {
                integers.put(value, new long[length(value)]);
                if (compiled.isConstant(value)) {
                    argMax(value).run();
                } else {
                    steps.add(argMax(value));
                }
            } else if (compiled.isConstant(value)) {
                arrays.put(value, new float[length(value) + SLACK]);
                step(node, null).run();
            } else if (!biases.containsValue(value)) {
                arrays.put(value, allocate(length(value), free));
                Value bias = biases.get(value);
                if (bias != null) {
                    arrays.put(bias, new float[length(bias) + SLACK]);
                }
                steps.add(step(node, bias));
            }
            release(i, nodes, lastRead, free);
        }
        return steps.toArray(Runnable[]::new);
    }

    private int length(Value value) {
        return Math.multiplyExact(value.shape().size(), value.batched() ? stride : 1);
    }

    private static float[] allocate(int length, Map<Integer, Deque<float[]>> free) {
        Deque<float[]> some = free.get(length);
        return some == null || some.isEmpty() ? new float[Math.addExact(length, SLACK)] : some.pop();
    }

    /** Arrays that nothing reads any more are free for others of their length. */
    private void release(
            int at, List<DenseFusion.Node> nodes, Map<Value, Integer> lastRead, Map<Integer, Deque<float[]>> free) {
        Set<Value> done = new HashSet<>();
        for (Value read : nodes.get(at).reads()) {
            Value root = root(read);
            boolean held = root.inputs().isEmpty() || compiled.isConstant(root);
            if (lastRead.getOrDefault(root, -1) == at && !held && done.add(root)) {
                float[] array = arrays.get(root);
                if (array != null) {
                    free.computeIfAbsent(array.length - SLACK, length -> new ArrayDeque<>())
                            .push(array);
                }
            }
        }
    }

    /** The value whose array a reshaped one shares. */
    private static Value root(Value value) {
        Value root = value;
        while (root.operator() instanceof Arrangement.Reshape) {
            root = root.inputs().get(0);
        }
        return root;
    }

    /** The last step that reads each array; those that are handed out are never free. */
    private Map<Value, Integer> lastReads(List<DenseFusion.Node> nodes) {
        Map<Value, Integer> last = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            for (Value read : nodes.get(i).reads()) {
                last.put(root(read), i);
            }
        }
        outputs.forEach(output -> last.put(root(output), Integer.MAX_VALUE));
        return last;
    }

    private Runnable step(DenseFusion.Node node, @Nullable Value bias) {
        Value value = node.value();
        float[] out = array(value);
        if (node.fusion() instanceof DenseFusion.Activated activated) {
            return forward(value, node.reads(), activated.activation(), activated.slope(), out);
        }
        if (node.fusion() instanceof DenseFusion.Sloped sloped) {
            return sloped(node, sloped, out);
        }
        Operator operator = value.operator();
        List<Value> inputs = node.reads();
        if (operator instanceof Products.Dense) {
            return forward(value, inputs, Activation.NONE, 0, out);
        } else if (operator instanceof Products.DenseInput) {
            return inputGradient(value, inputs, out);
        } else if (operator instanceof Products.DenseWeight) {
            return weightGradient(inputs, out, bias == null ? null : array(bias));
        } else if (operator instanceof Products.Embedding) {
            return embedding(value, inputs, out);
        } else if (operator instanceof Elementwise.Unary unary) {
            return unary(unary.function(), value, inputs.get(0), out);
        } else if (operator instanceof Elementwise.LeakyRelu leaky) {
            return each(Unary.LEAKY_RELU, leaky.slope(), 0, value, inputs.get(0), out);
        } else if (operator instanceof Elementwise.Elu elu) {
            return each(Unary.ELU, elu.alpha(), 0, value, inputs.get(0), out);
        } else if (operator instanceof Elementwise.Scalar scalar) {
            return each(Unary.AFFINE, scalar.scale(), scalar.shift(), value, inputs.get(0), out);
        } else if (operator instanceof Elementwise.Clip clip) {
            return each(Unary.CLIP, clip.low(), clip.high(), value, inputs.get(0), out);
        } else if (operator instanceof Elementwise.Binary binary) {
            return inputs.get(0).type() == ElementType.INT64
                    ? integerPair(binary.pair(), value, inputs, out)
                    : pair(pair(binary.pair()), value, inputs, out);
        } else if (operator instanceof Elementwise.Dropout) {
            return pair(Binary.MULTIPLY, value, inputs, out);
        } else if (operator instanceof Elementwise.Where) {
            return where(value, inputs, out);
        } else if (operator instanceof Arrangement.Concat concat) {
            return concat(concat.axis(), value, inputs, out);
        } else if (operator instanceof Arrangement.Slice slice) {
            return slice(slice, inputs.get(0), out);
        } else if (operator instanceof Arrangement.Pad pad) {
            return pad(pad, value, inputs.get(0), out);
        } else if (operator instanceof Arrangement.Transpose transpose) {
            return transpose(transpose, value, inputs.get(0), out);
        } else if (operator instanceof Arrangement.Spread spread) {
            return spread(spread, value, inputs.get(0), out);
        } else if (operator instanceof Arrangement.Pick) {
            return pick(inputs, out);
        } else if (operator instanceof Arrangement.OneHot oneHot) {
            return oneHot(oneHot.entries(), value, inputs.get(0), out);
        } else if (operator instanceof Reduction.Reduce reduce) {
            return reduce(reduce, value, inputs.get(0), out);
        } else if (operator instanceof Reduction.Softmax softmax) {
            return softmax(softmax, value, inputs.get(0), out);
        } else if (operator instanceof Reduction.CumulativeSum sum) {
            return cumulativeSum(sum, value, inputs.get(0), out);
        } else if (operator instanceof BatchNorm norm) {
            return batchNorm(norm, value, inputs, out);
        }
        throw new IllegalArgumentException(value + ": there is no fast kernel for " + operator.kind());
    }

    /** A value as matrices one after the other, each of the last axis's features. */
    private int matrices(Value value) {
        return value.shape().size() / value.shape().get(-1);
    }

    private int strideOf(Value value) {
        return value.batched() ? stride : 1;
    }

    private Runnable forward(Value y, List<Value> inputs, Activation activation, float slope, float[] out) {
        Value x = inputs.get(0);
        float[] from = array(x);
        float[] weight = array(inputs.get(1));
        float[] bias = inputs.size() > 2 ? array(inputs.get(2)) : null;
        int units = inputs.get(1).shape().get(0);
        int width = inputs.get(1).shape().get(1);
        int every = strideOf(y);
        int all = matrices(x);
        return shared((long) units * width * every * all, (part, parts) -> {
            for (int i = 0; i < all; i++) {
                kernels.forward(
                        units,
                        width,
                        every,
                        weight,
                        0,
                        bias,
                        0,
                        from,
                        i * width * every,
                        out,
                        i * units * every,
                        activation,
                        slope,
                        scratch[part],
                        part,
                        parts);
            }
        });
    }

    private Runnable inputGradient(Value dx, List<Value> inputs, float[] out) {
        float[] dy = array(inputs.get(0));
        float[] weight = array(inputs.get(1));
        int units = inputs.get(1).shape().get(0);
        int width = inputs.get(1).shape().get(1);
        int every = strideOf(dx);
        int all = matrices(dx);
        return shared((long) units * width * every * all, (part, parts) -> {
            for (int i = 0; i < all; i++) {
                kernels.inputGradient(
                        units,
                        width,
                        every,
                        weight,
                        0,
                        dy,
                        i * units * every,
                        out,
                        i * width * every,
                        false,
                        scratch[part],
                        part,
                        parts);
            }
        });
    }

    private Runnable weightGradient(List<Value> inputs, float[] out, float @Nullable [] bias) {
        float[] x = array(inputs.get(0));
        float[] dy = array(inputs.get(1));
        int width = inputs.get(0).shape().get(-1);
        int units = inputs.get(1).shape().get(-1);
        int every = strideOf(inputs.get(0));
        int count = inputs.get(0).batched() ? rows : 1;
        int all = matrices(inputs.get(0));
        return shared((long) units * width * every * all, (part, parts) -> {
            for (int i = 0; i < all; i++) {
                kernels.weightGradient(
                        units,
                        width,
                        count,
                        every,
                        dy,
                        i * units * every,
                        x,
                        i * width * every,
                        out,
                        0,
                        bias,
                        0,
                        i > 0,
                        scratch[part],
                        part,
                        parts);
            }
        });
    }

    /** A step in parts: shared where it is large. */
    private Runnable shared(long size, Team.Task task) {
        if (team.threads() == 1 || size < WORTH_SHARING) {
            return () -> task.part(0, 1);
        }
        return () -> team.run(task);
    }

    /** A loop over a run of elements, shared where it is long. */
    Runnable overRun(int count, Loop loop) {
        return overColumns(count, 1, loop);
    }

    /** A loop over columns, each of some elements, shared where they are many. */
    Runnable overColumns(int columns, int elements, Loop loop) {
        if (team.threads() == 1 || (long) columns * elements < ELEMENTS_WORTH_SHARING) {
            return () -> loop.run(0, columns);
        }
        Team.Task task = (part, parts) -> {
            int from = Parts.first(part, parts, columns, SLACK);
            loop.run(from, Parts.first(part + 1, parts, columns, SLACK) - from);
        };
        return () -> team.run(task);
    }

    @FunctionalInterface
    interface Loop {
        void run(int at, int count);
    }

    private Runnable unary(Elementwise.Function function, Value y, Value x, float[] out) {
        return switch (function) {
            case NEGATE -> each(Unary.NEGATE, 0, 0, y, x, out);
            case RELU -> each(Unary.RELU, 0, 0, y, x, out);
            case TANH -> each(Unary.TANH, 0, 0, y, x, out);
            case SIGMOID -> each(Unary.SIGMOID, 0, 0, y, x, out);
            case SOFTPLUS -> each(Unary.SOFTPLUS, 0, 0, y, x, out);
            case EXP -> each(Unary.EXP, 0, 0, y, x, out);
            case LOG -> each(Unary.LOG, 0, 0, y, x, out);
            case SQRT -> each(Unary.SQRT, 0, 0, y, x, out);
            case SQUARE -> each(Unary.SQUARE, 0, 0, y, x, out);
            case ABS -> each(Unary.ABS, 0, 0, y, x, out);
            case STEP -> compared(y, x, out);
            case SIGN -> slowly(Math::signum, y, x, out);
            case SIN -> slowly(StrictMath::sin, y, x, out);
            case COS -> slowly(StrictMath::cos, y, x, out);
            case ERF -> slowly(Erf::value, y, x, out);
        };
    }

    private Runnable each(Unary function, double p, double q, Value y, Value x, float[] out) {
        float[] from = array(x);
        return overRun(
                length(y), (at, count) -> kernels.unary(function, (float) p, (float) q, from, at, out, at, count));
    }

    /** 1 where positive. */
    private Runnable compared(Value y, Value x, float[] out) {
        float[] from = array(x);
        float[] zero = new float[1 + SLACK];
        return overRun(
                length(y), (at, count) -> kernels.binary(Binary.GREATER, from, at, 1, zero, 0, 0, out, at, count));
    }

    /** Functions that have no kernel, by those of libraries, number by number. */
    private Runnable slowly(DoubleUnaryOperator function, Value y, Value x, float[] out) {
        float[] from = array(x);
        return overRun(length(y), (at, count) -> {
            for (int i = at; i < at + count; i++) {
                out[i] = (float) function.applyAsDouble(from[i]);
            }
        });
    }

    private static Binary pair(Elementwise.Pair pair) {
        return Binary.valueOf(pair.name());
    }

    private Runnable pair(Binary function, Value value, List<Value> inputs, float[] out) {
        float[] a = array(inputs.get(0));
        float[] b = array(inputs.get(1));
        Runs runs = Runs.of(value, inputs, stride);
        if (runs.size() == 1) {
            int aStep = runs.step()[0][0];
            int bStep = runs.step()[1][0];
            return overRun(
                    length(value),
                    (at, count) ->
                            kernels.binary(function, a, at * aStep, aStep, b, at * bStep, bStep, out, at, count));
        }
        int[] at = runs.at();
        int[] count = runs.count();
        int[] aAt = runs.from()[0];
        int[] bAt = runs.from()[1];
        int[] aStep = runs.step()[0];
        int[] bStep = runs.step()[1];
        return () -> {
            for (int i = 0; i < at.length; i++) {
                kernels.binary(function, a, aAt[i], aStep[i], b, bAt[i], bStep[i], out, at[i], count[i]);
            }
        };
    }

    private Runnable integerPair(Elementwise.Pair pair, Value value, List<Value> inputs, float[] out) {
        long[] a = integers(inputs.get(0));
        long[] b = integers(inputs.get(1));
        Runs runs = Runs.of(value, inputs, stride);
        boolean equal = pair == Elementwise.Pair.EQUAL;
        return () -> {
            for (int i = 0; i < runs.size(); i++) {
                for (int k = 0; k < runs.count()[i]; k++) {
                    long left = a[runs.from()[0][i] + k * runs.step()[0][i]];
                    long right = b[runs.from()[1][i] + k * runs.step()[1][i]];
                    out[runs.at()[i] + k] = (equal ? left == right : left > right) ? 1 : 0;
                }
            }
        };
    }

    private Runnable where(Value value, List<Value> inputs, float[] out) {
        float[] condition = array(inputs.get(0));
        float[] a = array(inputs.get(1));
        float[] b = array(inputs.get(2));
        Runs runs = Runs.of(value, inputs, stride);
        return () -> {
            for (int i = 0; i < runs.size(); i++) {
                kernels.where(
                        condition,
                        runs.from()[0][i],
                        runs.step()[0][i],
                        a,
                        runs.from()[1][i],
                        runs.step()[1][i],
                        b,
                        runs.from()[2][i],
                        runs.step()[2][i],
                        out,
                        runs.at()[i],
                        runs.count()[i]);
            }
        };
    }

    private Runnable sloped(DenseFusion.Node node, DenseFusion.Sloped sloped, float[] out) {
        float[] g = array(node.reads().get(0));
        float[] y = array(node.reads().get(1));
        return overRun(
                length(node.value()),
                (at, count) -> kernels.slope(sloped.slope(), sloped.p(), g, at, y, at, out, at, count, false));
    }

    private Around around(Value x, int axis) {
        return Around.of(x.shape(), axis, 1, strideOf(x));
    }

    private Runnable concat(int axis, Value value, List<Value> inputs, float[] out) {
        Around all = around(value, axis);
        float[][] from = inputs.stream().map(this::array).toArray(float[][]::new);
        int[] lengths = inputs.stream()
                .mapToInt(x -> x.shape().get(axis) * all.inside())
                .toArray();
        return () -> {
            int begin = 0;
            for (int k = 0; k < from.length; k++) {
                for (int i = 0; i < all.outside(); i++) {
                    int to = all.start(i) + begin;
                    System.arraycopy(from[k], i * lengths[k], out, to, lengths[k]);
                }
                begin += lengths[k];
            }
        };
    }

    private Runnable slice(Arrangement.Slice slice, Value x, float[] out) {
        Around all = around(x, slice.axis());
        float[] from = array(x);
        int length = (slice.end() - slice.begin()) * all.inside();
        return () -> {
            for (int i = 0; i < all.outside(); i++) {
                int begin = all.start(i) + slice.begin() * all.inside();
                System.arraycopy(from, begin, out, i * length, length);
            }
        };
    }

    private Runnable pad(Arrangement.Pad pad, Value value, Value x, float[] out) {
        Around all = around(value, pad.axis());
        float[] from = array(x);
        int length = x.shape().get(pad.axis()) * all.inside();
        return () -> {
            Arrays.fill(out, 0, all.start(all.outside()), 0);
            for (int i = 0; i < all.outside(); i++) {
                int to = all.start(i) + pad.before() * all.inside();
                System.arraycopy(from, i * length, out, to, length);
            }
        };
    }

    private Runnable transpose(Arrangement.Transpose transpose, Value value, Value x, float[] out) {
        return moved(x, Places.transposed(x.shape(), transpose.order()), out);
    }

    /** Features, each from another's place. */
    private Runnable moved(Value x, int[] features, float[] out) {
        float[] from = array(x);
        int every = strideOf(x);
        return () -> {
            for (int f = 0; f < features.length; f++) {
                System.arraycopy(from, features[f] * every, out, f * every, every);
            }
        };
    }

    private Runnable spread(Arrangement.Spread spread, Value value, Value x, float[] out) {
        int[] features = Places.repeated(value.shape(), x.shape());
        boolean toRows = value.batched() && !x.batched();
        float[] from = array(x);
        long copies = (long) value.shape().size() / x.shape().size() * (toRows ? rows : 1);
        Runnable moved = toRows
                ? () -> {
                    for (int f = 0; f < features.length; f++) {
                        Arrays.fill(out, f * stride, (f + 1) * stride, from[features[f]]);
                    }
                }
                : moved(x, features, out);
        if (!spread.shared()) {
            return moved;
        }
        float share = (float) (1.0 / copies);
        int length = length(value);
        return () -> {
            moved.run();
            kernels.unary(Unary.AFFINE, share, 0, out, 0, out, 0, length);
        };
    }

    private Runnable pick(List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        float[] from = array(x);
        long[] index = integers(inputs.get(1));
        int width = x.shape().get(-1);
        int all = matrices(x);
        int every = strideOf(x);
        int count = x.batched() ? rows : 1;
        return () -> {
            for (int i = 0; i < all; i++) {
                for (int r = 0; r < count; r++) {
                    out[i * every + r] = from[(i * width + (int) index[i * every + r]) * every + r];
                }
            }
        };
    }

    private Runnable oneHot(int entries, Value value, Value x, float[] out) {
        long[] index = integers(x);
        int all = x.shape().size();
        int every = strideOf(x);
        int count = x.batched() ? rows : 1;
        int length = length(value);
        return () -> {
            Arrays.fill(out, 0, length, 0);
            for (int i = 0; i < all; i++) {
                for (int r = 0; r < count; r++) {
                    out[(i * entries + (int) index[i * every + r]) * every + r] = 1;
                }
            }
        };
    }

    private Runnable embedding(Value value, List<Value> inputs, float[] out) {
        long[] index = integers(inputs.get(0));
        float[] table = array(inputs.get(1));
        int width = value.shape().get(-1);
        int all = matrices(value);
        int every = strideOf(value);
        int count = value.batched() ? rows : 1;
        return () -> {
            for (int i = 0; i < all; i++) {
                for (int r = 0; r < count; r++) {
                    int from = (int) index[i * every + r] * width;
                    for (int k = 0; k < width; k++) {
                        out[(i * width + k) * every + r] = table[from + k];
                    }
                }
            }
        };
    }

    private Runnable argMax(Value value) {
        Value x = program.inputsOf(value).get(0);
        float[] from = array(x);
        long[] out = integers(value);
        int width = x.shape().get(-1);
        int all = matrices(x);
        int every = strideOf(x);
        int count = x.batched() ? rows : 1;
        return () -> {
            for (int i = 0; i < all; i++) {
                for (int r = 0; r < count; r++) {
                    int best = 0;
                    for (int k = 1; k < width; k++) {
                        float next = from[(i * width + k) * every + r];
                        best = next > from[(i * width + best) * every + r] ? k : best;
                    }
                    out[i * every + r] = best;
                }
            }
        };
    }

    private Runnable reduce(Reduction.Reduce reduce, Value value, Value x, float[] out) {
        float[] from = array(x);
        boolean largest = reduce.how() == Reduction.How.MAX;
        int every = strideOf(x);
        int count = x.batched() ? rows : 1;
        int features = x.shape().size();
        if (reduce.axis() == Reduction.Reduce.BATCH) {
            float share = reduce.how() == Reduction.How.MEAN ? (float) (1.0 / rows) : 1;
            return () -> {
                for (int f = 0; f < features; f++) {
                    out[f] =
                            largest ? kernels.max(from, f * every, count) : kernels.sum(from, f * every, count) * share;
                }
            };
        }
        if (reduce.axis() == Reduction.Reduce.ALL) {
            double share = reduce.how() == Reduction.How.MEAN ? 1.0 / ((double) features * count) : 1;
            boolean whole = every == count;
            int length = whole ? features * count : count;
            int runs = whole ? 1 : features;
            return () -> {
                double sum = largest ? Double.NEGATIVE_INFINITY : 0;
                for (int f = 0; f < runs; f++) {
                    sum = largest
                            ? Math.max(sum, kernels.max(from, f * every, length))
                            : sum + kernels.sum(from, f * every, length);
                }
                out[0] = (float) (sum * share);
            };
        }
        return along(reduce, value, x, out);
    }

    private Runnable along(Reduction.Reduce reduce, Value value, Value x, float[] out) {
        float[] from = array(x);
        Around all = around(x, reduce.axis());
        boolean largest = reduce.how() == Reduction.How.MAX;
        float share = reduce.how() == Reduction.How.MEAN ? (float) (1.0 / all.along()) : 1;
        int length = length(value);
        if (all.inside() == 1) {
            return () -> {
                for (int i = 0; i < all.outside(); i++) {
                    out[i] = largest
                            ? kernels.max(from, i * all.along(), all.along())
                            : kernels.sum(from, i * all.along(), all.along()) * share;
                }
            };
        }
        return () -> {
            for (int i = 0; i < all.outside(); i++) {
                combine(
                        largest ? Binary.MAXIMUM : Binary.ADD,
                        from,
                        all.start(i),
                        all,
                        out,
                        i * all.inside());
            }
            if (share != 1) {
                kernels.unary(Unary.AFFINE, share, 0, out, 0, out, 0, length);
            }
        };
    }

    /** Stretches one after the other into one. */
    private void combine(Binary how, float[] from, int start, Around all, float[] out, int at) {
        System.arraycopy(from, start, out, at, all.inside());
        for (int k = 1; k < all.along(); k++) {
            kernels.binary(how, out, at, 1, from, start + k * all.inside(), 1, out, at, all.inside());
        }
    }

    private Runnable softmax(Reduction.Softmax softmax, Value value, Value x, float[] out) {
        float[] from = array(x);
        Around all = around(x, softmax.axis());
        int inside = all.inside();
        float[] largest = new float[inside + SLACK];
        float[] sum = new float[inside + SLACK];
        float[] each = new float[inside + SLACK];
        return () -> {
            for (int i = 0; i < all.outside(); i++) {
                int start = all.start(i);
                combine(Binary.MAXIMUM, from, start, all, largest, 0);
                Arrays.fill(sum, 0, inside, 0);
                for (int k = 0; k < all.along(); k++) {
                    int at = start + k * inside;
                    kernels.binary(Binary.SUBTRACT, from, at, 1, largest, 0, 1, out, at, inside);
                    float[] to = softmax.logarithm() ? each : out;
                    int toAt = softmax.logarithm() ? 0 : at;
                    kernels.unary(Unary.EXP, 0, 0, out, at, to, toAt, inside);
                    kernels.binary(Binary.ADD, sum, 0, 1, to, toAt, 1, sum, 0, inside);
                }
                if (softmax.logarithm()) {
                    kernels.unary(Unary.LOG, 0, 0, sum, 0, sum, 0, inside);
                }
                for (int k = 0; k < all.along(); k++) {
                    int at = start + k * inside;
                    Binary last = softmax.logarithm() ? Binary.SUBTRACT : Binary.DIVIDE;
                    kernels.binary(last, out, at, 1, sum, 0, 1, out, at, inside);
                }
            }
        };
    }

    private Runnable cumulativeSum(Reduction.CumulativeSum sum, Value value, Value x, float[] out) {
        float[] from = array(x);
        Around all = around(x, sum.axis());
        int inside = all.inside();
        return () -> {
            for (int i = 0; i < all.outside(); i++) {
                int start = all.start(i);
                int first = sum.reversed() ? all.along() - 1 : 0;
                int onward = sum.reversed() ? -inside : inside;
                int at = start + first * inside;
                System.arraycopy(from, at, out, at, inside);
                for (int k = 1; k < all.along(); k++) {
                    at += onward;
                    kernels.binary(Binary.ADD, out, at - onward, 1, from, at, 1, out, at, inside);
                }
            }
        };
    }

    private Runnable batchNorm(BatchNorm norm, Value value, List<Value> inputs, float[] out) {
        float[] x = array(inputs.get(BatchNorm.X));
        float[] scale = array(inputs.get(BatchNorm.SCALE));
        float[] shift = array(inputs.get(BatchNorm.SHIFT));
        int channels = inputs.get(BatchNorm.SCALE).shape().size();
        int inside = value.shape().size() / channels;
        boolean ofBatch = norm.usesBatch(program.mode());
        double[][] moments = {new double[channels], new double[channels]};
        if (ofBatch) {
            batchMoments.put(value, moments);
        }
        float[] means = ofBatch ? x : array(inputs.get(BatchNorm.MEAN));
        float[] variances = ofBatch ? x : array(inputs.get(BatchNorm.VARIANCE));
        float[] centred = new float[inside * stride + SLACK];
        double count = (double) inside * rows;
        return () -> {
            for (int c = 0; c < channels; c++) {
                int at = c * inside * stride;
                double mean = ofBatch ? sum(x, at, inside) / count : means[c];
                kernels.unary(Unary.AFFINE, 1, (float) -mean, x, at, centred, 0, inside * stride);
                double variance = variances[c];
                if (ofBatch) {
                    // What the mean was rounded by is the same for all: it leaves the variance by its square.
                    double rest = sum(centred, 0, inside) / count;
                    variance = Math.max(0, sumOfSquares(centred, inside) / count - rest * rest);
                    moments[0][c] = mean;
                    moments[1][c] = variance;
                }
                float factor = (float) (scale[c] / Math.sqrt(variance + norm.epsilon()));
                kernels.unary(Unary.AFFINE, factor, shift[c], centred, 0, out, at, inside * stride);
            }
        };
    }

    private double sum(float[] x, int at, int runs) {
        double sum = 0;
        for (int i = 0; i < runs; i++) {
            sum += kernels.sum(x, at + i * stride, rows);
        }
        return sum;
    }

    private double sumOfSquares(float[] x, int runs) {
        double sum = 0;
        for (int i = 0; i < runs; i++) {
            sum += kernels.sumOfProducts(x, i * stride, x, i * stride, rows);
        }
        return sum;
    }
}
