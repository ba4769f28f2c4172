package hocket.schedulers.feeds;

import hocket.schedulers.Source;
import hocket.schedulers.settings.NonNull;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Optional;

/**
 * A source that joins {@code pack} rows of another, one after the other, along the first axis as one row (PacGAN; Lin et al.
 * 2018, section 3): (channels, …) becomes (pack · channels, …), and a number (pack). Its state is that of the other source.
 */
public final class PackedSource extends ForwardingSource {
    private final Source source;
    private final int pack;
    private final List<Column> columns;

    private PackedSource(Source source, int pack) {
        super(source);
        this.source = source;
        this.pack = pack;
        this.columns = columns(NonNull.by(source, "columns()", source.columns()), pack);
    }

    /**
     * Returns a packed source; the source itself if a pack is one row.
     *
     * @param pack the number of rows that are joined, at least 1; divides the source's batch
     * @throws IllegalArgumentException if it does not
     */
    public static Source of(Source source, int pack) {
        if (pack == 1) {
            return source;
        }
        if (pack < 1 || source.batch() % pack != 0) {
            throw new IllegalArgumentException("pack: must be at least 1 and divide the batch of source "
                    + source.name() + ", " + source.batch() + " rows, was " + pack);
        }
        return new PackedSource(source, pack);
    }

    /** Returns columns whose rows are packs of rows. */
    public static List<Column> columns(List<Column> columns, int pack) {
        return columns.stream()
                .map(column -> column.with(column.name(), packed(column.shape(), pack)))
                .toList();
    }

    private static Shape packed(Shape row, int pack) {
        if (pack == 1) {
            return row;
        }
        return row.rank() == 0 ? Shape.of(pack) : row.with(0, Math.multiplyExact(row.get(0), pack));
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public int batch() {
        return source.batch() / pack;
    }

    @Override
    public int pack() {
        return pack;
    }

    @Override
    public int next(Streams streams, Sink sink) {
        return packs(source.next(streams, (column, rows) -> sink.column(column, packs(rows))));
    }

    private int packs(int rows) {
        if (rows % pack != 0) {
            throw new IllegalStateException(
                    "source " + name() + " gave " + rows + " rows, which are not packs of " + pack);
        }
        return rows / pack;
    }

    @Override
    public Optional<Source> fresh() {
        return source.fresh().map(each -> new PackedSource(each, pack));
    }
}
