package hocket.programs.jvm;

import hocket.programs.Products;
import hocket.programs.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How {@link Products} are computed: matrix by matrix where a row is several, and in parts where they are large. */
final class DenseProductRules {
    /** The number of matrices whose weight gradients are added in sequence; groups of them are added pairwise. */
    private static final int MATRICES = 16;

    private DenseProductRules() {}

    /** A product of one of the matrices: where it begins in what has the width, and in what has the units. */
    @FunctionalInterface
    private interface OfMatrix {
        void run(int widthAt, int unitsAt, Scratch scratch, int part, int parts);
    }

    /**
     * The products of all matrices.
     *
     * @param x what has the width of the weight, or its gradient
     */
    private static Runnable each(DenseRules in, Value x, int units, OfMatrix product) {
        return each(in, x, units, 0, DenseMemory.matrices(x), product);
    }

    /** Those of the matrices from one up to another. */
    private static Runnable each(DenseRules in, Value x, int units, int first, int end, OfMatrix product) {
        int width = x.shape().get(-1);
        int every = in.memory.stride(x);
        return in.threads.products((long) units * width * every * (end - first), (scratch, part, parts) -> {
            for (int i = first; i < end; i++) {
                product.run(i * width * every, i * units * every, scratch, part, parts);
            }
        });
    }

    /** With the activation behind it. */
    static Runnable dense(DenseRules in, List<Value> inputs, Activation activation, float slope, float[] out) {
        float[] x = in.array(inputs.get(0));
        float[] weight = in.array(inputs.get(1));
        float[] bias = inputs.size() > 2 ? in.array(inputs.get(2)) : null;
        int units = inputs.get(1).shape().get(0);
        int width = inputs.get(1).shape().get(1);
        int every = in.memory.stride(inputs.get(0));
        DenseKernels kernels = in.kernels;
        return each(in, inputs.get(0), units, (xAt, yAt, scratch, part, parts) -> {
            kernels.forward(
                    units, width, every, weight, 0, bias, 0, x, xAt, out, yAt, activation, slope, scratch, part, parts);
        });
    }

    static Runnable denseInput(DenseRules in, Products.DenseInput operator, Value dx, List<Value> inputs, float[] out) {
        float[] dy = in.array(inputs.get(0));
        float[] weight = in.array(inputs.get(1));
        int units = inputs.get(1).shape().get(0);
        int width = inputs.get(1).shape().get(1);
        int every = in.memory.stride(dx);
        DenseKernels kernels = in.kernels;
        return each(in, dx, units, (xAt, yAt, scratch, part, parts) -> {
            kernels.inputGradient(units, width, every, weight, 0, dy, yAt, out, xAt, false, scratch, part, parts);
        });
    }

    /** @param bias what the gradient of the bias is written to; null where it is not wanted */
    static Runnable denseWeight(DenseRules in, List<Value> inputs, float @Nullable [] bias, float[] out) {
        float[] x = in.array(inputs.get(0));
        float[] dy = in.array(inputs.get(1));
        int units = inputs.get(1).shape().get(-1);
        int width = inputs.get(0).shape().get(-1);
        int every = in.memory.stride(inputs.get(0));
        int count = in.memory.rows(inputs.get(0));
        DenseKernels kernels = in.kernels;
        int all = DenseMemory.matrices(inputs.get(0));
        List<Runnable> groups = new ArrayList<>();
        for (int first = 0; first < all; first += MATRICES) {
            int begin = first * width * every;
            groups.add(each(
                    in,
                    inputs.get(0),
                    units,
                    first,
                    Math.min(all, first + MATRICES),
                    (xAt, yAt, scratch, part, parts) -> {
                        boolean add = xAt > begin; // to what the matrices before it gave
                        kernels.weightGradient(
                                units, width, count, every, dy, yAt, x, xAt, out, 0, bias, 0, add, scratch, part,
                                parts);
                    }));
        }
        return groups.size() == 1 ? groups.get(0) : sumOf(kernels, groups, units * width, out, units, bias);
    }

    /** Adds the results of several groups of matrices pairwise. */
    private static Runnable sumOf(
            DenseKernels kernels, List<Runnable> groups, int weights, float[] out, int units, float @Nullable [] bias) {
        PairwiseSums ofWeight = new PairwiseSums();
        PairwiseSums ofBias = new PairwiseSums();
        return () -> {
            ofWeight.begin(weights);
            ofBias.begin(units);
            for (Runnable group : groups) {
                group.run();
                ofWeight.add(kernels, out, 0);
                if (bias != null) {
                    ofBias.add(kernels, bias, 0);
                }
            }
            System.arraycopy(ofWeight.sum(kernels), 0, out, 0, weights);
            if (bias != null) {
                System.arraycopy(ofBias.sum(kernels), 0, bias, 0, units);
            }
        };
    }

    static Runnable embedding(
            DenseRules in, Products.Embedding operator, Value value, List<Value> inputs, float[] out) {
        long[] index = in.memory.integers(inputs.get(0));
        float[] table = in.array(inputs.get(1));
        int width = value.shape().get(-1);
        int all = DenseMemory.matrices(value);
        int every = in.memory.stride(value);
        int count = in.memory.rows(value);
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
}
