package hocket.workbench.experiment;

import hocket.schedulers.Budget;
import hocket.schedulers.settings.Setting;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** How long, as a file says it. */
public sealed interface BudgetSpec {
    /**
     * The same as training takes it; empty if it counts epochs of no feed.
     *
     * @param one gives the only entry of a map from a feed to a number, or empty
     */
    Optional<Budget> budget(Function<Map<String, Long>, Optional<Map.Entry<String, Long>>> one);

    /** Until all rows were drawn so often. */
    record EpochsSpec(
            @Setting(least = 0, help = "how often all rows of a feed are drawn")
            Map<String, Long> epochs) implements BudgetSpec {
        @Override
        public Optional<Budget> budget(Function<Map<String, Long>, Optional<Map.Entry<String, Long>>> one) {
            return one.apply(epochs).map(entry -> Budget.epochs(entry.getKey(), entry.getValue()));
        }
    }

    /** For so many rounds. */
    record RoundsSpec(
            @Setting(least = 0, help = "how many rounds of the plan")
            long rounds) implements BudgetSpec {
        @Override
        public Optional<Budget> budget(Function<Map<String, Long>, Optional<Map.Entry<String, Long>>> one) {
            return Optional.of(Budget.rounds(rounds));
        }
    }

    /** For so many turns. */
    record TurnsSpec(
            @Setting(least = 0, help = "how many turns") long turns) implements BudgetSpec {
        @Override
        public Optional<Budget> budget(Function<Map<String, Long>, Optional<Map.Entry<String, Long>>> one) {
            return Optional.of(Budget.turns(turns));
        }
    }
}
