package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.Binary;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Gelu;
import hocket.scopes.ElementType;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** The computation of {@link Elementwise} operators, in {@link StridedRuns}, and by threads for long runs. */
final class DenseElementwiseRules {
    /** The density of the standard normal distribution at 0. */
    private static final double DENSITY = 1 / Math.sqrt(2 * Math.PI);

    private DenseElementwiseRules() {}

    static Runnable unary(DenseRules in, Elementwise.Unary operator, Value y, List<Value> x, float[] out) {
        return switch (operator.function()) {
            case NEGATE -> each(in, Unary.NEGATE, 0, 0, x, out);
            case RELU -> each(in, Unary.RELU, 0, 0, x, out);
            case TANH -> each(in, Unary.TANH, 0, 0, x, out);
            case SIGMOID -> each(in, Unary.SIGMOID, 0, 0, x, out);
            case SOFTPLUS -> each(in, Unary.SOFTPLUS, 0, 0, x, out);
            case EXP -> each(in, Unary.EXP, 0, 0, x, out);
            case LOG -> each(in, Unary.LOG, 0, 0, x, out);
            case SQRT -> each(in, Unary.SQRT, 0, 0, x, out);
            case SQUARE -> each(in, Unary.SQUARE, 0, 0, x, out);
            case ABS -> each(in, Unary.ABS, 0, 0, x, out);
            case STEP -> positive(in, x, out);
            case SIGN -> slowly(in, Math::signum, x, out);
            case SIN -> slowly(in, StrictMath::sin, x, out);
            case COS -> slowly(in, StrictMath::cos, x, out);
            case ERF -> each(in, Unary.ERF, 0, 0, x, out);
        };
    }

    static Runnable each(DenseRules in, Unary function, double p, double q, List<Value> x, float[] out) {
        float[] from = in.array(x.get(0));
        return in.threads.overRun(
                in.memory.length(x.get(0)),
                (at, count) -> in.kernels.unary(function, (float) p, (float) q, from, at, out, at, count));
    }

    /** 1 where positive. */
    private static Runnable positive(DenseRules in, List<Value> x, float[] out) {
        float[] from = in.array(x.get(0));
        float[] zero = new float[1 + DenseMemory.SLACK];
        return in.threads.overRun(
                in.memory.length(x.get(0)),
                (at, count) -> in.kernels.binary(Binary.GREATER, from, at, 1, zero, 0, 0, out, at, count));
    }

    /** Functions that have no kernel, by those of libraries, number by number. */
    private static Runnable slowly(DenseRules in, DoubleUnaryOperator function, List<Value> x, float[] out) {
        float[] from = in.array(x.get(0));
        return in.threads.overRun(in.memory.length(x.get(0)), (at, count) -> {
            for (int i = at; i < at + count; i++) {
                out[i] = (float) function.applyAsDouble(from[i]);
            }
        });
    }

    static Runnable binary(DenseRules in, Elementwise.Binary operator, Value value, List<Value> inputs, float[] out) {
        return inputs.get(0).type() == ElementType.INT64
                ? integerPair(in, operator.pair(), value, inputs, out)
                : pair(in, Binary.valueOf(operator.pair().name()), value, inputs, out);
    }

    static Runnable pair(DenseRules in, Binary function, Value value, List<Value> inputs, float[] out) {
        float[] a = in.array(inputs.get(0));
        float[] b = in.array(inputs.get(1));
        StridedRuns stridedRuns = StridedRuns.of(value, inputs, in.memory.stride);
        if (stridedRuns.size() == 1) {
            int aStep = stridedRuns.step()[0][0];
            int bStep = stridedRuns.step()[1][0];
            return in.threads.overRun(
                    in.memory.length(value),
                    (at, count) ->
                            in.kernels.binary(function, a, at * aStep, aStep, b, at * bStep, bStep, out, at, count));
        }
        int[] at = stridedRuns.at();
        int[] count = stridedRuns.count();
        int[] aAt = stridedRuns.from()[0];
        int[] bAt = stridedRuns.from()[1];
        int[] aStep = stridedRuns.step()[0];
        int[] bStep = stridedRuns.step()[1];
        return in.threads.overParts(at.length, in.memory.length(value), (scratch, first, end) -> {
            for (int i = first; i < end; i++) {
                in.kernels.binary(function, a, aAt[i], aStep[i], b, bAt[i], bStep[i], out, at[i], count[i]);
            }
        });
    }

