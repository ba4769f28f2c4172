package hocket.programs.jvm;

import hocket.programs.Mode;
import hocket.programs.Value;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.FurtherResult;
import hocket.programs.operators.Leaf;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.gamma.Erf;

/**
 * The reference computation of each operator, by its definition: loops over row-major arrays of doubles, the rows of
 * the batch outermost. Operators that only move elements use a table of sources. Functions are those of {@link
 * StrictMath}, whose bits do not depend on what was compiled.
 */
final class PlainRules {
    /** A rule that computes an operator's result into an array. */
    @FunctionalInterface
    interface Step {
        Runnable of(PlainRules in, Value value, List<Value> inputs, double[] out);
    }

    /** The largest below which a double holds each whole number. */
    private static final long LARGEST_WHOLE = 1L << 53;

    final Mode mode;
    /** The number of rows of the batch. */
    final int rows;

    private final Map<Value, double[]> arrays = new HashMap<>();
    private final Map<Value, double[][]> further = new HashMap<>();

    PlainRules(Mode mode, int rows) {
        this.mode = mode;
        this.rows = rows;
    }

    /** The array of a value, once it has one. */
    double[] array(Value value) {
        double[] array = arrays.get(value);
        if (array == null) {
            throw new IllegalStateException(value + " is not computed");
        }
        return array;
    }

    /** Sets the array of a leaf's values, or of a further result. */
    void hold(Value leaf, double[] array) {
        arrays.put(leaf, array);
    }

    /** The arrays of the further results of a value's operator. */
    double[][] further(Value value) {
        return further.computeIfAbsent(value, FurtherResult::arrays);
    }

    /** The shape of a value with its rows. */
    Shape full(Value value) {
        return value.batched() ? value.shape().prepend(rows) : value.shape();
    }

    /** Returns the task that computes a value from existing arrays. */
    Runnable step(Value value, List<Value> inputs) {
        double[] out = new double[full(value).size()];
        Runnable step = PlainTable.TABLE.require(value).of(this, value, inputs, out);
        arrays.put(value, out);
        if (value.type() != ElementType.FLOAT32) {
            return step;
        }
        return () -> {
            step.run();
            for (int i = 0; i < out.length; i++) {
                out[i] = (float) out[i];
            }
        };
    }

    /**
     * A whole number as this lowering holds it.
     *
     * @throws IllegalArgumentException if doubles do not hold it
     */
    static double exact(long number) {
        if (Math.abs(number) > LARGEST_WHOLE || number == Long.MIN_VALUE) {
            throw new IllegalArgumentException("the reference holds whole numbers up to 2^53, got " + number);
        }
        return number;
    }

    static Runnable constant(Leaf.Constant constant, Value v, double[] out) {
        if (v.type() == ElementType.INT64) {
            LongBuffer whole = constant.value().buffer().asLongBuffer();
            while (whole.hasRemaining()) {
                exact(whole.get());
            }
        }
        double[] values = constant.value().doubles();
        return () -> System.arraycopy(values, 0, out, 0, out.length);
    }

    Runnable each(List<Value> inputs, double[] out, DoubleUnaryOperator function) {
        double[] x = array(inputs.get(0));
        return () -> {
            for (int i = 0; i < out.length; i++) {
                out[i] = function.applyAsDouble(x[i]);
            }
        };
    }

    static DoubleUnaryOperator function(Elementwise.Function function) {
        return switch (function) {
            case NEGATE -> a -> -a;
            case RELU -> a -> a > 0 ? a : Double.isNaN(a) ? a : 0;
            case TANH -> StrictMath::tanh;
            case SIGMOID -> PlainRules::sigmoid;
            case SOFTPLUS -> a -> Math.max(a, 0) + StrictMath.log1p(StrictMath.exp(-Math.abs(a)));
            case EXP -> StrictMath::exp;
            case LOG -> StrictMath::log;
            case SQRT -> Math::sqrt;
            case SQUARE -> a -> a * a;
            case ABS -> Math::abs;
            case SIN -> StrictMath::sin;
            case COS -> StrictMath::cos;
            case ERF -> Erf::value;
            case STEP -> a -> a > 0 ? 1 : 0;
            case SIGN -> Math::signum;
        };
    }

