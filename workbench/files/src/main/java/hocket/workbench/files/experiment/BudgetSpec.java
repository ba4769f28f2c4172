package hocket.workbench.files.experiment;

import hocket.schedulers.Budget;
import hocket.schedulers.settings.Setting;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The budget of an experiment file. */
public sealed interface BudgetSpec {
    /**
     * Returns the budget in the form that training needs; empty if it counts epochs of an unknown feed.
     *
     * @param one returns the only entry of a map from a feed to a number, or empty
     */
    Optional<Budget> budget(Function<Map<String, Long>, Optional<Map.Entry<String, Long>>> one);

    /** Ends when all rows have been read this many times. */
    record EpochsSpec(
            @Setting(least = 0, help = "number of epochs by feed")
            Map<String, Long> epochs) implements BudgetSpec {
        @Override
        public Optional<Budget> budget(Function<Map<String, Long>, Optional<Map.Entry<String, Long>>> one) {
            return one.apply(epochs).map(entry -> Budget.epochs(entry.getKey(), entry.getValue()));
        }
    }

    /** A number of rounds. */
    record RoundsSpec(
            @Setting(least = 0, help = "number of rounds of the plan")
            long rounds) implements BudgetSpec {
        @Override
        public Optional<Budget> budget(Function<Map<String, Long>, Optional<Map.Entry<String, Long>>> one) {
            return Optional.of(Budget.rounds(rounds));
        }
    }

    /** A number of turns. */
    record TurnsSpec(
            @Setting(least = 0, help = "number of turns") long turns) implements BudgetSpec {
        @Override
        public Optional<Budget> budget(Function<Map<String, Long>, Optional<Map.Entry<String, Long>>> one) {
            return Optional.of(Budget.turns(turns));
        }
    }
}
