package hocket.rl.replay;

import hocket.schedulers.Source.Column;
import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * A log of rows of typed columns that keeps the most recent ones. Numbers are kept as floats, or as bytes where a column
 * has no others.
 *
 * <p>The log is in segments of up to 16,384 rows and some 4 MB: rows are added at its end and never changed, and a segment
 * is dropped when none of its rows is held any more. A log that never fills takes no more memory than it needs, and
 * saving copies no rows.
 */
final class RowLog {
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int MOST_ROWS = 16_384;
    private static final int MOST_BYTES = 4 << 20;
    private static final int MOST_SEGMENTS = 100_000;

    /**
     * A full log holds about one such part more than its capacity: dropped rows that share a segment with rows still held.
     */
    private static final int PARTS = 16;

    private final List<Column> columns;

    /** The segments that hold rows, each at its number modulo the number of segments; a row has all columns. */
    private final byte[][] segments;

    /** The number of rows of a segment. */
    private final int rows;

    /** The place of each column in a row. */
    private final List<Part> parts;

    /** The bytes of a row. */
    private final int width;

    private final int capacity;
    private long added;

    /**
     * Makes an empty log.
     *
     * @param capacity the number of rows that are kept
     * @param isOfBytes whether the column at an index has whole numbers from 0 to 255 alone
     */
    RowLog(List<Column> columns, int capacity, IntPredicate isOfBytes) {
        this.columns = List.copyOf(columns);
        this.capacity = capacity;
        List<Part> places = new ArrayList<>();
        int bytes = 0;
        for (int i = 0; i < columns.size(); i++) {
            Part part = new Part(bytes, columns.get(i).shape().size(), isOfBytes.test(i));
            places.add(part);
            bytes = Math.addExact(bytes, part.bytes());
        }
        parts = List.copyOf(places);
        width = bytes;
        int usual = Math.min(MOST_BYTES / width, Math.min(MOST_ROWS, (capacity - 1) / PARTS + 1));
        rows = Math.max(usual, (capacity - 1) / MOST_SEGMENTS + 1);
        segments = new byte[(capacity - 1) / rows + 2][0];
    }

    /**
     * A column's part of a row.
     *
     * @param at its first byte in the row
     * @param numbers of a row
     * @param isOfBytes whether each number is a byte, else a float
     */
    private record Part(int at, int numbers, boolean isOfBytes) {
        int bytes() {
            return Math.multiplyExact(numbers, isOfBytes ? 1 : Float.BYTES);
        }

        /** Writes the numbers of a row of an array that holds rows one after the other. */
        void write(float[] from, int row, byte[] segment, int start) {
            for (int i = 0; i < numbers; i++) {
                float number = from[row * numbers + i];
                if (isOfBytes) {
                    segment[start + at + i] = (byte) (int) number;
                } else {
                    FLOATS.set(segment, start + at + i * Float.BYTES, number);
                }
            }
        }

        void read(byte[] segment, int start, float[] into) {
            for (int i = 0; i < numbers; i++) {
                into[i] = isOfBytes
                        ? segment[start + at + i] & 0xff
                        : (float) FLOATS.get(segment, start + at + i * Float.BYTES);
            }
        }
    }

    /** The bytes of a row. */
    int width() {
        return width;
    }

    /** The number of rows held. */
    int size() {
        return (int) Math.min(capacity, added);
    }

    /** The number of rows added so far. */
    long added() {
        return added;
    }

    /** The largest number of numbers of a row in a column. */
    int mostNumbers() {
        return parts.stream().mapToInt(Part::numbers).max().orElseThrow();
    }

    /**
     * Writes a column of the row that is added next; {@link #add} adds it.
     *
     * @param from holds rows one after the other
     * @param row index of the row in it
     */
    void set(int column, float[] from, int row) {
        int place = place(added);
        if (column == 0 && added % rows == 0) { // an earlier array in its place may be part of a saved state
            segments[place] = new byte[rows * width];
        }
        parts.get(column).write(from, row, segments[place], start(added));
    }

    /** Adds the row whose columns were set, the first column first, and drops the oldest one if the log is full. */
    void add() {
        added++;
    }

    private int place(long row) {
        return (int) (row / rows % segments.length);
    }

    private int start(long row) {
        return (int) (row % rows) * width;
    }

    /** Reads a column of a row that is held, at a place of a ring in which the newest row replaces the oldest. */
    void read(int place, int column, float[] into) {
        long oldest = added - size();
        long row = oldest + Math.floorMod(place - oldest, (long) capacity);
        parts.get(column).read(segments[place(row)], start(row), into);
    }

    /** Saves whole segments, with dropped rows that share a segment with rows still held. */
    State save(State state) {
        State saved = state.with("capacity", capacity).with("added", added);
        for (long s = (added - size()) / rows; s * rows < added; s++) {
            saved = saved.with(name(s), new Saved.Rows(segments[place(s * rows)], width, rowsOf(s, added)));
        }
        return saved;
    }

    private static String name(long segment) {
        return String.format(Locale.ROOT, "segment-%09d", segment);
    }

    /** The number of rows of a segment, given the number added in all. */
    private int rowsOf(long segment, long of) {
        return (int) Math.min(rows, of - segment * rows);
    }

    /**
     * Reads what {@link #save} saved, and changes nothing yet.
     *
     * @param of what it belongs to, for messages
     * @return restores it
     * @throws IllegalArgumentException if it was saved of another log
     */
    Runnable restoring(String of, State state) {
        long savedCapacity = state.whole("capacity");
        long savedAdded = state.whole("added");
        if (savedCapacity != capacity || savedAdded < 0) {
            throw new IllegalArgumentException(of + ": was saved with " + Math.min(savedAdded, savedCapacity) + " of "
                    + savedCapacity + " rows; here it has room for " + capacity);
        }
        long first = Math.max(0, savedAdded - capacity) / rows;
        List<byte[]> saved = new ArrayList<>();
        for (long s = first; s * rows < savedAdded; s++) {
            Saved.Rows segment = state.rows(name(s));
            if (segment.width() != width || segment.count() != rowsOf(s, savedAdded)) {
                throw new IllegalArgumentException(of + ": " + name(s) + " was saved as " + segment.count()
                        + " rows of " + segment.width() + " bytes, must be " + rowsOf(s, savedAdded) + " of " + width
                        + ": " + columns + former(segment.width()));
            }
            // A segment that is not full is copied: rows are added to it, and other logs may be restored from the same
            // state.
            saved.add(segment.count() == rows ? segment.values() : Arrays.copyOf(segment.values(), rows * width));
        }
        return () -> {
            Arrays.fill(segments, new byte[0]);
            for (int i = 0; i < saved.size(); i++) {
                segments[place((first + i) * rows)] = saved.get(i);
            }
            added = savedAdded;
        };
    }

    /** Explains a width of rows that were saved when all numbers were floats. */
    private String former(int saved) {
        int floats = Float.BYTES * parts.stream().mapToInt(Part::numbers).sum();
        return saved == floats ? "; it was saved by an earlier version, which kept bytes as floats" : "";
    }
}
