package hocket.workbench.online;

import hocket.schedulers.Source.Column;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A feed of rows from outside, in an experiment file: {@code feeds: {stream: {class: Online, columns: {x: {shape: [2]},
 * label: {shape: [], type: int64}}, batch: 32}}}. Rows are trained on in the order of arrival; {@code shuffled} has no
 * effect.
 *
 * @param columns columns of a row, by name
 * @param capacity largest number of waiting rows, at least two batches
 * @param forced whether a row is acknowledged only after it is on the disk
 */
public record Online(
        @Setting(help = "the columns of a row: {x: {shape: [2]}, label: {shape: [], type: int64}}")
        Map<String, Value> columns,

        @Setting(
                usually = "100000",
                least = 2,
                most = 1e12,
                help = "maximum number of waiting rows, at least two batches; more are rejected for a later retry")
        long capacity,

        @Setting(usually = "true", help = "whether a row is acknowledged only after it is on the disk")
        boolean forced)
        implements SourceDefinition, OnlineCopies {
    /**
     * A column of a row.
     *
     * @param shape of it
     * @param type type of its numbers
     */
    public record Value(
            @Setting(help = "its shape, [] for a single number")
            Shape shape,

            @Setting(usually = "float32", help = "type of its numbers; int64 for labels")
            ElementType type) {}

    /** @throws IllegalArgumentException if the capacity is outside its range, there is no column, or a row has more than 4 MiB */
    public Online {
        OnlineCopies.check(capacity);
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
        format(columns);
    }

    private static RowFormat format(Map<String, Value> columns) {
        List<Column> all = new ArrayList<>();
        columns.forEach((name, value) -> all.add(new Column(name, value.shape(), value.type())));
        return new RowFormat(all);
    }

    /** Opens no file: a run opens the queue in its folder. */
    @Override
    public OnlineSource open(String name, int batch, boolean shuffled) {
        return new OnlineSource(name, format(columns), batch, capacity, forced);
    }
}
