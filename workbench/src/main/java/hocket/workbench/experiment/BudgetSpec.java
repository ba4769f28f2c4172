package hocket.workbench.experiment;

import hocket.schedulers.Setting;
import java.util.Map;

/** How long, as a file says it. */
public sealed interface BudgetSpec {

    /** Until all rows were drawn so often. */
    record EpochsSpec(
            @Setting(least = 0, help = "how often all rows of a feed are drawn")
            Map<String, Long> epochs) implements BudgetSpec {}

    /** For so many rounds. */
    record RoundsSpec(
            @Setting(least = 0, help = "how many rounds of the plan")
            long rounds) implements BudgetSpec {}

    /** For so many turns. */
    record TurnsSpec(
            @Setting(least = 0, help = "how many turns") long turns) implements BudgetSpec {}
}
