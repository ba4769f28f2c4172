package hocket.workbench;

import hocket.schedulers.Budget;
import hocket.schedulers.Draw;
import hocket.schedulers.Experiment.Feed;
import hocket.schedulers.Plan;
import hocket.schedulers.Source;
import hocket.schedulers.State;
import hocket.schedulers.Turn;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many rounds a budget is, as far as that is known before: what a schedule chooses is not.
 *
 * @param plan a round
 * @param feeds what it draws from
 */
record Rounds(Plan plan, List<Feed> feeds) {
    /** Turns in a round. */
    long turns() {
        return turns(plan);
    }

    /** Rounds in a budget. */
    OptionalLong in(Budget budget) {
        if (budget instanceof Budget.Rounds rounds) {
            return OptionalLong.of(rounds.count());
        } else if (budget instanceof Budget.Turns turns) {
            return OptionalLong.of(upwards(turns.count(), turns()));
        }
        Budget.Epochs epochs = (Budget.Epochs) budget;
        Optional<Feed> feed = feeds.stream()
                .filter(each -> isCalled(each.source(), epochs.source()))
                .findFirst();
        if (feed.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong draws = draws(plan, feed.get());
        if (draws.isEmpty() || draws.getAsLong() == 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(upwards(epochs.count() * drawsAnEpoch(feed.get().source()), draws.getAsLong()));
    }

    /** Draws in an epoch, found by drawing once; the source is put back. */
    static long drawsAnEpoch(Source source) {
        State before = source.save();
        double from = source.epoch();
        source.next(Streams.seed(0), (column, rows) -> null);
        double share = source.epoch() - from;
        source.restore(before);
        return Math.max(1, Math.round(1 / share));
    }

    private static long upwards(long whole, long part) {
        return (whole + part - 1) / part;
    }

    private static boolean isCalled(Source source, String name) {
        return source.name().equals(name)
                || source.columns().stream().anyMatch(column -> column.name().equals(name));
    }

    private static long turns(Plan part) {
        if (part instanceof Plan.Sequence sequence) {
            return sequence.parts().stream().mapToLong(Rounds::turns).sum();
        } else if (part instanceof Plan.Repeat repeat) {
            return repeat.times() * turns(repeat.part());
        } else if (part instanceof Plan.Simultaneous group) {
            return group.turns().size();
        }
        return 1;
    }

    /** How often a round draws from a source; empty where a schedule decides. */
    private static OptionalLong draws(Plan plan, Feed feed) {
        OptionalLong draws = readers(plan, feed);
        return feed.draw() == Draw.EACH_ROUND && draws.isPresent()
                ? OptionalLong.of(Math.min(1, draws.getAsLong()))
                : draws;
    }

    private static OptionalLong readers(Plan part, Feed feed) {
        if (part instanceof Turn turn) {
            return OptionalLong.of(reads(turn, feed) ? 1 : 0);
        } else if (part instanceof Plan.Repeat repeat) {
            OptionalLong once = readers(repeat.part(), feed);
            return once.isPresent() ? OptionalLong.of(repeat.times() * once.getAsLong()) : once;
        } else if (part instanceof Plan.Simultaneous group) {
            return OptionalLong.of(
                    group.turns().stream().filter(turn -> reads(turn, feed)).count());
        } else if (part instanceof Plan.Choose choose) {
            long reading =
                    choose.turns().stream().filter(turn -> reads(turn, feed)).count();
            return reading == 0 || reading == choose.turns().size()
                    ? OptionalLong.of(Math.min(1, reading))
                    : OptionalLong.empty();
        }
        long sum = 0;
        for (Plan each : ((Plan.Sequence) part).parts()) {
            OptionalLong draws = readers(each, feed);
            if (draws.isEmpty()) {
                return draws;
            }
            sum += draws.getAsLong();
        }
        return OptionalLong.of(sum);
    }

    private static boolean reads(Turn turn, Feed feed) {
        return turn instanceof Turn.Descend descend
                && feed.source().columns().stream()
                        .anyMatch(
                                column -> descend.program().input(column.name()).isPresent());
    }
}
