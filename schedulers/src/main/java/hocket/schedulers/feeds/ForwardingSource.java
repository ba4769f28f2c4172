package hocket.schedulers.feeds;

import hocket.schedulers.Source;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A source that draws from another, for sources that know more about its rows or rename things. */
public abstract class ForwardingSource implements Source {
    private final Supplier<? extends Source> source;

    /** @param source the source to draw from */
    protected ForwardingSource(Source source) {
        this(() -> source);
    }

    /** @param source returns the current source; all have the same columns */
    protected ForwardingSource(Supplier<? extends Source> source) {
        this.source = source;
    }

    @Override
    public String name() {
        return source.get().name();
    }

    @Override
    public List<Column> columns() {
        return source.get().columns();
    }

    @Override
    public int batch() {
        return source.get().batch();
    }

    @Override
    public int pack() {
        return source.get().pack();
    }

    @Override
    public int next(Streams streams, Sink sink) {
        return source.get().next(streams, sink);
    }

    @Override
    public long bytes() {
        return source.get().bytes();
    }

    @Override
    public double epoch() {
        return source.get().epoch();
    }

    @Override
    public boolean hasEpochs() {
        return source.get().hasEpochs();
    }

    @Override
    public OptionalLong drawsAnEpoch() {
        return source.get().drawsAnEpoch();
    }

    @Override
    public boolean rowsContinue() {
        return source.get().rowsContinue();
    }

    @Override
    public List<String> notes() {
        return source.get().notes();
    }

    @Override
    public Optional<String> attribution() {
        return source.get().attribution();
    }

    @Override
    public List<DataFingerprint> origins() {
        return source.get().origins();
    }

    /** Without names and shapes, in which it may differ from the other source. */
    @Override
    public List<String> differences(List<Column> before) {
        return columns().equals(before) ? List.of() : source.get().differences(before);
    }

    @Override
    public State save() {
        return NonNull.saved(source.get());
    }

    @Override
    public void restore(State state) {
        NonNull.back("source " + name(), source.get(), state);
    }
}
