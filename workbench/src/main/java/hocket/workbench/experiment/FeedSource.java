package hocket.workbench.experiment;

import hocket.schedulers.Source;
import hocket.schedulers.State;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.List;

/**
 * A source under the name that the file gives it, whose columns feed the inputs that the file says.
 *
 * @param source what is drawn from
 * @param name the feed's
 * @param columns as they are called here
 */
record FeedSource(Source source, String name, List<Column> columns) implements Source {
    /**
     * A source whose columns keep their names, or take those of {@code order}.
     *
     * @throws IllegalArgumentException if the order has another number of names than the source has columns
     */
    static Source of(Source source, String name, List<String> order) {
        if (order.isEmpty()) {
            return source.name().equals(name) ? source : new FeedSource(source, name, source.columns());
        }
        List<Column> columns = source.columns();
        if (columns.size() != order.size()) {
            throw new IllegalArgumentException("feed_order names " + order.size() + " inputs, and the source has "
                    + columns.size() + " columns: " + columns);
        }
        List<Column> renamed = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            renamed.add(new Column(
                    order.get(i), columns.get(i).shape(), columns.get(i).type()));
        }
        return new FeedSource(source, name, List.copyOf(renamed));
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