    private static Runnable integerPair(
            DenseRules in, Elementwise.Pair pair, Value value, List<Value> inputs, float[] out) {
        long[] a = in.memory.integers(inputs.get(0));
        long[] b = in.memory.integers(inputs.get(1));
        StridedRuns stridedRuns = StridedRuns.of(value, inputs, in.memory.stride);
        boolean equal = pair == Elementwise.Pair.EQUAL;
        return () -> {
            for (int i = 0; i < stridedRuns.size(); i++) {
                for (int k = 0; k < stridedRuns.count()[i]; k++) {
                    long left = a[stridedRuns.from()[0][i] + k * stridedRuns.step()[0][i]];
                    long right = b[stridedRuns.from()[1][i] + k * stridedRuns.step()[1][i]];
                    out[stridedRuns.at()[i] + k] = (equal ? left == right : left > right) ? 1 : 0;
                }
            }
        };
    }

    static Runnable where(DenseRules in, Elementwise.Where operator, Value value, List<Value> inputs, float[] out) {
        float[] condition = in.array(inputs.get(0));
        float[] a = in.array(inputs.get(1));
        float[] b = in.array(inputs.get(2));
        StridedRuns stridedRuns = StridedRuns.of(value, inputs, in.memory.stride);
        return in.threads.overParts(stridedRuns.size(), in.memory.length(value), (scratch, first, end) -> {
            for (int i = first; i < end; i++) {
                in.kernels.where(
                        condition,
                        stridedRuns.from()[0][i],
                        stridedRuns.step()[0][i],
                        a,
                        stridedRuns.from()[1][i],
                        stridedRuns.step()[1][i],
                        b,
                        stridedRuns.from()[2][i],
                        stridedRuns.step()[2][i],
                        out,
                        stridedRuns.at()[i],
                        stridedRuns.count()[i]);
            }
        });
    }

    /** {@code x·Φ(x)}. */
    static Runnable gelu(DenseRules in, Value x, float[] out) {
        float[] from = in.array(x);
        return in.threads.overRun(in.memory.length(x), (at, count) -> {
            probability(in, from, at, out, at, count);
            in.kernels.binary(Binary.MULTIPLY, out, at, 1, from, at, 1, out, at, count);
        });
    }

    /** Φ(x). */
    private static void probability(DenseRules in, float[] x, int at, float[] out, int outAt, int count) {
        in.kernels.unary(Unary.AFFINE, (float) Gelu.SQRT_HALF, 0, x, at, out, outAt, count);
        in.kernels.unary(Unary.ERF, 0, 0, out, outAt, out, outAt, count);
        in.kernels.unary(Unary.AFFINE, 0.5f, 0.5f, out, outAt, out, outAt, count);
    }

    /** {@code g·(Φ(x) + x·φ(x))}. */
    static Runnable geluGradient(DenseRules in, Value x, Value upstream, float[] out) {
        float[] from = in.array(x);
        float[] g = in.array(upstream);
        int length = in.memory.length(x);
        int pieces = (length + DenseThreads.PIECE - 1) / DenseThreads.PIECE;
        return in.threads.overParts(pieces, length, (scratch, first, end) -> {
            float[] probabilities = scratch.gathered(DenseThreads.PIECE + DenseMemory.SLACK);
            for (int at = first * DenseThreads.PIECE;
                    at < Math.min(length, end * DenseThreads.PIECE);
                    at += DenseThreads.PIECE) {
                int count = Math.min(DenseThreads.PIECE, length - at);
                probability(in, from, at, probabilities, 0, count);
                in.kernels.unary(Unary.SQUARE, 0, 0, from, at, out, at, count);
                in.kernels.unary(Unary.AFFINE, -0.5f, 0, out, at, out, at, count);
                in.kernels.unary(Unary.EXP, 0, 0, out, at, out, at, count);
                in.kernels.unary(Unary.AFFINE, (float) DENSITY, 0, out, at, out, at, count);
                in.kernels.binary(Binary.MULTIPLY, out, at, 1, from, at, 1, out, at, count);
                in.kernels.binary(Binary.ADD, out, at, 1, probabilities, 0, 1, out, at, count);
                in.kernels.binary(Binary.MULTIPLY, out, at, 1, g, at, 1, out, at, count);
            }
        });
    }

    static Runnable sloped(DenseRules in, DenseFusion.Sloped sloped, List<Value> inputs, float[] out) {
        float[] g = in.array(inputs.get(0));
        float[] y = in.array(inputs.get(1));
        return in.threads.overRun(
                in.memory.length(inputs.get(0)),
                (at, count) -> in.kernels.slope(sloped.slope(), sloped.p(), g, at, y, at, out, at, count, false));
    }
}
