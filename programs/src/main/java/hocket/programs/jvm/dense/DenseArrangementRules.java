package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.operators.Arrangement;
import java.util.Arrays;
import java.util.List;

/** The computation of {@link Arrangement} operators, as copies of the longest possible runs. */
final class DenseArrangementRules {
    private DenseArrangementRules() {}

    static Runnable concat(DenseRules in, Arrangement.Concat concat, Value value, List<Value> inputs, float[] out) {
        AxisLayout all = in.memory.around(value, concat.axis());
        float[][] from = inputs.stream().map(in::array).toArray(float[][]::new);
        int[] lengths = inputs.stream()
                .mapToInt(x -> x.shape().get(concat.axis()) * all.inside())
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

    static Runnable slice(DenseRules in, Arrangement.Slice slice, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        AxisLayout all = in.memory.around(x, slice.axis());
        float[] from = in.array(x);
        int length = (slice.end() - slice.begin()) * all.inside();
        return () -> {
            for (int i = 0; i < all.outside(); i++) {
                int begin = all.start(i) + slice.begin() * all.inside();
                System.arraycopy(from, begin, out, i * length, length);
            }
        };
    }

    static Runnable pad(DenseRules in, Arrangement.Pad pad, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        AxisLayout all = in.memory.around(value, pad.axis());
        float[] from = in.array(x);
        int length = x.shape().get(pad.axis()) * all.inside();
        return () -> {
            Arrays.fill(out, 0, all.start(all.outside()), 0);
            for (int i = 0; i < all.outside(); i++) {
                int to = all.start(i) + pad.before() * all.inside();
                System.arraycopy(from, i * length, out, to, length);
            }
        };
    }

    static Runnable transpose(
            DenseRules in, Arrangement.Transpose transpose, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        return moved(in, x, GatherIndices.transposed(x.shape(), transpose.order()), out);
    }

    /** Features, each from another's place. */
    private static Runnable moved(DenseRules in, Value x, int[] features, float[] out) {
        float[] from = in.array(x);
        int every = in.memory.stride(x);
        return () -> {
            for (int f = 0; f < features.length; f++) {
                System.arraycopy(from, features[f] * every, out, f * every, every);
            }
        };
    }

    static Runnable spread(DenseRules in, Arrangement.Spread spread, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        int[] features = GatherIndices.repeated(value.shape(), x.shape());
        boolean toRows = value.batched() && !x.batched();
        float[] from = in.array(x);
        int every = in.memory.stride(value);
        long copies = (long) value.shape().size() / x.shape().size() * (toRows ? in.memory.rows : 1);
        Runnable moved = toRows
                ? () -> {
                    for (int f = 0; f < features.length; f++) {
                        Arrays.fill(out, f * every, (f + 1) * every, from[features[f]]);
                    }
                }
                : moved(in, x, features, out);
        if (!spread.shared()) {
            return moved;
        }
        float share = (float) (1.0 / copies);
        int length = in.memory.length(value);
        return () -> {
            moved.run();
            in.kernels.unary(Unary.AFFINE, share, 0, out, 0, out, 0, length);
        };
    }

    static Runnable pick(DenseRules in, Arrangement.Pick pick, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        float[] from = in.array(x);
        long[] index = in.memory.integers(inputs.get(1));
        int width = x.shape().get(-1);
        int all = DenseMemory.matrices(x);
        int every = in.memory.stride(x);
        int count = in.memory.rows(x);
        return () -> {
            for (int i = 0; i < all; i++) {
                for (int r = 0; r < count; r++) {
                    out[i * every + r] = from[(i * width + (int) index[i * every + r]) * every + r];
                }
            }
        };
    }

    static Runnable oneHot(DenseRules in, Arrangement.OneHot oneHot, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        long[] index = in.memory.integers(x);
        int all = x.shape().size();
        int every = in.memory.stride(x);
        int count = in.memory.rows(x);
        int length = in.memory.length(value);
        return () -> {
            Arrays.fill(out, 0, length, 0);
            for (int i = 0; i < all; i++) {
                for (int r = 0; r < count; r++) {
                    out[(i * oneHot.entries() + (int) index[i * every + r]) * every + r] = 1;
                }
            }
        };
    }
}
