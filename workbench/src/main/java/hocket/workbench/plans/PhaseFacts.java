package hocket.workbench.plans;

import hocket.schedulers.Budget;
import hocket.schedulers.Phase;
import hocket.schedulers.Setup.Feed;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A phase of a run.
 *
 * @param plan a round of it
 * @param turnsARound turns in that; null where rounds differ
 * @param rounds how many; null where figures decide that
 * @param turns in all of them; null as well
 */
public record PhaseFacts(
        String name,
        String plan,
        BudgetFacts budget,
        @Nullable Long turnsARound,
        @Nullable Long rounds,
        @Nullable Long turns) {
    /**
     * A budget.
     *
     * @param unit {@code rounds}, {@code turns} or {@code epochs}
     * @param source whose epochs; null for other units
     */
    record BudgetFacts(String unit, long count, @Nullable String source) {
        static BudgetFacts of(Budget budget) {
            if (budget instanceof Budget.Epochs epochs) {
                return new BudgetFacts("epochs", epochs.count(), epochs.source());
            }
            return budget instanceof Budget.Turns turns
                    ? new BudgetFacts("turns", turns.count(), null)
                    : new BudgetFacts("rounds", ((Budget.Rounds) budget).count(), null);
        }
    }

    static PhaseFacts of(Phase phase, List<Feed> feeds) {
        Rounds rounds = new Rounds(phase.plan(), feeds);
        OptionalLong turns = rounds.turns();
        OptionalLong count = rounds.in(phase.budget());
        return new PhaseFacts(
                phase.name(),
                phase.plan().toString(),
                BudgetFacts.of(phase.budget()),
                turns.isPresent() ? turns.getAsLong() : null,
                count.isPresent() ? count.getAsLong() : null,
                count.isPresent() && turns.isPresent() ? count.getAsLong() * turns.getAsLong() : null);
    }
}
