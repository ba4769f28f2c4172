package hocket.workbench.runs.plans;

import hocket.schedulers.Budget;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Setup.Feed;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Turn;
import hocket.schedulers.plans.Rehearsal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Counts the turns and draws in a phase's rounds by rehearsing it; counts that metrics decide are unknown before a run.
 */
public final class RoundCounts {
    /** The number of turns that are rehearsed. */
    private static final int MOST = 20_000;

    private final Map<String, Turn> turns;
    private final List<Feed> feeds;
    private final boolean certain;

    /** The turns of each complete round. */
    private final List<List<String>> rounds = new ArrayList<>();

    /**
     * Rehearses.
     *
     * @param plan the plan of a round of the phase
     * @param feeds its feeds
     */
    RoundCounts(Plan plan, List<Feed> feeds) {
        this.turns = plan.turnsByName();
        this.feeds = feeds;
        Rehearsal rehearsal =
                Rehearsal.of(List.of(new Phase("any", plan, Budget.rounds(1))), phase -> Long.MAX_VALUE, 0, MOST);
        rehearsal
                .intervals()
                .forEach(interval -> interval.beats().forEach(step -> {
                    while (rounds.size() <= step.round()) {
                        rounds.add(new ArrayList<>());
                    }
                    rounds.get((int) step.round()).addAll(step.turns());
                }));
        if (!rounds.isEmpty() && (rounds.size() > 1 || plan.parts().size() > 0)) {
            rounds.remove(rounds.size() - 1); // it may not be whole
        }
        this.certain = !rehearsal.guessed() && rehearsal.failure().isEmpty();
    }

    /** The counts of each phase, rehearsed once; keyed by identity, since a phase's hash is that of its whole plan. */
    static Function<Phase, RoundCounts> of(Setup setup) {
        Map<Phase, RoundCounts> roundCounts = new IdentityHashMap<>();
        return phase -> roundCounts.computeIfAbsent(phase, each -> new RoundCounts(each.plan(), setup.feeds()));
    }

    /** Returns the turns of a round; empty if rounds differ. */
    OptionalLong turns() {
        return each(turn -> 1, false);
    }

    /** Returns the rounds of a budget; empty if unknown, or if its source is never read. */
    OptionalLong in(Budget budget) {
        return budget.fold(
                rounds -> OptionalLong.of(rounds.count()), turns -> until(turns.count(), turn -> 1, false), this::in);
    }

    private OptionalLong in(Budget.Epochs epochs) {
        Optional<Feed> feed = feed(feeds, epochs.source());
        if (feed.isEmpty() || feed.get().source().drawsAnEpoch().isEmpty()) {
            return OptionalLong.empty();
        }
        return until(
                times(epochs.count(), feed.get().source().drawsAnEpoch().getAsLong()),
                turn -> reads(turn, feed.get().source()) ? 1 : 0,
                feed.get().draw() == Resample.EACH_ROUND);
    }

    /**
     * Returns how often each turn is taken in the first rounds; empty if metrics decide it, or if rounds differ and are
     * more than were rehearsed.
     */
    Map<String, Long> taken(long count) {
        Map<String, Long> taken = new LinkedHashMap<>();
        for (String name : certain ? turns.keySet() : Set.<String>of()) {
            ToLongFunction<Turn> one = turn -> turn.name().equals(name) ? 1 : 0;
            OptionalLong each = each(one, false);
            if (each.isEmpty() && count > rounds.size()) {
                return Map.of();
            }
            taken.put(
                    name,
                    each.isPresent()
                            ? times(each.getAsLong(), count)
                            : rounds.subList(0, (int) count).stream()
                                    .mapToLong(round -> sum(round, one, false))
                                    .sum());
        }
        return taken;
    }

    /** Returns the product of two counts; a budget may be almost infinite. */
    static long times(long one, long other) {
        return one != 0 && other > Long.MAX_VALUE / one ? Long.MAX_VALUE : one * other;
    }

    /** Returns the feed of a name in budgets and triggers: its own, or a column's. */
    static Optional<Feed> feed(List<Feed> feeds, String name) {
        return feeds.stream().filter(feed -> feed.source().isCalled(name)).findFirst();
    }

    /** Returns how often a round reads a feed; empty if rounds differ. */
    OptionalLong draws(Feed feed) {
        return each(turn -> reads(turn, feed.source()) ? 1 : 0, feed.draw() == Resample.EACH_ROUND);
    }

    /** Returns whether a turn reads a column of a source. */
    static boolean reads(Turn turn, SourceDescription source) {
        return turn.descend()
                .filter(descend -> source.isReadBy(descend.program()))
                .isPresent();
    }

    /** Returns the sum over the turns of a round, if it is the same in all rehearsed rounds. */
    private OptionalLong each(ToLongFunction<Turn> counted, boolean once) {
        List<Long> sums = rounds.stream()
                .map(round -> sum(round, counted, once))
                .distinct()
                .toList();
        return certain && sums.size() == 1 ? OptionalLong.of(sums.get(0)) : OptionalLong.empty();
    }

    /** Returns after how many rounds a sum over turns is reached. */
    private OptionalLong until(long wanted, ToLongFunction<Turn> counted, boolean once) {
        if (!certain) {
            return OptionalLong.empty();
        }
        long sum = 0;
        for (int i = 0; i < rounds.size(); i++) {
            if (sum >= wanted) {
                return OptionalLong.of(i);
            }
            sum += sum(rounds.get(i), counted, once);
        }
        OptionalLong each = each(counted, once);
        return each.orElse(0) == 0
                ? OptionalLong.empty()
                : OptionalLong.of(wanted / each.getAsLong() + (wanted % each.getAsLong() == 0 ? 0 : 1));
    }

    private long sum(List<String> round, ToLongFunction<Turn> counted, boolean once) {
        long sum = 0;
        for (String turn : round) {
            sum += counted.applyAsLong(turns.get(turn));
        }
        return once ? Math.min(1, sum) : sum;
    }
}
