package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.execution.CompiledProgram;
import hocket.programs.jvm.AxisLayout;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Gathering;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

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
        int groups = Scratch.lanes(count) / Scratch.LANES;
        return in.threads.overParts(all * groups, (long) all * count * width, (scratch, first, end) -> {
            FloatBuffer rows = table.length > 0 || parameter == null ? null : parameter.elements();
            float[] group = scratch.gathered(Scratch.LANES * width);
            for (int part = first; part < end; part++) {
                int i = part / groups;
                int from = part % groups * Scratch.LANES;
                int some = Math.min(Scratch.LANES, count - from);
                for (int r = 0; r < some; r++) {
                    int entry = (int) index[i * every + from + r] * width;
                    if (rows != null) {
                        rows.get(entry, group, r * width, width);
                    } else {
                        System.arraycopy(table, entry, group, r * width, width);
                    }
                }
                in.kernels.turn(group, 0, some, width, width, out, i * width * every + from, every, scratch);
            }
        });
    }

    /** How a look-up's part of a table's gradient gets there. */
    enum Part {
        /** It is the gradient. */
        ALL,
        /** Others are added to it. */
        FIRST,
        /** It is added. */
        FURTHER
    }

    /** The place of a part of a table's gradient, or of a sum of parts. */
    record TablePart(TableGradient gradient, Part part) {}

    /**
     * Has a table's gradient computed where it is handed out, if it is that of a look-up or a sum of several ones', and
     * nothing else reads it. The sum has the order of the program's.
     */
    static void hold(
            DenseMemory memory, CompiledProgram compiledProgram, Value gradient, Supplier<TableGradient> place) {
        List<Value> parts = new ArrayList<>();
        List<Value> sums = new ArrayList<>();
        Value sum = gradient;
        while (isRead(compiledProgram, sum, sum.equals(gradient) ? 0 : 1)
                && sum.operator() instanceof Elementwise.Binary binary
                && binary.pair() == Elementwise.Pair.ADD) {
            sums.add(sum);
            parts.add(0, sum.inputs().get(1));
            sum = sum.inputs().get(0);
        }
        parts.add(0, sum);
        for (int i = 0; i < parts.size(); i++) {
            Value part = parts.get(i);
            if (!(part.operator() instanceof Gathering.EmbeddingWeight)
                    || !isRead(compiledProgram, part, part.equals(gradient) ? 0 : 1)
                    || (i > 0
                            && parts.size() > 2
                            && part.id() < parts.get(i - 1).id())) {
                return;
            }
        }
        TableGradient into = place.get();
        parts.sort(Comparator.comparingInt(Value::id));
        for (int i = 0; i < parts.size(); i++) {
            Part how = parts.size() == 1 ? Part.ALL : i == 0 ? Part.FIRST : Part.FURTHER;
            memory.hold(parts.get(i), new TablePart(into, how));
        }
        sums.forEach(each -> memory.hold(each, new TablePart(into, Part.ALL)));
    }

    /** Returns whether other values read one {@code times} times, 0 or 1; with 0, whether it is an output instead. */
    private static boolean isRead(CompiledProgram compiledProgram, Value value, int times) {
        long reads = compiledProgram.program().values().stream()
                .flatMap(each -> each.inputs().stream())
                .filter(value::equals)
                .count();
        return reads == times && Collections.frequency(compiledProgram.outputs(), value) == 1 - times;
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
        void note(int entry) {
            if (entries.length == count) {
                entries = Arrays.copyOf(entries, Math.max(64, 2 * count));
            }
            entries[count++] = entry;
        }

        /** Puts a part's row, which has its bits where it is the only part. */
        void put(Part part, int entry, float[] row, float[] before) {
            int at = entry * width;
            if (part != Part.ALL) {
                floats.get(at, before, 0, width);
                for (int k = 0; k < width; k++) {
                    row[k] += before[k];
                }
            }
            floats.put(at, row, 0, width);
        }
    }

    /**
     * Adds up the elements of each entry in FLOAT64, in the order of matrices and rows: a text repeats its commonest
     * characters thousands of times. Where the gradient is handed out, rows that are not used are not touched.
     */
    static Runnable embeddingWeight(DenseRules in, Value value, List<Value> inputs, float[] out) {
        long[] index = in.memory.integers(inputs.get(0));
        TablePart part = in.memory.tablePart(value);
        Value g = inputs.get(1);
        int width = value.shape().get(1);
        int all = DenseMemory.matrices(g);
        int every = in.memory.stride(g);
        int count = in.memory.rows(g);
        float[] elements = in.array(g);
        float[] turned = every == 1 ? elements : in.memory.working(all * width * every);
        long[] order = new long[all * count];
        int groups = Scratch.lanes(count) / Scratch.LANES;
        Runnable turns = in.threads.overParts(all * groups, (long) all * width * every, (scratch, first, end) -> {
            for (int i = first; i < end && every > 1; i++) {
                int at = i / groups * width * every;
                int from = i % groups * Scratch.LANES;
                int some = Math.min(Scratch.LANES, count - from);
                in.kernels.turn(elements, at + from, width, some, every, turned, at + from * width, width, scratch);
            }
        });
        Runnable sums = in.threads.overParts(order.length, (long) order.length * width, (scratch, first, end) -> {
            double[] sum = new double[width];
            float[] row = part == null ? out : new float[width];
            float[] before = new float[part == null ? 0 : width];
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
                int into = part == null ? entry * width : 0;
                for (int k = 0; k < width; k++) {
                    row[into + k] = (float) sum[k];
                }
                if (part != null) {
                    part.gradient().put(part.part(), entry, row, before);
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
            if (part == null) {
                Arrays.fill(out, 0, value.shape().size(), 0);
            } else {
                if (part.part() != Part.FURTHER) {
                    part.gradient().clear();
                }
                for (int i = 0; i < order.length; i = next(order, i + 1)) {
                    part.gradient().note(entry(order, i));
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
