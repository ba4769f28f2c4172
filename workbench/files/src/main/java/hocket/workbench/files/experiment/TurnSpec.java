package hocket.workbench.files.experiment;

import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A turn of an experiment file. */
public sealed interface TurnSpec {
    /** Returns the result of the function for this kind. */
    <R> R fold(Function<DescendSpec, R> descend, Function<FollowTurnSpec, R> follow, Function<ActTurnSpec, R> act);

    /** A turn that minimises a loss. */
    record DescendSpec(
            @Setting(help = "the program whose first target is the loss")
            String program,

            @Setting(usually = "{}", help = "the weights that it updates, by glob, and their optimizers")
            Map<String, UpdateRule> updates,

            @Setting(usually = "{}", help = "the same for weights that other turns may update, too")
            Map<String, UpdateRule> shares,

            @Setting(
                    usually = "",
                    help =
                            "a turn whose weights and optimizers it takes in place of its own: it steps them, with their slots, by"
                                    + " the gradients of its own loss")
            String optimizerOf,

            @Setting(usually = "[]", help = "paths of values that are computed with it")
            List<String> observes,

            @Setting(usually = "{}", help = "limits of metrics before the update; above one it updates nothing")
            Map<String, Double> unlessAbove,

            @Setting(usually = "false", help = "whether it also reports its metrics after its update, as after/…")
            boolean measuredAfter,

            @Setting(
                    usually = "{}",
                    help = "states: inputs, and the paths of the values that they read the next time, zeros at first")
            Map<String, String> carries)
            implements TurnSpec {
        @Override
        public <R> R fold(
                Function<DescendSpec, R> descend, Function<FollowTurnSpec, R> follow, Function<ActTurnSpec, R> act) {
            return descend.apply(this);
        }
    }

    /** A turn that averages. */
    record FollowTurnSpec(
            @Setting(help = "weights that follow others") FollowSpec follow) implements TurnSpec {
        @Override
        public <R> R fold(
                Function<DescendSpec, R> descend, Function<FollowTurnSpec, R> followed, Function<ActTurnSpec, R> act) {
            return followed.apply(this);
        }
    }

    /** An average. */
    record FollowSpec(
            @Setting(help = "the source weights: a glob") String from,

            @Setting(help = "the target weights, which start as a copy")
            String to,

            @Setting(least = 0, most = 1, help = "decay: share of the target's own weights that an update keeps")
            double decay,

            @Setting(
                    usually = "auto",
                    help = "whether the decay starts small, as (1 + t)/(10 + t) after t updates: always, never, or"
                            + " auto, for averages that no turn reads, such as an EMA but not a target network")
            WarmUp warmUp,

            @Setting(
                    usually = "50",
                    least = 0,
                    help = "batches to estimate its own batch-norm statistics when it is sampled, scored, saved or"
                            + " exported; 0 copies those of the source")
            int statisticsBatches) {
        /** Returns the settings with the values that were fixed before they existed. */
        static final Map<String, String> FORMERLY = Map.of("warm_up", "never", "statistics_batches", "0");
    }

    /** Returns whether the decay of an average starts small. */
    enum WarmUp {
        AUTO,
        ALWAYS,
        NEVER
    }

    /** A turn of Java. */
    record ActTurnSpec(
            @Setting(help = "Java code, by class") Turn.Action act,

            @Setting(usually = "[]", help = "the parameters that it may write, by globs")
            List<String> writes)
            implements TurnSpec {
        @Override
        public <R> R fold(
                Function<DescendSpec, R> descend, Function<FollowTurnSpec, R> follow, Function<ActTurnSpec, R> acting) {
            return acting.apply(this);
        }
    }
}
