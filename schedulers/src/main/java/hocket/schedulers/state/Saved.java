package hocket.schedulers.state;

import hocket.scopes.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One item of a {@link State}: a leaf, or a state again. */
public sealed interface Saved permits Saved.Whole, Saved.Real, Saved.Text, Saved.Array, Saved.Rows, State {
    /** Returns the result of the method for this kind. */
    <R> R by(Reader<R> reader);

    /** A reader of items, with one method for each kind. */
    interface Reader<R> {
        R whole(long value);

        R real(double value);

        R text(String value);

        R array(Tensor value);

        R rows(Rows rows);

        R state(State state);
    }

    /** A whole number. */
    record Whole(long value) implements Saved {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.whole(value);
        }
    }

    /** A real number, any bits. */
    record Real(double value) implements Saved {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.real(value);
        }
    }

    /** A text. */
    record Text(String value) implements Saved {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.text(value);
        }
    }

    /** Numbers with a shape. */
    record Array(Tensor value) implements Saved {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.array(value);
        }
    }

    /**
     * Rows of a table that only grows, which never change. They are not copied, and checkpoints write each of them
     * once.
     *
     * @param values the consecutive rows; later rows may follow
     * @param width bytes of a row, at least 1
     * @param count number of rows
     */
    record Rows(byte[] values, int width, int count) implements Saved {
        /** @throws IllegalArgumentException if there are fewer values */
        public Rows {
            if (width < 1 || count < 0 || (long) width * count > values.length) {
                throw new IllegalArgumentException(
                        count + " rows of " + width + " bytes are not in " + values.length + " bytes");
            }
        }

        @Override
        public <R> R by(Reader<R> reader) {
            return reader.rows(this);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Rows rows
                    && width == rows.width
                    && count == rows.count
                    && Arrays.equals(values, 0, width * count, rows.values, 0, width * count);
        }

        @Override
        public int hashCode() {
            return 31 * width + count;
        }
    }
}
