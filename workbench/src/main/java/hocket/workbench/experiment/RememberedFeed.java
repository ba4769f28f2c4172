package hocket.workbench.experiment;

import hocket.schedulers.Origin;
import hocket.schedulers.Source;
import hocket.schedulers.State;
import hocket.scopes.Streams;
import hocket.workbench.terminal.Refusal;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a feed that are known without its data: enough to build networks and to show a run.
 *
 * @param columns as they feed inputs
 * @param batch rows a draw
 * @param draws how many an epoch has; empty where there are no epochs
 * @param notes on its data, for people; none where they are not known
 */
public record RememberedFeed(List<Source.Column> columns, int batch, OptionalLong draws, List<String> notes) {
    public RememberedFeed {
        columns = List.copyOf(columns);
        notes = List.copyOf(notes);
    }

    /** The same of a source that is open. */
    public static RememberedFeed of(Source source) {
        return new RememberedFeed(source.columns(), source.batch(), source.drawsAnEpoch(), source.notes());
    }

    /**
     * A source of these columns that reads its data when rows are first wanted.
     *
     * @param opening reads the data
     */
    Unopened unopened(String name, Supplier<Source> opening) {
        return new Unopened(name, this, opening);
    }

    /** Says that a feed's data is needed and cannot be read. */
    static Refusal refusal(String name, RuntimeException reason) {
        return new Refusal(
                "this needs the data of " + name + ", which cannot be read: " + reason.getMessage()
                        + "; --set says where it lies now, such as --set data=DIR",
                reason);
    }

    /** A source whose data has not been read. Used by one thread once rows are wanted. */
    static final class Unopened implements Source {
        private final String name;
        private final RememberedFeed feed;
        private final Supplier<Source> opening;
        private @Nullable Source opened;
        private State begin = State.empty();
        private State cursor = State.empty();

        private Unopened(String name, RememberedFeed feed, Supplier<Source> opening) {
            this.name = name;
            this.feed = feed;
            this.opening = opening;
        }

        /** @throws Refusal if the data cannot be read, or has other columns than are remembered */
        private Source opened() {
            Source source = opened;
            if (source != null) {
                return source;
            }
            try {
                source = opening.get();
            } catch (IllegalArgumentException | UncheckedIOException e) {
                throw refusal(name, e);
            }
            if (!source.columns().equals(feed.columns)) {
                throw new Refusal("this needs the data of " + name + ", which has changed: its columns were "
                        + feed.columns + ", are " + source.columns());
            }
            begin = source.save();
            if (!cursor.items().isEmpty()) {
                source.restore(cursor);
            }
            opened = source;
            return source;
        }

        private Optional<Source> openedIfPossible() {
            try {
                return Optional.of(opened());
            } catch (Refusal e) {
                return Optional.empty();
            }
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<Column> columns() {
            return feed.columns;
        }

        @Override
        public int batch() {
            return feed.batch;
        }

        @Override
        public int next(Streams streams, Sink sink) {
            return opened().next(streams, sink);
        }

        @Override
        public long bytes() {
            return bytes(feed.draws.orElse(0) * feed.batch);
        }

        @Override
        public double epoch() {
            return opened == null ? 0 : opened.epoch();
        }

        @Override
        public OptionalLong drawsAnEpoch() {
            return feed.draws;
        }

        @Override
        public List<String> notes() {
            return opened == null ? feed.notes : opened.notes();
        }

        @Override
        public Optional<String> attribution() {
            return openedIfPossible().flatMap(Source::attribution);
        }

        @Override
        public List<Origin> origins() {
            return openedIfPossible().map(Source::origins).orElse(List.of());
        }

        /** Empty for the beginning, while nothing was drawn. */
        @Override
        public State save() {
            return opened == null ? cursor : opened.save();
        }

        @Override
        public void restore(State state) {
            if (opened == null) {
                cursor = state;
            } else {
                opened.restore(state.items().isEmpty() ? begin : state);
            }
        }
    }
}
