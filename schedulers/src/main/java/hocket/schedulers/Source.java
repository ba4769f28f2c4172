package hocket.schedulers;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.schedulers.feeds.RenamedSource;
import hocket.schedulers.feeds.WaitCancelledException;
import hocket.schedulers.state.Stateful;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An open data source: aligned columns with one cursor. A draw takes the next rows of all columns. Its state is the
 * cursor; shuffling uses the run's random streams.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Source source = Rows.of("image", Tensor.filled(Shape.of(100, 1, 8, 8), ElementType.FLOAT32, 0)).batches(10);
 * Session.Feeds batch = source.draw(dStep, Streams.seed(7));
 * }</pre>
 */
public interface Source extends SourceDescription, Stateful {
    /**
     * A column of a source.
     *
     * @param name the input that it feeds
     * @param shape of one row
     * @param type of the elements
     * @param encoding the meaning of the elements, in a language of those who write and read them; it is kept with a run, so
     *     that rows can be drawn and read without the data
     */
    record Column(String name, Shape shape, ElementType type, Optional<String> encoding) {
        /** A column of elements that need no explanation. */
        public Column(String name, Shape shape, ElementType type) {
            this(name, shape, type, Optional.empty());
        }

        /** Renames columns in their order; no names leave them unchanged. */
        public static List<Column> named(List<Column> columns, List<String> names) {
            return names.isEmpty()
                    ? columns
                    : IntStream.range(0, columns.size())
                            .mapToObj(i -> columns.get(i).with(names.get(i), columns.get(i).shape))
                            .toList();
        }

        /** Returns a column of another name and shape. */
        public Column with(String otherName, Shape otherShape) {
            return new Column(otherName, otherShape, type, encoding);
        }

        @Override
        public String toString() {
            return name + " " + shape + " " + type;
        }
    }

    /** The destination of the next rows of a source. */
    interface Sink {
        /**
         * Returns the buffer for the rows of one column, position 0, native order; null for an unused column.
         *
         * @param column its position in {@link Source#columns}
         * @param rows number of rows
         */
        @Nullable
        ByteBuffer column(int column, int rows);
    }

    /** Returns this source. */
    @Override
    default Source open() {
        return this;
    }

    /**
     * Writes the next rows and advances the cursor. On failure the cursor stays, so that a resumed run asks again.
     *
     * @return how many rows
     * @throws WaitCancelledException if it was interrupted while waiting for rows; a plan's run then pauses before the
     *     turn
     */
    int next(Streams streams, Sink sink);

    /**
     * Returns this source under another name, with columns that feed inputs of other names; both share one cursor.
     *
     * @param inputs names of the inputs that the columns feed, in their order; empty keeps the names
     * @throws IllegalArgumentException if there are more or fewer of them than columns
     */
    default Source feeding(String name, List<String> inputs) {
        return RenamedSource.of(this, name, inputs);
    }

    /**
     * Copies the next rows of the columns that a program reads, for use outside of training.
     *
     * @param streams random streams for shuffling
     */
    default Feeds draw(Program program, Streams streams) {
        return draw(column -> program.input(column.name()).isPresent(), streams);
    }

    /** Copies the rows of several draws of these columns, joined, for use outside of training. */
    default Feeds draw(Program program, Streams streams, int draws) {
        return draw(column -> program.input(column.name()).isPresent(), streams, draws);
    }

    /** Copies the next rows of the accepted columns, for use outside of training. */
    default Feeds draw(Predicate<Column> wanted, Streams streams) {
        return draw(wanted, streams, 1);
    }

    private Feeds draw(Predicate<Column> wanted, Streams streams, int draws) {
        List<Column> columns = columns();
        ByteArrayOutputStream[] all = new ByteArrayOutputStream[columns.size()];
        int rows = 0;
        for (int draw = 0; draw < draws; draw++) {
            ByteBuffer[] drawn = new ByteBuffer[columns.size()];
            rows += next(streams, (column, count) -> {
                Column each = columns.get(column);
                if (wanted.test(each)) {
                    drawn[column] = ByteBuffer.allocate(
                                    each.shape().prepend(count).bytes(each.type()))
                            .order(ByteOrder.nativeOrder());
                }
                return drawn[column];
            });
            for (int i = 0; i < drawn.length; i++) {
                if (drawn[i] != null) {
                    all[i] = all[i] == null ? new ByteArrayOutputStream() : all[i];
                    all[i].writeBytes(drawn[i].array());
                }
            }
        }
        Feeds feeds = Feeds.rows(rows);
        for (int i = 0; i < all.length; i++) {
            if (all[i] != null) {
                Column each = columns.get(i);
                ByteBuffer values = ByteBuffer.wrap(all[i].toByteArray()).order(ByteOrder.nativeOrder());
                feeds = feeds.and(each.name(), Tensor.copyOf(each.shape().prepend(rows), each.type(), values));
            }
        }
        return feeds;
    }

    /**
     * Returns a source over the same rows, at its beginning and with its own cursor, for reading rows outside of
     * training. Empty where rows come only once or this is not known.
     */
    default Optional<Source> fresh() {
        return Optional.empty();
    }

    /** Returns the epochs so far: 2.5 in the middle of the third one; 0 where there are no epochs. */
    double epoch();
}
