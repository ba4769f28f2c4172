package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.Activation;
import hocket.programs.jvm.kernels.Binary;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.RunSums;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.BatchNormGradient;
import hocket.programs.operators.Normalised;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Reduction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The computation of norms and their gradients: a channel or part at once, while it is in a cache, by threads. */
final class DenseNormRules {
    private static final float[] NONE = {};

    private DenseNormRules() {}

    static Runnable batchNorm(
            DenseRules in,
            BatchNorm norm,
            Value value,
            List<Value> inputs,
            DenseFusion.@Nullable Activated activated,
            float[] out) {
        float[] x = in.array(inputs.get(BatchNorm.X));
        float[] scale = in.array(inputs.get(BatchNorm.SCALE));
        float[] shift = in.array(inputs.get(BatchNorm.SHIFT));
        int channels = inputs.get(BatchNorm.SCALE).shape().size();
        int length = value.shape().size() / channels * in.memory.stride;
        Moments moments = norm.usesBatch(in.mode) ? Moments.of(in, inputs.get(BatchNorm.X)) : null;
        float[] means = moments == null ? in.array(inputs.get(BatchNorm.MEAN)) : NONE;
        float[] variances = moments == null ? in.array(inputs.get(BatchNorm.VARIANCE)) : NONE;
        Activation activation = activated == null ? Activation.NONE : activated.activation();
        float slope = activated == null ? 0 : activated.slope();
        int width = BatchNorm.isConditional(inputs) ? in.memory.stride : 1;
        return in.threads.overParts(channels, in.memory.length(value), (scratch, first, end) -> {
            for (int c = first; c < end; c++) {
                if (moments != null) {
                    moments.find(in, c, scratch);
                }
                float centre = (float) -(moments == null ? means[c] : moments.means[c]);
                double variance = moments == null ? variances[c] : moments.variances[c];
                double deviation = Math.sqrt(variance + norm.epsilon());
                if (width == 1) {
                    float factor = (float) (scale[c] / deviation);
                    in.kernels.normalise(activation, slope, x, centre, factor, shift[c], out, c * length, length);
                } else {
                    float[] ofRows = scratch.products(2 * width + DenseMemory.SLACK);
                    for (int r = 0; r < width; r++) {
                        ofRows[r] = (float) (scale[c * width + r] / deviation);
                    }
                    System.arraycopy(shift, c * width, ofRows, width, width);
                    int count = length / width;
                    in.kernels.normaliseRows(
                            activation, slope, x, centre, ofRows, out, c * length, width, width, count);
                }
            }
        });
    }

    /**
     * The gradient by the input, with that of the batch's moments, or by the scale.
     *
     * @param others those by the scale and the shift that are computed too
     */
    static Runnable gradients(
            DenseRules in, BatchNormGradient norm, List<Value> inputs, List<Value> others, float[] out) {
        float[] g = in.array(inputs.get(inputs.size() - 1));
        boolean ofInput = norm instanceof BatchNormGradient.ByInput;
        Moments moments = Moments.of(in, inputs.get(0));
        Gradient gradient = new Gradient(
                in,
                moments,
                norm.epsilon(),
                g,
                ofInput ? in.array(inputs.get(1)) : NONE,
                ofInput ? out : NONE,
                ofInput ? array(in, others, BatchNormGradient.class) : out,
                array(in, others, Reduction.Reduce.class));
        boolean ofRows = norm.isOfEachRow(inputs) && in.memory.stride > 1;
        return in.threads.overParts(moments.means.length, in.memory.length(inputs.get(0)), (scratch, first, end) -> {
            for (int c = first; c < end; c++) {
                moments.find(in, c, scratch);
                if (ofRows) {
                    gradient.ofRows(c, scratch);
                } else {
                    gradient.ofChannel(c, scratch);
                }
            }
        });
    }

    /**
     * The gradients of a batch norm by the batch: those with an array.
     *
     * @param g the upstream gradient
     * @param scale for that by the input
     */
    private record Gradient(
            DenseRules in,
            Moments moments,
            double epsilon,
            float[] g,
            float[] scale,
            float[] byInput,
            float[] byScale,
            float[] byShift) {
        /** Computes those of a channel whose scale and shift are the same for all rows. */
        void ofChannel(int c, Scratch scratch) {
            int length = moments.inside * in.memory.stride;
            float centre = (float) -moments.means[c];
            double power = moments.variances[c] + epsilon;
            double[] sums = moments.sums(in, RunSums.GRADIENT, centre, g, c, scratch);
            if (byShift.length > 0) {
                byShift[c] = DenseReductionRules.total(in, scratch, g, c * length, moments.inside);
            }
            if (byScale.length > 0) {
                byScale[c] = (float) (sums[1] / Math.sqrt(power));
            }
            if (byInput.length > 0) {
                double factor = scale[c] / Math.sqrt(power);
                float along = (float) (-factor * (sums[1] / moments.count) / power);
                float shift = (float) (-factor * (sums[0] / moments.count));
                in.kernels.normGradient(
                        moments.x, centre, along, g, (float) factor, shift, byInput, c * length, length, scratch);
            }
        }

        /** Computes those of a channel with a scale and a shift for each row. */
        void ofRows(int c, Scratch scratch) {
            int width = in.memory.stride;
            int inside = moments.inside;
            int at = c * inside * width;
            float centre = (float) -moments.means[c];
            double power = moments.variances[c] + epsilon;
            double factor = 1 / Math.sqrt(power);
            float[] sums = scratch.products(2 * width + DenseMemory.SLACK);
            in.kernels.rowSums(moments.x, centre, g, at, width, width, inside, sums);
            if (byShift.length > 0) {
                System.arraycopy(sums, 0, byShift, c * width, width);
            }
            for (int r = 0; r < width && byScale.length > 0; r++) {
                byScale[c * width + r] = (float) (sums[width + r] * factor);
            }
            if (byInput.length > 0) {
                double sum = 0;
                double products = 0;
                for (int r = 0; r < in.memory.rows; r++) {
                    sum += (double) scale[c * width + r] * sums[r];
                    products += (double) scale[c * width + r] * sums[width + r];
                }
                for (int r = 0; r < width; r++) {
                    sums[r] = (float) (scale[c * width + r] * factor);
                }
                float along = (float) (-factor * (products / moments.count) / power);
                float shift = (float) (-factor * (sum / moments.count));
                in.kernels.rowNormGradient(moments.x, centre, along, g, sums, shift, byInput, at, width, width, inside);
            }
        }
    }

