package hocket.gan.tables;

import hocket.gan.tables.TableEncoding.Encoded;
import hocket.schedulers.Source;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table by training-by-sampling (Xu et al. 2019, section 4.3): a column {@code row} (FLOAT32, encoded) and, if the table has
 * categories, a column {@code condition} (INT64, ()), a category among those of all columns. For each row one of the columns of
 * categories is drawn, then a category by the logarithm of its count plus 1, then a row that has it. Draws depend on the seed, the name
 * and their number, so that number is the only state.
 */
final class ConditionalRows implements TableSource {
    private final String name;
    private final TableData table;
    private final Encoded encoded;
    private final int batch;
    private final List<String> notes;
    private final Optional<String> attribution;
    private final Supplier<List<DataFingerprint>> origins;
    private final List<Column> columns;
    private final List<Choices> choices;

    /**
     * The categories of a column, one of which is drawn by the logarithms of their counts.
     *
     * @param first the number of its first category among those of all columns
     * @param rows the rows of each category
     * @param weights of the categories up to each, summed
     * @param all the sum of all weights
     */
    private record Choices(int first, int[][] rows, double[] weights, double all) {
        static Choices of(int first, int[][] rows) {
            double[] each = Arrays.stream(rows)
                    .mapToDouble(some -> Math.log(1 + some.length))
                    .toArray();
            double[] sums = each.clone();
            for (int category = 1; category < sums.length; category++) {
                sums[category] += sums[category - 1];
            }
            return new Choices(first, rows, sums, Arrays.stream(each).sum());
        }

        int category(double uniform) {
            int category = 0;
            while (category < weights.length - 1 && uniform * all >= weights[category]) {
                category++;
            }
            return category;
        }
    }

    private long draws;

    /** @param notes remarks on the table, for people */
    ConditionalRows(
            String name,
            TableData table,
            Encoded encoded,
            int batch,
            List<String> notes,
            Optional<String> attribution,
            Supplier<List<DataFingerprint>> origins) {
        if (batch < 1) {
            throw new IllegalArgumentException("source " + name + ": a batch must be at least 1 row, was " + batch);
        }
        this.name = name;
        this.table = table;
        this.encoded = encoded;
        this.batch = batch;
        this.notes = List.copyOf(notes);
        this.attribution = attribution;
        this.origins = origins;
        this.choices = choices(table);
        Column row = new Column(
                "row",
                Shape.of(encoded.encoding().layout().size()),
                ElementType.FLOAT32,
                Optional.of(encoded.encoding().text()));
        this.columns = choices.isEmpty()
                ? List.of(row)
                : List.of(row, new Column(TableCategories.COLUMN, Shape.scalar(), ElementType.INT64));
    }

    private static List<Choices> choices(TableData table) {
        List<Choices> choices = new ArrayList<>();
        int first = 0;
        for (TableData.ColumnData column : table.columns()) {
            if (column instanceof TableData.Categories categories) {
                choices.add(Choices.of(first, categories.rowsByCategory()));
                first += categories.categories().size();
            }
        }
        return choices;
    }

    @Override
    public int next(Streams streams, Sink sink) {
        UniformRandomProvider random = streams.at("source/" + name).generator(draws);
        int[] rows = new int[batch];
        long[] conditions = new long[batch];
        for (int i = 0; i < batch; i++) {
            if (choices.isEmpty()) {
                rows[i] = random.nextInt(table.count());
                continue;
            }
            Choices column = choices.get(random.nextInt(choices.size()));
            int category = column.category(random.nextDouble());
            int[] some = column.rows()[category];
            rows[i] = some[random.nextInt(some.length)];
            conditions[i] = column.first() + category;
        }
        write(sink.column(0, batch), rows);
        if (columns.size() > 1) {
            ByteBuffer out = sink.column(1, batch);
            for (int i = 0; out != null && i < batch; i++) {
                out.putLong(i * Long.BYTES, conditions[i]);
            }
        }
        draws++;
        return batch;
    }

    private void write(@Nullable ByteBuffer out, int[] rows) {
        int width = columns.get(0).shape().size();
        for (int i = 0; out != null && i < rows.length * width; i++) {
            out.putFloat(i * Float.BYTES, encoded.rows()[rows[i / width] * width + i % width]);
        }
    }

    @Override
    public TableData table() {
        return table;
    }

    @Override
    public TableEncoding encoding() {
        return encoded.encoding();
    }

    @Override
    public List<String> differences(List<Column> before) {
        return TableEncoding.of(before)
                .map(encoding()::differences)
                .orElseGet(() -> TableSource.super.differences(before));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public int batch() {
        return batch;
    }

    @Override
    public Optional<Source> fresh() {
        return Optional.of(new ConditionalRows(name, table, encoded, batch, notes, attribution, origins));
    }

    @Override
    public boolean rowsContinue() {
        return false;
    }

    @Override
    public long bytes() {
        return bytes(table.count());
    }

    @Override
    public double epoch() {
        return (double) draws / drawsOfEpoch();
    }

    private int drawsOfEpoch() {
        return Math.max(1, table.count() / batch);
    }

    @Override
    public OptionalLong drawsAnEpoch() {
        return OptionalLong.of(drawsOfEpoch());
    }

    @Override
    public List<String> notes() {
        return notes;
    }

    @Override
    public Optional<String> attribution() {
        return attribution;
    }

    @Override
    public List<DataFingerprint> origins() {
        return origins.get();
    }

    @Override
    public State save() {
        return State.empty().with("draws", draws);
    }

    @Override
    public void restore(State state) {
        long saved = state.whole("draws");
        if (saved < 0) {
            throw new IllegalArgumentException("source " + name + ": the saved number of draws is " + saved);
        }
        draws = saved;
    }
}
