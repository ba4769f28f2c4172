package hocket.schedulers.evaluation;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.feeds.FeedChecks;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.scopes.SimilarNames;
import hocket.scopes.Streams;
import java.util.Objects;

/**
 * A validation metric over rows that no turn trains on: the mean of a program's metric over one epoch of a source.
 *
 * @param source gives the rows; nothing else draws from it
 * @param program an EVAL program that reads them
 * @param metric the name of one of its metrics, or {@code loss} for its first target
 */
public record Validation(SourceDescription source, Program program, String metric) {
    /** @throws IllegalArgumentException if the program trains, or has no such metric */
    public Validation {
        if (program.mode() != Mode.EVAL) {
            throw new IllegalArgumentException(
                    "program " + program.name() + " is compiled for TRAIN; validation takes an EVAL program");
        }
        if (!metric.equals("loss")) {
            SimilarNames.require(program.metrics().keySet(), metric, "program " + program.name() + " has no metric ");
        }
        if (of(program, metric).shape().size() != 1 || of(program, metric).batched()) {
            throw new IllegalArgumentException(metric + " of program " + program.name()
                    + " must be a single number, was " + of(program, metric).shape());
        }
        if (!source.hasEpochs()) {
            throw new IllegalArgumentException("source " + source.name()
                    + " has no epochs, as its rows come from outside: validation needs an epoch of rows");
        }
        FeedChecks.fits(program, source);
    }

    private static Value of(Program program, String metric) {
        return metric.equals("loss")
                ? program.targets().get(0)
                : Objects.requireNonNull(program.metrics().get(metric));
    }

    /** Returns this validation with an open source. */
    public Validation open() {
        return new Validation(source.open(), program, metric);
    }

    /**
     * Returns the metric of a session's store: the mean over the batches of one epoch, weighted by their rows. Changes
     * nothing else.
     */
    public double mean(Session session) {
        Source source = this.source.open();
        State begin = NonNull.saved(source);
        double from = source.epoch();
        int target = program.targets().indexOf(of(program, metric));
        double sum = 0;
        long rows = 0;
        double before = from;
        boolean advanced;
        try {
            do {
                Feeds feeds = source.draw(program, Streams.seed(0));
                sum += session.run(program, feeds).get(target).scalar() * feeds.rows();
                rows += feeds.rows();
                advanced = source.epoch() > before;
                before = source.epoch();
            } while (advanced && source.epoch() < from + 1 - 1e-9); // one whose epoch stands still gives one batch
        } finally {
            source.restore(begin);
        }
        return sum / rows;
    }
}
