package hocket.workbench.runs.plans;

import hocket.schedulers.Budget;
import hocket.schedulers.Node;
import hocket.schedulers.Phase;
import hocket.schedulers.Setup.Feed;
import hocket.workbench.terminal.NumberFormats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A phase of a run.
 *
 * @param plan the plan of a round
 * @param turnsARound turns a round; null if rounds differ
 * @param rounds number of rounds; null if metrics decide it
 * @param turns turns in all rounds; null if metrics decide it
 * @param taken how often each turn is taken in all rounds; empty if metrics decide it
 * @param notes consequences of the plan for the budget, a sentence each
 */
public record PhaseFacts(
        String name,
        String plan,
        BudgetFacts budget,
        @Nullable Long turnsARound,
        @Nullable Long rounds,
        @Nullable Long turns,
        Map<String, Long> taken,
        List<String> notes) {
    /**
     * A budget.
     *
     * @param unit {@code rounds}, {@code turns} or {@code epochs}
     * @param source the feed whose epochs count; null for other units
     */
    record BudgetFacts(String unit, long count, @Nullable String source) {
        static BudgetFacts of(Budget budget) {
            return new BudgetFacts(
                    budget.unit(), budget.count(), budget.counted().orElse(null));
        }
    }

    static PhaseFacts of(Phase phase, List<Feed> feeds, RoundCounts roundCounts) {
        OptionalLong turns = roundCounts.turns();
        OptionalLong count = roundCounts.in(phase.budget());
        Map<String, Long> taken = count.isPresent() ? roundCounts.taken(count.getAsLong()) : Map.of();
        List<String> notes = new ArrayList<>();
        singleTurns(phase).ifPresent(notes::add);
        fewerRounds(phase, feeds, roundCounts, taken).ifPresent(notes::add);
        return new PhaseFacts(
                phase.name(),
                TriggerText.in(phase.plan()),
                BudgetFacts.of(phase.budget()),
                turns.isPresent() ? turns.getAsLong() : null,
                count.isPresent() ? count.getAsLong() : null,
                count.isPresent() && turns.isPresent() ? RoundCounts.times(count.getAsLong(), turns.getAsLong()) : null,
                taken,
                List.copyOf(notes));
    }

    private static Optional<String> singleTurns(Phase phase) {
        return phase.plan()
                .node()
                .filter(Node::isChoice)
                .map(choice -> "a round is one turn, since a schedule is the whole plan; {repeat: 6, of: {…}} around it"
                        + " makes six turns a round");
    }

    /** Returns the turns that are taken less often because others read several batches a round. */
    private static Optional<String> fewerRounds(
            Phase phase, List<Feed> feeds, RoundCounts roundCounts, Map<String, Long> taken) {
        if (taken.isEmpty()) {
            return Optional.empty();
        }
        Optional<Feed> feed = phase.budget().counted().flatMap(source -> RoundCounts.feed(feeds, source));
        long draws = feed.map(roundCounts::draws).orElse(OptionalLong.empty()).orElse(1);
        if (feed.isEmpty() || draws < 2) {
            return Optional.empty();
        }
        long most = Collections.max(taken.values());
        List<String> fewer = taken.entrySet().stream()
                .filter(turn -> turn.getValue() * draws <= most)
                .map(Map.Entry::getKey)
                .toList();
        return fewer.isEmpty()
                ? Optional.empty()
                : Optional.of("a round draws from " + feed.get().source().name() + " " + NumberFormats.grouped(draws)
                        + " times, so an epoch has " + NumberFormats.grouped(draws)
                        + " times fewer rounds than with one draw: "
                        + String.join(", ", fewer) + " " + (fewer.size() == 1 ? "is" : "are") + " taken as often with "
                        + NumberFormats.grouped(phase.budget().count() * draws) + " epochs");
    }
}
