package hocket.schedulers.optimizers.kernels;

import java.util.Arrays;
import java.util.List;

/**
 * Several arrays cut into chunks of 4,096 elements, each array's last one shorter: the unit that is handed to threads.
 * Immutable.
 */
public final class Chunks {
    static final int SIZE = 4096;

    private final int[] array;
    private final int[] from;
    private final int[] to;
    private final long[] before;

    public Chunks(List<Reals> arrays) {
        this(arrays, arrays.stream().map(array -> Math.max(1, array.length())).toList());
    }

    /** @param units lengths of units by array; no chunk spans two units */
    public Chunks(List<Reals> arrays, List<Integer> units) {
        int count = 0;
        for (int a = 0; a < arrays.size(); a++) {
            int unit = units.get(a);
            count += arrays.get(a).length() / unit * ((unit + SIZE - 1) / SIZE);
        }
        array = new int[count];
        from = new int[count];
        to = new int[count];
        before = new long[count + 1];
        int chunk = 0;
        for (int a = 0; a < arrays.size(); a++) {
            int length = arrays.get(a).length();
            int unit = units.get(a);
            for (int i = 0; i < length; i = to[chunk - 1]) {
                array[chunk] = a;
                from[chunk] = i;
                to[chunk] = Math.min(i + SIZE, (i / unit + 1) * unit);
                before[chunk + 1] = before[chunk] + to[chunk] - i;
                chunk++;
            }
        }
    }

    public int count() {
        return array.length;
    }

    /** Returns the number of elements of all arrays together. */
    public long elements() {
        return before[count()];
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
    int firstOf(int part, int parts) {
        int found = Arrays.binarySearch(before, elements() * part / parts);
        return found >= 0 ? found : -found - 1;
    }
}
