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
import java.util.function.ToLongFunction;

/**
 * How many rounds a phase's budget is, as far as that is known before: what a schedule chooses is not.
 *
 * @param plan a round of the phase
 * @param feeds what it draws from
 */
record Rounds(Plan plan, List<Feed> feeds) {
    /** Turns in a round. */
    long turns() {
        return sum(plan, turn -> 1).orElseThrow();
    }

    /** Rounds in a budget; empty where that is not known, or its source is never drawn from. */
    OptionalLong in(Budget budget) {
        if (budget instanceof Budget.Rounds rounds) {
            return OptionalLong.of(rounds.count());
        } else if (budget instanceof Budget.Turns turns) {
            return OptionalLong.of(upwards(turns.count(), turns()));
        }
        Budget.Epochs epochs = (Budget.Epochs) budget;
        Optional<Feed> feed = feed(epochs.source());
        if (feed.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong draws = draws(feed.get());
        OptionalLong epoch = drawsAnEpoch(feed.get().source());
        return draws.orElse(0) == 0 || epoch.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(upwards(epochs.count() * epoch.getAsLong(), draws.getAsLong()));
    }

    /** The feed that budgets and triggers call by a name: its own, or a column's. */
    Optional<Feed> feed(String name) {
        return feeds.stream()
                .filter(feed -> feed.source().name().equals(name)
                        || feed.source().columns().stream()
                                .anyMatch(column -> column.name().equals(name)))
                .findFirst();
    }

    /** How often a round draws from a feed; empty where a schedule decides. */
    OptionalLong draws(Feed feed) {
        OptionalLong draws = sum(plan, turn -> reads(turn, feed.source()) ? 1 : 0);
        return feed.draw() == Draw.EACH_ROUND && draws.isPresent()
                ? OptionalLong.of(Math.min(1, draws.getAsLong()))
                : draws;
    }

    /** Whether a turn reads a column of a source. */
    static boolean reads(Turn turn, Source source) {
        return turn instanceof Turn.Descend descend
                && source.columns().stream()
                        .anyMatch(
                                column -> descend.program().input(column.name()).isPresent());
    }

    /** Draws in an epoch, found by drawing once; empty where there are none, or nothing can be drawn yet. */
    static OptionalLong drawsAnEpoch(Source source) {
        State before = source.save();
        double share = -source.epoch();
        try {
            source.next(Streams.seed(0), (column, rows) -> null);
            share += source.epoch();
        } catch (RuntimeException e) {
            return OptionalLong.empty(); // such as a replay that nothing was put into
        } finally {
            source.restore(before);
        }
        return share > 0 ? OptionalLong.of(Math.max(1, Math.round(1 / share))) : OptionalLong.empty();
    }

    private static long upwards(long whole, long part) {
        return (whole + part - 1) / part;
    }

    /** The sum over the turns of a round; empty where it depends on what a schedule chooses. */
    private static OptionalLong sum(Plan part, ToLongFunction<Turn> each) {
        if (part instanceof Turn turn) {
            return OptionalLong.of(each.applyAsLong(turn));
        }
        List<OptionalLong> sums =
                part.parts().stream().map(inner -> sum(inner, each)).toList();
        if (sums.stream().anyMatch(OptionalLong::isEmpty)) {
            return OptionalLong.empty();
        } else if (part instanceof Plan.Choose) {
            return sums.stream().distinct().count() == 1 ? sums.get(0) : OptionalLong.empty();
        }
        int times = part instanceof Plan.Repeat repeat ? repeat.times() : 1;
        return OptionalLong.of(
                times * sums.stream().mapToLong(OptionalLong::getAsLong).sum());
    }
}