    /** Computes the sigmoid without overflow. */
    private static double sigmoid(double a) {
        double e = StrictMath.exp(-Math.abs(a));
        return a >= 0 ? 1 / (1 + e) : e / (1 + e);
    }

    private static DoubleBinaryOperator function(Elementwise.Pair pair) {
        return switch (pair) {
            case ADD -> (a, b) -> a + b;
            case SUBTRACT -> (a, b) -> a - b;
            case MULTIPLY -> (a, b) -> a * b;
            case DIVIDE -> (a, b) -> a / b;
            case MAXIMUM -> Math::max;
            case MINIMUM -> Math::min;
            case EQUAL -> (a, b) -> a == b ? 1 : 0;
            case GREATER -> (a, b) -> a > b ? 1 : 0;
        };
    }

    static Runnable binary(PlainRules in, Elementwise.Binary operator, Value v, List<Value> inputs, double[] out) {
        double[] a = in.array(inputs.get(0));
        double[] b = in.array(inputs.get(1));
        int[] fromA = in.repeated(v, inputs.get(0));
        int[] fromB = in.repeated(v, inputs.get(1));
        DoubleBinaryOperator function = function(operator.pair());
        return () -> {
            for (int i = 0; i < out.length; i++) {
                out[i] = function.applyAsDouble(a[fromA[i]], b[fromB[i]]);
            }
        };
    }

    static Runnable where(PlainRules in, Elementwise.Where operator, Value v, List<Value> inputs, double[] out) {
        double[] condition = in.array(inputs.get(0));
        double[] a = in.array(inputs.get(1));
        double[] b = in.array(inputs.get(2));
        int[] fromCondition = in.repeated(v, inputs.get(0));
        int[] fromA = in.repeated(v, inputs.get(1));
        int[] fromB = in.repeated(v, inputs.get(2));
        return () -> {
            for (int i = 0; i < out.length; i++) {
                out[i] = condition[fromCondition[i]] != 0 ? a[fromA[i]] : b[fromB[i]];
            }
        };
    }

