package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.AxisLayout;
import hocket.programs.jvm.GatherIndices;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.operators.Arrangement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The computation of {@link Arrangement} operators, as copies of the longest possible runs. */
final class DenseArrangementRules {
    private DenseArrangementRules() {}

    static Runnable concat(DenseRules in, Arrangement.Concat concat, Value value, List<Value> inputs) {
        AxisLayout all = in.memory.around(value, concat.axis());
        Object[] from = inputs.stream().map(in.memory::elements).toArray();
        Object out = in.memory.elements(value);
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

    static Runnable slice(DenseRules in, Arrangement.Slice slice, Value value, List<Value> inputs) {
        Value x = inputs.get(0);
        AxisLayout all = in.memory.around(x, slice.axis());
        Object from = in.memory.elements(x);
        Object out = in.memory.elements(value);
        int length = (slice.end() - slice.begin()) * all.inside();
        return () -> {
            for (int i = 0; i < all.outside(); i++) {
                int begin = all.start(i) + slice.begin() * all.inside();
                System.arraycopy(from, begin, out, i * length, length);
            }
        };
    }

    static Runnable pad(DenseRules in, Arrangement.Pad pad, Value value, List<Value> inputs) {
        Value x = inputs.get(0);
        AxisLayout all = in.memory.around(value, pad.axis());
        Object from = in.memory.elements(x);
        Object out = in.memory.elements(value);
        int length = x.shape().get(pad.axis()) * all.inside();
        return () -> {
            fill(out, 0, all.start(all.outside()), null, 0);
            for (int i = 0; i < all.outside(); i++) {
                int to = all.start(i) + pad.before() * all.inside();
                System.arraycopy(from, i * length, out, to, length);
            }
        };
    }

    /** Fills a range with one element of an array of the same type; with 0 without one. */
    private static void fill(Object out, int begin, int end, @Nullable Object from, int at) {
        if (out instanceof long[] whole) {
            Arrays.fill(whole, begin, end, from == null ? 0 : ((long[]) from)[at]);
        } else {
            Arrays.fill((float[]) out, begin, end, from == null ? 0 : ((float[]) from)[at]);
        }
    }

    static Runnable transpose(DenseRules in, Arrangement.Transpose transpose, Value value, List<Value> inputs) {
        Value x = inputs.get(0);
        return moved(in, x, GatherIndices.transposed(x.shape(), transpose.order()), in.memory.elements(value));
    }

    /** Features, each from another's place, in the longest runs of neighbours or, of a single row, of equal ones. */
    private static Runnable moved(DenseRules in, Value x, int[] features, Object out) {
        Object from = in.memory.elements(x);
        int every = in.memory.stride(x);
        int[] starts = IntStream.iterate(0, f -> f < features.length, f -> endOfRun(features, f, every))
                .toArray();
        return in.threads.overParts(starts.length, (long) features.length * every, (scratch, first, end) -> {
            for (int i = first; i < end; i++) {
                int f = starts[i];
                int next = i + 1 < starts.length ? starts[i + 1] : features.length;
                if (next > f + 1 && features[f + 1] == features[f]) {
                    fill(out, f, next, from, features[f]);
                } else {
                    System.arraycopy(from, features[f] * every, out, f * every, (next - f) * every);
                }
            }
        });
    }

    private static int endOfRun(int[] features, int start, int every) {
        int end = start + 1;
        int step = end < features.length ? features[end] - features[start] : 1;
        while (end < features.length
                && features[end] == features[end - 1] + step
                && (step == 1 || step == 0 && every == 1)) {
            end++;
        }
        return end;
    }

    static Runnable spread(DenseRules in, Arrangement.Spread spread, Value value, List<Value> inputs) {
        Value x = inputs.get(0);
        int[] features = GatherIndices.repeated(value.shape(), x.shape());
        boolean toRows = value.batched() && !x.batched();
        Object from = in.memory.elements(x);
        Object out = in.memory.elements(value);
        int every = in.memory.stride(value);
        Runnable moved = toRows
                ? () -> {
                    for (int f = 0; f < features.length; f++) {
                        fill(out, f * every, (f + 1) * every, from, features[f]);
                    }
                }
                : moved(in, x, features, out);
        if (!spread.shared()) {
            return moved;
        }
        long copies = (long) value.shape().size() / x.shape().size() * (toRows ? in.memory.rows : 1);
        float share = (float) (1.0 / copies);
        int length = in.memory.length(value);
        float[] shared = in.array(value);
        return () -> {
            moved.run();
            in.kernels.unary(Unary.AFFINE, share, 0, shared, 0, shared, 0, length);
        };
    }
}