    /** The array of the value that an operator of a class computes; empty for none. */
    private static float[] array(DenseRules in, List<Value> values, Class<? extends Operator> operator) {
        return values.stream()
                .filter(value -> operator.isInstance(value.operator()))
                .map(in::array)
                .findFirst()
                .orElse(NONE);
    }

    /**
     * The parts of rows brought to a common size, or the gradient of that: a part at once, while it is in a cache.
     *
     * @param upstream the gradient by the result; null for the result
     */
    static Runnable normalised(
            DenseRules in, Normalised norm, Value value, Value x, @Nullable Value upstream, float[] out) {
        int every = in.memory.stride(x);
        int width = x.shape().size() / norm.parts();
        float epsilon = (float) norm.epsilon();
        float[] from = in.array(x);
        float[] g = upstream == null ? null : in.array(upstream);
        return in.threads.overParts(norm.parts(), in.memory.length(x), (scratch, first, end) -> {
            float[] moments = scratch.products(3 * Scratch.LANES + DenseMemory.SLACK);
            for (int at = first * width * every; at < end * width * every; at += width * every) {
                if (every == 1) {
                    alone(in.kernels, scratch, norm.centred(), epsilon, from, g, at, width, out);
                    continue;
                }
                for (int lane = at; lane < at + every; lane += Scratch.LANES) {
                    in.kernels.moments(norm.centred(), epsilon, from, lane, every, width, moments);
                    if (g == null) {
                        in.kernels.standardise(moments, from, lane, every, width, out);
                    } else {
                        in.kernels.standardiseGradient(norm.centred(), moments, from, g, lane, every, width, out);
                    }
                }
            }
        });
    }

    /** The same for a part of a single row, whose elements are a run. */
    private static void alone(
            DenseKernels kernels,
            Scratch scratch,
            boolean centred,
            float epsilon,
            float[] x,
            float @Nullable [] g,
            int at,
            int count,
            float[] out) {
        float share = 1f / count;
        float[] y = scratch.gathered(count + DenseMemory.SLACK);
        System.arraycopy(x, at, y, 0, count);
        for (int pass = 0; centred && pass < 2; pass++) {
            kernels.unary(Unary.AFFINE, 1, -kernels.sum(y, 0, count) * share, y, 0, y, 0, count);
        }
        float power = kernels.sumOfProducts(y, 0, y, 0, count) * share + epsilon;
        float factor = 1 / (float) Math.sqrt(power);
        if (g == null) {
            kernels.unary(Unary.AFFINE, factor, 0, y, 0, out, at, count);
            return;
        }
        kernels.unary(Unary.AFFINE, factor, 0, y, 0, y, 0, count);
        float mean = centred ? kernels.sum(g, at, count) * share : 0;
        kernels.unary(Unary.AFFINE, 1, -mean, g, at, out, at, count);
        float along = kernels.sumOfProducts(out, at, y, 0, count) * share;
        kernels.unary(Unary.AFFINE, along, 0, y, 0, y, 0, count);
        kernels.binary(Binary.SUBTRACT, out, at, 1, y, 0, 1, out, at, count);
        kernels.unary(Unary.AFFINE, factor, 0, out, at, out, at, count);
    }

    /**
     * The batch's means and variances of an input, channel by channel, which the first step that needs them computes.
     *
     * @param inside the number of features of a channel
     * @param count of numbers of a channel
     * @param found whether a step before computes them
     */
    private record Moments(float[] x, double[] means, double[] variances, int inside, double count, boolean found) {
        static Moments of(DenseRules in, Value x) {
            double[][] before = in.moments(x);
            double[][] both = before == null ? in.newMoments(x) : before;
            int inside = x.shape().size() / x.shape().get(0);
            double count = (double) inside * in.memory.rows;
            return new Moments(in.array(x), both[0], both[1], inside, count, before != null);
        }

        /** Computes those of a channel, unless a step before does. */
        void find(DenseRules in, int c, Scratch scratch) {
            if (!found) {
                means[c] = sums(in, RunSums.INPUT, 0, x, c, scratch)[0] / count;
                double[] centred = sums(in, RunSums.CENTRED, (float) -means[c], x, c, scratch);
                // What the mean was rounded by is the same for all: it leaves the variance by its square.
                double rest = centred[0] / count;
                variances[c] = Math.max(0, centred[1] / count - rest * rest);
            }
        }

        private double[] sums(DenseRules in, RunSums of, float q, float[] g, int c, Scratch scratch) {
            int stride = in.memory.stride;
            double[] sums = new double[2];
            in.kernels.runSums(of, x, q, g, c * inside * stride, stride, inside, in.memory.rows, sums, scratch);
            return sums;
        }
    }
}