    static Runnable dropout(PlainRules in, Elementwise.Dropout operator, Value v, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(0));
        if (inputs.size() == 1) {
            return in.moved(inputs.get(0), out, identity(out.length));
        }
        double[] mask = in.array(inputs.get(1));
        return () -> {
            for (int i = 0; i < out.length; i++) {
                out[i] = x[i] * mask[i];
            }
        };
    }

    /** Moves elements: each comes from a source index, or is 0 where the index is below 0. */
    Runnable moved(Value from, double[] out, int[] places) {
        double[] x = array(from);
        return () -> {
            for (int i = 0; i < out.length; i++) {
                out[i] = places[i] < 0 ? 0 : x[places[i]];
            }
        };
    }

    static int[] identity(int length) {
        int[] places = new int[length];
        Arrays.setAll(places, i -> i);
        return places;
    }

    /** Returns the source of each element of a result in an input that is broadcast to the result's extents. */
    private int[] repeated(Value result, Value input) {
        Shape to = full(result);
        if (!input.batched()) {
            return GatherIndices.repeated(to, input.shape());
        }
        // Rows stand with rows, whatever axes one has less.
        Shape from = input.shape();
        while (from.rank() < result.shape().rank()) {
            from = from.prepend(1);
        }
        return GatherIndices.repeated(to, from.prepend(rows));
    }

    /** Around an axis of the rows, all rows together. */
    AxisLayout around(Value x, int axis) {
        return AxisLayout.of(x.shape(), axis, x.batched() ? rows : 1, 1);
    }

    static Runnable concat(PlainRules in, Arrangement.Concat operator, Value v, List<Value> inputs, double[] out) {
        AxisLayout all = in.around(v, operator.axis());
        return () -> {
            int begin = 0;
            for (Value input : inputs) {
                double[] x = in.array(input);
                int length = input.shape().get(operator.axis()) * all.inside();
                for (int i = 0; i < all.outside(); i++) {
                    System.arraycopy(x, i * length, out, all.start(i) + begin, length);
                }
                begin += length;
            }
        };
    }

    static Runnable slice(PlainRules in, Arrangement.Slice operator, Value v, List<Value> inputs, double[] out) {
        AxisLayout all = in.around(inputs.get(0), operator.axis());
        double[] x = in.array(inputs.get(0));
        int length = (operator.end() - operator.begin()) * all.inside();
        return () -> {
            for (int i = 0; i < all.outside(); i++) {
                int from = all.start(i) + operator.begin() * all.inside();
                System.arraycopy(x, from, out, i * length, length);
            }
        };
    }

    static Runnable pad(PlainRules in, Arrangement.Pad operator, Value v, List<Value> inputs, double[] out) {
        AxisLayout all = in.around(v, operator.axis());
        double[] x = in.array(inputs.get(0));
        int length = inputs.get(0).shape().get(operator.axis()) * all.inside();
        return () -> {
            for (int i = 0; i < all.outside(); i++) {
                int to = all.start(i) + operator.before() * all.inside();
                System.arraycopy(x, i * length, out, to, length);
            }
        };
    }

    static Runnable transpose(
            PlainRules in, Arrangement.Transpose operator, Value v, List<Value> inputs, double[] out) {
        Shape from = in.full(inputs.get(0));
        int more = v.batched() ? 1 : 0; // the rows stay outermost
        List<Integer> order = new ArrayList<>(v.batched() ? List.of(0) : List.of());
        operator.order().forEach(axis -> order.add(more + axis));
        return in.moved(inputs.get(0), out, GatherIndices.transposed(from, order));
    }

    static Runnable spread(PlainRules in, Arrangement.Spread operator, Value v, List<Value> inputs, double[] out) {
        Runnable copies = in.moved(inputs.get(0), out, in.repeated(v, inputs.get(0)));
        if (!operator.shared()) {
            return copies;
        }
        double count = (double) out.length / in.array(inputs.get(0)).length;
        return () -> {
            copies.run();
            for (int i = 0; i < out.length; i++) {
                out[i] /= count;
            }
        };
    }

    static Runnable pick(PlainRules in, Arrangement.Pick operator, Value v, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(0));
        double[] index = in.array(inputs.get(1));
        int width = inputs.get(0).shape().get(-1);
        return () -> {
            for (int i = 0; i < out.length; i++) {
                out[i] = x[i * width + (int) index[i]];
            }
        };
    }

    static Runnable oneHot(PlainRules in, Arrangement.OneHot operator, Value v, List<Value> inputs, double[] out) {
        double[] index = in.array(inputs.get(0));
        return () -> {
            Arrays.fill(out, 0);
            for (int i = 0; i < index.length; i++) {
                out[i * operator.entries() + (int) index[i]] = 1;
            }
        };
    }

    /** Mean and biased variance of each channel, over the batch and all other axes. */
    void moments(Value value, double[] mean, double[] variance) {
        double[] x = array(value);
        int channels = mean.length;
        int pixels = value.shape().size() / channels;
        double count = (double) x.length / channels;
        Arrays.fill(mean, 0);
        Arrays.fill(variance, 0);
        for (int i = 0; i < x.length; i++) {
            mean[i / pixels % channels] += x[i];
        }
        for (int c = 0; c < channels; c++) {
            mean[c] /= count;
        }
        for (int i = 0; i < x.length; i++) {
            int c = i / pixels % channels;
            variance[c] += (x[i] - mean[c]) * (x[i] - mean[c]);
        }
        for (int c = 0; c < channels; c++) {
            variance[c] /= count;
        }
    }
}
