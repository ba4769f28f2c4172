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
 * Data that is open: aligned columns behind one cursor. A draw takes the next rows of all columns. Its state is the cursor;
 * what it shuffles by comes from the run's streams.
 */
public interface Source extends SourceDescription, Stateful {
    /**
     * One column.
     *
     * @param name the input that it feeds
     * @param shape of one row
     * @param type of the elements
     */
    record Column(String name, Shape shape, ElementType type) {
        /** Columns under other names, in their order; as they are where there are none. */
        public static List<Column> named(List<Column> columns, List<String> names) {
            return names.isEmpty()
                    ? columns
                    : IntStream.range(0, columns.size())
                            .mapToObj(i -> new Column(names.get(i), columns.get(i).shape, columns.get(i).type))
                            .toList();
        }

        @Override
        public String toString() {
            return name + " " + shape + " " + type;
        }
    }

    /** Where a draw goes. */
    interface Sink {
        /**
         * The buffer that takes the rows of one column, position 0, native order; null where nobody reads it.
         *
         * @param column its position in {@link Source#columns}
         * @param rows how many come
         */
        @Nullable
        ByteBuffer column(int column, int rows);
    }

    /** This source, as it stands. */
    @Override
    default Source open() {
        return this;
    }

    /**
     * Gives the next rows and moves the cursor; where it fails, the cursor stays, so that a run which goes on asks again.
     *
     * @return how many rows
     * @throws WaitCancelledException if it waited for rows and was asked to end: a plan's run pauses before the turn then
     */
    int next(Streams streams, Sink sink);

    /**
     * This source under another name, whose columns feed inputs of other names; both share one cursor.
     *
     * @param inputs what the columns feed, in their order; empty where they keep their names
     * @throws IllegalArgumentException if there are more or fewer of them than columns
     */
    default Source feeding(String name, List<String> inputs) {
        return RenamedSource.of(this, name, inputs);
    }

    /**
     * The next rows of the columns that a program reads, for looking outside of training: copies.
     *
     * @param streams what it shuffles by
     */
    default Feeds draw(Program program, Streams streams) {
        return draw(column -> program.input(column.name()).isPresent(), streams);
    }

    /** The rows of so many draws together, likewise. */
    default Feeds draw(Program program, Streams streams, int draws) {
        return draw(column -> program.input(column.name()).isPresent(), streams, draws);
    }

    /** The next rows of some columns, likewise. */
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
     * A source over the same rows, at its beginning, with a cursor of its own: for looking at rows beside training. Empty
     * where rows come only once, or this is not known.
     */
    default Optional<Source> fresh() {
        return Optional.empty();
    }

    /** How often all rows were drawn: 2.5 in the middle of the third epoch; 0 where there are no epochs. */
    double epoch();
}
