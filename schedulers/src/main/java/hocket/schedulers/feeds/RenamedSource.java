package hocket.schedulers.feeds;

import hocket.schedulers.Source;
import hocket.schedulers.settings.NonNull;
import java.util.List;
import java.util.Optional;

/** A source under another name, whose columns feed other inputs. */
public final class RenamedSource extends ForwardingSource {
    private final Source source;
    private final String name;
    private final List<Column> columns;

    private RenamedSource(Source source, String name, List<Column> columns) {
        super(source);
        this.source = source;
        this.name = name;
        this.columns = columns;
    }

    public static Source of(Source source, String name, List<String> inputs) {
        List<Column> columns = NonNull.by(source, "columns()", source.columns());
        if (inputs.isEmpty()) {
            return source.name().equals(name) ? source : new RenamedSource(source, name, columns);
        }
        if (columns.size() != inputs.size()) {
            throw new IllegalArgumentException("feed_order names " + inputs.size() + " inputs, and source " + name
                    + " has " + columns.size() + " columns: " + columns);
        }
        return new RenamedSource(source, name, Column.named(columns, inputs));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<Source> fresh() {
        return source.fresh().map(each -> new RenamedSource(each, name, columns));
    }

    @Override
    public List<Column> columns() {
        return columns;
    }
}
