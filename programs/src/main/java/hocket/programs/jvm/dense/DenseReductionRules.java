package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.AxisLayout;
import hocket.programs.jvm.kernels.Binary;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.PairwiseSums;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.operators.Reduction;
import java.util.Arrays;
import java.util.List;

/** The computation of reductions. */
final class DenseReductionRules {
    /** The number of columns processed at a time, which fit into a first-level cache. */
    private static final int COLUMNS = 512;

    private DenseReductionRules() {}

    static Runnable argMax(DenseRules in, Value x, long[] out) {
        float[] from = in.array(x);
        int width = x.shape().get(-1);
        int all = DenseMemory.matrices(x);
        int every = in.memory.stride(x);
        int count = in.memory.rows(x);
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

    /** Sorts by whole numbers that are ordered as the elements are, with the places in their lower half. */
    static Runnable argSort(DenseRules in, Reduction.ArgSort sort, Value x, long[] out) {
        float[] from = in.array(x);
        AxisLayout all = in.memory.around(x, sort.axis());
        int lines = all.outside() * all.inside();
        return in.threads.overParts(lines, in.memory.length(x), (scratch, first, end) -> {
            long[] keys = new long[all.along()];
            for (int i = first; i < end; i++) {
                int start = all.line(i);
                for (int k = 0; k < keys.length; k++) {
                    int bits = Float.floatToIntBits(from[start + k * all.inside()] + 0f); // both zeros are equal
                    int ordered = bits >= 0 ? bits : bits ^ Integer.MAX_VALUE;
                    keys[k] = (long) (sort.descending() ? ~ordered : ordered) << Integer.SIZE | k;
                }
                Arrays.sort(keys);
                for (int k = 0; k < keys.length; k++) {
                    out[start + k * all.inside()] = (int) keys[k];
                }
            }
        });
    }

    static Runnable reduce(DenseRules in, Reduction.Reduce reduce, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        float[] from = in.array(x);
        boolean largest = reduce.how() == Reduction.How.MAX;
        int every = in.memory.stride(x);
        int count = in.memory.rows(x);
        int features = x.shape().size();
        if (reduce.axis() == Reduction.Reduce.BATCH) {
            float share = reduce.how() == Reduction.How.MEAN ? (float) (1.0 / in.memory.rows) : 1;
            return in.threads.overParts(features, in.memory.length(x), (scratch, first, end) -> {
                for (int f = first; f < end; f++) {
                    out[f] = largest
                            ? in.kernels.max(from, f * every, count)
                            : in.kernels.sum(from, f * every, count) * share;
                }
            });
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
                            ? Math.max(sum, in.kernels.max(from, f * every, length))
                            : sum + in.kernels.sum(from, f * every, length);
                }
                out[0] = (float) (sum * share);
            };
        }
        return along(in, reduce, x, out);
    }

    private static Runnable along(DenseRules in, Reduction.Reduce reduce, Value x, float[] out) {
        float[] from = in.array(x);
        AxisLayout all = in.memory.around(x, reduce.axis());
        boolean largest = reduce.how() == Reduction.How.MAX;
        float share = reduce.how() == Reduction.How.MEAN ? (float) (1.0 / all.along()) : 1;
        if (all.inside() == 1) {
            return in.threads.overParts(all.outside(), in.memory.length(x), (scratch, first, end) -> {
                for (int i = first; i < end; i++) {
                    out[i] = largest
                            ? in.kernels.max(from, i * all.along(), all.along())
                            : in.kernels.sum(from, i * all.along(), all.along()) * share;
                }
            });
        }
        int inside = all.inside();
        return in.threads.overParts(all.outside(), in.memory.length(x), (scratch, first, end) -> {
            for (int i = first; i < end; i++) {
                if (largest) {
                    largest(in.kernels, from, all.start(i), all, out, i * inside);
                } else {
                    sum(in.kernels, scratch.sums(), from, all.start(i), all.along(), inside, out, i * inside);
                }
            }
            if (share != 1) {
                in.kernels.unary(
                        Unary.AFFINE, share, 0, out, first * inside, out, first * inside, (end - first) * inside);
            }
        });
    }

    private static void largest(DenseKernels kernels, float[] from, int start, AxisLayout all, float[] out, int at) {
        System.arraycopy(from, start, out, at, all.inside());
        for (int k = 1; k < all.along(); k++) {
            int next = start + k * all.inside();
            kernels.binary(Binary.MAXIMUM, out, at, 1, from, next, 1, out, at, all.inside());
        }
    }

    static void sum(
            DenseKernels kernels,
            PairwiseSums sums,
            float[] from,
            int start,
            int along,
            int inside,
            float[] out,
            int at) {
        for (int first = 0; first < inside; first += COLUMNS) {
            int count = Math.min(COLUMNS, inside - first);
            sums.begin(count);
            sums.add(kernels, from, start + first, inside, along);
            System.arraycopy(sums.sum(kernels), 0, out, at + first, count);
        }
    }

    /** The sums over the batch and the first or the second of two axes. */
    static Runnable totals(DenseRules in, int axis, Value x, float[] out) {
        float[] from = in.array(x);
        int all = x.shape().get(0);
        int features = x.shape().get(1);
        int every = in.memory.stride(x);
        int step = features * every;
        if (axis == 1) {
            return in.threads.overParts(all, in.memory.length(x), (scratch, first, end) -> {
                for (int i = first; i < end; i++) {
                    out[i] = total(in, scratch, from, i * step, features);
                }
            });
        }
        int some = Math.max(1, COLUMNS / every);
        return in.threads.overParts(features, in.memory.length(x), (scratch, first, end) -> {
            PairwiseSums sums = scratch.sums();
            for (int f = first; f < end; f += some) {
                int count = Math.min(some, end - f);
                sums.begin(count * every);
                sums.add(in.kernels, from, f * every, step, all);
                float[] ofRows = sums.sum(in.kernels);
                for (int k = 0; k < count; k++) {
                    out[f + k] = in.kernels.sum(ofRows, k * every, in.memory.rows(x));
                }
            }
        });
    }

    /** The sum of all rows of some features: over the features, then over the rows. */
    static float total(DenseRules in, Scratch scratch, float[] from, int at, int features) {
        int stride = in.memory.stride;
        if (stride == 1) {
            return in.kernels.sum(from, at, features);
        }
        float[] ofRows = scratch.products(stride + DenseMemory.SLACK);
        sum(in.kernels, scratch.sums(), from, at, features, stride, ofRows, 0);
        return in.kernels.sum(ofRows, 0, in.memory.rows);
    }

    static Runnable softmax(DenseRules in, Reduction.Softmax softmax, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        float[] from = in.array(x);
        AxisLayout all = in.memory.around(x, softmax.axis());
        return in.threads.overParts(all.outside(), in.memory.length(x), (scratch, first, end) -> {
            for (int i = first; i < end; i++) {
                softmax(in.kernels, scratch, softmax.logarithm(), from, all.start(i), all, out, all.start(i));
            }
        });
    }

    /** The softmax of the lines along an axis from a start on. */
    static void softmax(
            DenseKernels kernels,
            Scratch scratch,
            boolean logarithm,
            float[] from,
            int start,
            AxisLayout all,
            float[] out,
            int at) {
        int inside = all.inside();
        int length = all.along() * inside;
        float[] ofLine = scratch.products(inside + DenseMemory.SLACK);
        largest(kernels, from, start, all, ofLine, 0);
        each(kernels, Binary.SUBTRACT, from, start, ofLine, out, at, all);
        // The differences stay where a logarithm is asked for.
        float[] powers = logarithm ? scratch.gathered(length + DenseMemory.SLACK) : out;
        int powersAt = logarithm ? 0 : at;
        kernels.unary(Unary.EXP, 0, 0, out, at, powers, powersAt, length);
        sum(kernels, scratch.sums(), powers, powersAt, all.along(), inside, ofLine, 0);
        if (logarithm) {
            kernels.unary(Unary.LOG, 0, 0, ofLine, 0, ofLine, 0, inside);
        }
        each(kernels, logarithm ? Binary.SUBTRACT : Binary.DIVIDE, out, at, ofLine, out, at, all);
    }

    /** Combines all elements of the lines from a start on with one of each line. */
    static void each(
            DenseKernels kernels,
            Binary pair,
            float[] from,
            int start,
            float[] ofLine,
            float[] out,
            int at,
            AxisLayout all) {
        int inside = all.inside();
        for (int i = 0; i < all.along() * inside; i += inside) {
            kernels.binary(pair, from, start + i, 1, ofLine, 0, inside == 1 ? 0 : 1, out, at + i, inside);
        }
    }

    static Runnable cumulativeSum(
            DenseRules in, Reduction.CumulativeSum sum, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        float[] from = in.array(x);
        AxisLayout all = in.memory.around(x, sum.axis());
        int inside = all.inside();
        double[] sums = new double[inside];
        return () -> {
            for (int i = 0; i < all.outside(); i++) {
                int start = all.start(i);
                int first = sum.reversed() ? all.along() - 1 : 0;
                int onward = sum.reversed() ? -inside : inside;
                int at = start + first * inside;
                Arrays.fill(sums, 0);
                for (int k = 0; k < all.along(); k++, at += onward) {
                    for (int j = 0; j < inside; j++) {
                        sums[j] += from[at + j];
                        out[at + j] = (float) sums[j];
                    }
                }
            }
        };
    }
}
