package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.Binary;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.BatchNormGradient;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The computation of batch norms and their gradients: a channel at once, while it is in a cache, by threads. */
final class DenseNormRules {
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
        int inside = value.shape().size() / channels;
        boolean ofBatch = norm.usesBatch(in.mode);
        double[][] moments = ofBatch ? in.further(value) : new double[0][];
        float[] means = ofBatch ? x : in.array(inputs.get(BatchNorm.MEAN));
        float[] variances = ofBatch ? x : in.array(inputs.get(BatchNorm.VARIANCE));
        int length = inside * in.memory.stride;
        return in.threads.overParts(channels, in.memory.length(value), (scratch, first, end) -> {
            float[] centred = scratch.gathered(length + DenseMemory.SLACK);
            for (int c = first; c < end; c++) {
                int at = c * length;
                double mean = means[c];
                double variance = variances[c];
                if (ofBatch) {
                    mean = mean(in, x, at, inside);
                    variance = centre(in, x, at, inside, mean, centred);
                    moments[BatchNorm.BATCH_MEAN][c] = mean;
                    moments[BatchNorm.BATCH_VARIANCE][c] = variance;
                } else {
                    in.kernels.unary(Unary.AFFINE, 1, (float) -mean, x, at, centred, 0, length);
                }
                float factor = (float) (scale[c] / Math.sqrt(variance + norm.epsilon()));
                in.kernels.unary(Unary.AFFINE, factor, shift[c], centred, 0, out, at, length);
                if (activated != null) {
                    activated.apply(in.kernels, out, at, length);
                }
            }
        });
    }

    /** The gradient by the input, with that of the batch's moments. */
    static Runnable input(DenseRules in, BatchNormGradient.ByInput norm, Value v, List<Value> inputs, float[] out) {
        float[] x = in.array(inputs.get(0));
        float[] scale = in.array(inputs.get(1));
        float[] g = in.array(inputs.get(2));
        int channels = inputs.get(1).shape().size();
        int inside = v.shape().size() / channels;
        int length = inside * in.memory.stride;
        double count = (double) inside * in.memory.rows;
        return in.threads.overParts(channels, in.memory.length(v), (scratch, first, end) -> {
            float[] centred = scratch.gathered(length + DenseMemory.SLACK);
            for (int c = first; c < end; c++) {
                int at = c * length;
                double variance = centre(in, x, at, inside, mean(in, x, at, inside), centred);
                double power = variance + norm.epsilon();
                double factor = scale[c] / Math.sqrt(power);
                double along = products(in, g, at, centred, inside) / count;
                double mean = mean(in, g, at, inside);
                in.kernels.unary(Unary.AFFINE, (float) (-factor * along / power), 0, centred, 0, centred, 0, length);
                in.kernels.unary(Unary.AFFINE, (float) factor, (float) (-factor * mean), g, at, out, at, length);
                in.kernels.binary(Binary.ADD, out, at, 1, centred, 0, 1, out, at, length);
            }
        });
    }

    /** The gradient by the scale. */
    static Runnable scale(DenseRules in, BatchNormGradient.ByScale norm, Value v, List<Value> inputs, float[] out) {
        float[] x = in.array(inputs.get(0));
        float[] g = in.array(inputs.get(1));
        int channels = v.shape().size();
        int inside = inputs.get(0).shape().size() / channels;
        int length = inside * in.memory.stride;
        return in.threads.overParts(channels, in.memory.length(inputs.get(0)), (scratch, first, end) -> {
            float[] centred = scratch.gathered(length + DenseMemory.SLACK);
            for (int c = first; c < end; c++) {
                int at = c * length;
                double variance = centre(in, x, at, inside, mean(in, x, at, inside), centred);
                out[c] = (float) (products(in, g, at, centred, inside) / Math.sqrt(variance + norm.epsilon()));
            }
        });
    }

    /** The mean of a channel's rows, without the padding. */
    private static double mean(DenseRules in, float[] x, int at, int inside) {
        double sum = 0;
        for (int f = 0; f < inside; f++) {
            sum += in.kernels.sum(x, at + f * in.memory.stride, in.memory.rows);
        }
        return sum / ((double) inside * in.memory.rows);
    }

    /** Subtracts the mean from a channel, and returns its variance. */
    private static double centre(DenseRules in, float[] x, int at, int inside, double mean, float[] centred) {
        double count = (double) inside * in.memory.rows;
        in.kernels.unary(Unary.AFFINE, 1, (float) -mean, x, at, centred, 0, inside * in.memory.stride);
        // What the mean was rounded by is the same for all: it leaves the variance by its square.
        double rest = mean(in, centred, 0, inside);
        return Math.max(0, products(in, centred, 0, centred, inside) / count - rest * rest);
    }

    private static double products(DenseRules in, float[] a, int aAt, float[] b, int inside) {
        double sum = 0;
        for (int f = 0; f < inside; f++) {
            int at = f * in.memory.stride;
            sum += in.kernels.sumOfProducts(a, aAt + at, b, at, in.memory.rows);
        }
        return sum;
    }
}
