package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Gathering;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/** The computation of {@link Gathering}, and of other operators that read at whole numbers. */
final class DenseGatheringRules {
    private DenseGatheringRules() {}

    static Runnable gather(DenseRules in, Gathering.Gather gather, Value value, List<Value> inputs, float[] out) {
        AxisLayout all = in.memory.around(value, gather.axis());
        AxisLayout places = in.memory.around(inputs.get(0), gather.axis());
        float[] from = in.array(inputs.get(0));
        long[] index = in.memory.integers(inputs.get(1));
        int inside = all.inside();
        return in.threads.overParts(all.outside(), in.memory.length(value), (scratch, first, end) -> {
            for (int i = first; i < end; i++) {
                for (int k = 0; k < all.along(); k++) {
                    int at = all.start(i) + k * inside;
                    for (int j = 0; j < inside; j++) {
                        out[at + j] = from[places.start(i) + (int) index[at + j] * inside + j];
                    }
                }
            }
        });
    }

    static Runnable scatterAdd(
            DenseRules in, Gathering.ScatterAdd scatter, Value value, List<Value> inputs, float[] out) {
        AxisLayout all = in.memory.around(inputs.get(0), scatter.axis());
        AxisLayout places = in.memory.around(value, scatter.axis());
        float[] from = in.array(inputs.get(0));
        long[] index = in.memory.integers(inputs.get(1));
        int inside = all.inside();
        return in.threads.overParts(all.outside(), in.memory.length(value), (scratch, first, end) -> {
            Arrays.fill(out, places.start(first), places.start(end), 0);
            for (int i = first; i < end; i++) {
                for (int k = 0; k < all.along(); k++) {
                    int at = all.start(i) + k * inside;
                    for (int j = 0; j < inside; j++) {
                        out[places.start(i) + (int) index[at + j] * inside + j] += from[at + j];
                    }
                }
            }
        });
    }

    static Runnable pick(DenseRules in, List<Value> inputs, float[] out) {
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

    static Runnable embedding(DenseRules in, Value value, List<Value> inputs, float[] out) {
        long[] index = in.memory.integers(inputs.get(0));
        float[] table = in.array(inputs.get(1));
        DenseParameter parameter = in.memory.parameter(inputs.get(1));
        int width = value.shape().get(-1);
        int all = DenseMemory.matrices(value);
        int every = in.memory.stride(value);
        int count = in.memory.rows(value);
        float[] row = new float[width];
        return () -> {
            FloatBuffer rows = table.length > 0 || parameter == null ? null : parameter.elements();
            for (int i = 0; i < all; i++) {
                for (int r = 0; r < count; r++) {
                    int from = (int) index[i * every + r] * width;
                    if (rows != null) {
                        rows.get(from, row, 0, width);
                        for (int k = 0; k < width; k++) {
                            out[(i * width + k) * every + r] = row[k];
                        }
                    } else {
                        for (int k = 0; k < width; k++) {
                            out[(i * width + k) * every + r] = table[from + k];
                        }
                    }
                }
            }
        };
    }

    /** The gradient of a table, as it is handed out: zeros, but for the rows that the last run computed. */
    static final class TableGradient {
        final Device.Array array;
        private final FloatBuffer floats;
        private final int width;
        private final float[] zeros;
        private int[] entries = {};
        private int count;

        TableGradient(Shape shape) {
            array = Device.jvm().allocate(shape, ElementType.FLOAT32);
            floats = array.view().floats();
            width = shape.get(1);
            zeros = new float[width];
        }

        /** Clears the rows of the last run. */
        void clear() {
            for (int i = 0; i < count; i++) {
                floats.put(entries[i] * width, zeros, 0, width);
            }
            count = 0;
        }

        /** Notes an entry whose row is going to be put. */
        void note(int entry, int most) {
            if (entries.length < most) {
                entries = Arrays.copyOf(entries, most);
            }
            entries[count++] = entry;
        }

        void put(int entry, float[] row) {
            floats.put(entry * width, row, 0, width);
        }
    }

    /**
     * Adds up the elements of each entry in FLOAT64, in the order of matrices and rows: a text repeats its commonest
     * characters thousands of times. Where the gradient is handed out, rows that are not used are not touched.
     */
    static Runnable embeddingWeight(DenseRules in, Value value, List<Value> inputs, float[] out) {
        long[] index = in.memory.integers(inputs.get(0));
        TableGradient gradient = in.memory.tableGradient(value);
        Value g = inputs.get(1);
        int width = value.shape().get(1);
        int all = DenseMemory.matrices(g);
        int every = in.memory.stride(g);
        int count = in.memory.rows(g);
        float[] elements = in.array(g);
        float[] turned = every == 1 ? elements : in.memory.working(all * width * every);
        long[] order = new long[all * count];
        Runnable turns = in.threads.overParts(all, (long) all * width * every, (scratch, first, end) -> {
            for (int i = first; i < end && every > 1; i++) {
                int at = i * width * every;
                in.kernels.turn(elements, at, width, count, every, turned, at, width, scratch);
            }
        });
        Runnable sums = in.threads.overParts(order.length, (long) order.length * width, (scratch, first, end) -> {
            double[] sum = new double[width];
            float[] row = gradient == null ? out : new float[width];
            for (int i = next(order, first); i < end; ) {
                int to = next(order, i + 1);
                Arrays.fill(sum, 0);
                for (; i < to; i++) {
                    int at = (int) order[i] * width;
                    for (int k = 0; k < width; k++) {
                        sum[k] += turned[at + k];
                    }
                }
                int entry = entry(order, i - 1);
                int into = gradient == null ? entry * width : 0;
                for (int k = 0; k < width; k++) {
                    row[into + k] = (float) sum[k];
                }
                if (gradient != null) {
                    gradient.put(entry, row);
                }
            }
        });
        return () -> {
            for (int i = 0; i < all; i++) {
                for (int r = 0; r < count; r++) {
                    order[i * count + r] = index[i * every + r] << Integer.SIZE | (long) i * every + r;
                }
            }
            Arrays.sort(order);
            turns.run();
            if (gradient == null) {
                Arrays.fill(out, 0, value.shape().size(), 0);
            } else {
                gradient.clear();
                for (int i = 0; i < order.length; i = next(order, i + 1)) {
                    gradient.note(entry(order, i), order.length);
                }
            }
            sums.run();
        };
    }

    private static int entry(long[] order, int i) {
        return (int) (order[i] >>> Integer.SIZE);
    }

    /** Returns the first at or after a place where another entry begins. */
    private static int next(long[] order, int from) {
        int i = from;
        while (i > 0 && i < order.length && entry(order, i) == entry(order, i - 1)) {
            i++;
        }
        return i;
    }
}
