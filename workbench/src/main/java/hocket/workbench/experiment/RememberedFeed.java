package hocket.workbench.experiment;

import hocket.schedulers.Source;
import hocket.schedulers.State;
import hocket.scopes.Streams;
import hocket.workbench.terminal.Refusal;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a run remembers of a feed: enough to build its networks and to look at what they learnt where the data itself is gone.
 *
 * @param columns as they feed inputs
 * @param batch rows a draw
 * @param draws how many an epoch has; empty where there are no epochs
 */
public record RememberedFeed(List<Source.Column> columns, int batch, OptionalLong draws) {
    public RememberedFeed {
        columns = List.copyOf(columns);
    }

    /** A source of these columns that refuses to give rows. */
    Absent absent(String name, RuntimeException reason) {
        return new Absent(name, this, String.valueOf(reason.getMessage()));
    }

    /** Stands for a source whose data cannot be read. */
    static final class Absent implements Source {
        private final String name;
        private final RememberedFeed feed;
        private final String reason;

        private Absent(String name, RememberedFeed feed, String reason) {
            this.name = name;
            this.feed = feed;
            this.reason = reason;
        }

        /** What is said to who needs the rows. */
        Refusal refusal() {
            return new Refusal("this needs the data of " + name + ", which cannot be read: " + reason
                    + "; --set says where it lies now, such as --set data=DIR");
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
            throw refusal();
        }

        @Override
        public double epoch() {
            return 0;
        }

        @Override
        public OptionalLong drawsAnEpoch() {
            return feed.draws;
        }

        @Override
        public State save() {
            return State.empty();
        }

        @Override
        public void restore(State state) {
            // there are no rows to go back to
        }
    }
}
