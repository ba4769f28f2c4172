package hocket.schedulers;

import hocket.scopes.Streams;
import java.util.List;
import java.util.OptionalLong;

/** A source that draws from another: for those that know more of its rows, or call things otherwise. */
public abstract class ForwardingSource implements Source {
    private final Source source;

    /** @param source what is drawn from */
    protected ForwardingSource(Source source) {
        this.source = source;
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public List<Column> columns() {
        return source.columns();
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
    public OptionalLong drawsAnEpoch() {
        return source.drawsAnEpoch();
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
