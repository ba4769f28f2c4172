package hocket.schedulers;

import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.List;

/**
 * A source under another name, whose columns feed other inputs.
 *
 * @param source what is drawn from
 * @param name its name here
 * @param columns as they are called here
 */
record RenamedSource(Source source, String name, List<Column> columns) implements Source {
    static Source of(Source source, String name, List<String> inputs) {
        List<Column> columns = source.columns();
        if (inputs.isEmpty()) {
            return source.name().equals(name) ? source : new RenamedSource(source, name, columns);
        }
        if (columns.size() != inputs.size()) {
            throw new IllegalArgumentException("feed_order names " + inputs.size() + " inputs, and source " + name
                    + " has " + columns.size() + " columns: " + columns);
        }
        List<Column> renamed = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            renamed.add(new Column(
                    inputs.get(i), columns.get(i).shape(), columns.get(i).type()));
        }
        return new RenamedSource(source, name, List.copyOf(renamed));
    }

    @Override
    public int batch() {
        return source.batch();
    }

    @Override
    public int next(Streams streams, Sink sink) {
        return source.next(streams, sink);
    }

    @Override
    public double epoch() {
        return source.epoch();
    }

    @Override
    public State save() {
        return source.save();
    }

    @Override
    public void restore(State state) {
        source.restore(state);
    }
}
