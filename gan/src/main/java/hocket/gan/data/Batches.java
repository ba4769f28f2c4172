package hocket.gan.data;

import hocket.schedulers.Source;
import hocket.schedulers.State;
import hocket.scopes.Streams;
import java.util.List;

/** Batches of a table, for sources that know more of their rows than the table does. */
abstract class Batches implements Source {
    private final Source batches;

    Batches(Source batches) {
        this.batches = batches;
    }

    @Override
    public String name() {
        return batches.name();
    }

    @Override
    public List<Column> columns() {
        return batches.columns();
    }

    @Override
    public int batch() {
        return batches.batch();
    }

    @Override
    public int next(Streams streams, Sink sink) {
        return batches.next(streams, sink);
    }

    @Override
    public double epoch() {
        return batches.epoch();
    }

    @Override
    public State save() {
        return batches.save();
    }

    @Override
    public void restore(State state) {
        batches.restore(state);
    }
}
