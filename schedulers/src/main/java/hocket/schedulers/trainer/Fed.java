package hocket.schedulers.trainer;

import hocket.schedulers.Source;
import hocket.schedulers.State;
import hocket.scopes.Streams;
import java.util.List;
import java.util.OptionalLong;

/** The source that a trainer draws from just now: calls of train may give it one after the other. */
final class Fed implements Source {
    private Source now;

    Fed(Source first) {
        this.now = first;
    }

    /** @throws IllegalArgumentException if it gives other columns than the first */
    void from(Source next) {
        if (!next.columns().equals(now.columns())) {
            throw new IllegalArgumentException("source " + next.name() + " gives " + next.columns()
                    + "; this trainer was trained on " + now.columns() + " before");
        }
        now = next;
    }

    @Override
    public String name() {
        return now.name();
    }

    @Override
    public List<Column> columns() {
        return now.columns();
    }

    @Override
    public int batch() {
        return now.batch();
    }

    @Override
    public int next(Streams streams, Sink sink) {
        return now.next(streams, sink);
    }

    @Override
    public double epoch() {
        return now.epoch();
    }

    @Override
    public OptionalLong drawsAnEpoch() {
        return now.drawsAnEpoch();
    }

    @Override
    public State save() {
        return now.save();
    }

    @Override
    public void restore(State state) {
        now.restore(state);
    }
}
