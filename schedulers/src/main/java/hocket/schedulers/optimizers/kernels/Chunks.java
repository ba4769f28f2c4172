package hocket.schedulers.optimizers.kernels;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several arrays cut into chunks of 4,096 elements, each array's last one shorter: the unit that is handed to threads. Of
 * a table there are chunks for the rows in use only, and it is cut again for each update.
 */
public final class Chunks {
    static final int SIZE = 4096;

    /**
     * An array.
     *
     * @param unit length of its units; no chunk spans two
     * @param row length of its rows
     * @param used its rows in use; null where all are
     */
    public record Part(
            int length, int unit, int row, @Nullable Supplier<BitSet> used) {
        /** All of an array. */
        static Part of(Reals array) {
            return new Part(array.length(), Math.max(1, array.length()), 1, null);
        }
    }

    private final List<Part> parts;
    private final boolean varies;
    private int[] array = {};
    private int[] from = {};
    private int[] to = {};
    private long[] before = {0};
    private int count;

    private Chunks(List<Part> parts, boolean varies) {
        this.parts = parts;
        this.varies = varies;
        cutAll();
    }

    public Chunks(List<Reals> arrays) {
        this(arrays.stream().map(Part::of).toList(), false);
    }

    /** Chunks of arrays, some of which may be tables. */
    public static Chunks of(List<Part> parts) {
        return new Chunks(List.copyOf(parts), parts.stream().anyMatch(part -> part.used() != null));
    }

    /** Cuts tables again, where others of their rows may be in use. */
    public void cut() {
        if (varies) {
            cutAll();
        }
    }

    private void cutAll() {
        count = 0;
        for (int a = 0; a < parts.size(); a++) {
            Part part = parts.get(a);
            if (part.used == null) {
                cut(a, part.unit, 0, part.length);
                continue;
            }
            BitSet rows = part.used.get();
            for (int row = rows.nextSetBit(0); row >= 0; ) {
                int end = rows.nextClearBit(row);
                cut(a, part.unit, row * part.row, end * part.row);
                row = rows.nextSetBit(end);
            }
        }
    }

    private void cut(int of, int unit, int first, int end) {
        for (int i = first; i < end; i = to[count - 1]) {
            if (count == array.length) {
                int more = Math.max(16, 2 * count);
                array = Arrays.copyOf(array, more);
                from = Arrays.copyOf(from, more);
                to = Arrays.copyOf(to, more);
                before = Arrays.copyOf(before, more + 1);
            }
            int start = i / unit * unit;
            int most = (int) Math.min((long) start + ((i - start) / SIZE + 1L) * SIZE, (long) start + unit);
            array[count] = of;
            from[count] = i;
            to[count] = Math.min(end, most);
            before[count + 1] = before[count] + to[count] - i;
            count++;
        }
    }

    public int count() {
        return count;
    }

    /** Returns the number of elements of all chunks together. */
    public long elements() {
        return before[count];
    }

    /** Returns the array of a chunk. */
    public int array(int chunk) {
        return array[chunk];
    }

    public int from(int chunk) {
        return from[chunk];
    }

    public int to(int chunk) {
        return to[chunk];
    }

    /** Returns the first chunk of a part, for parts of about equal size; for part = parts, the number of chunks. */
    int firstOf(int part, int all) {
        int found = Arrays.binarySearch(before, 0, count + 1, elements() * part / all);
        return found >= 0 ? found : -found - 1;
    }
}
