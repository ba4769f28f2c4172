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

            @Setting(usually = "{}", help = "which weights it moves, by glob, and by which rule")
            Map<String, UpdateRule> updates,

            @Setting(usually = "{}", help = "the same, where other turns may move them, too")
            Map<String, UpdateRule> shares,

            @Setting(usually = "[]", help = "paths of values that are computed with it")
            List<String> observes,

            @Setting(usually = "{}", help = "metrics, before the update, above which it moves nothing: name and limit")
            Map<String, Double> unlessAbove,

            @Setting(usually = "false", help = "whether it also reports its figures after its update, as after/…")
            boolean measuredAfter)
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
            @Setting(help = "what is followed: a glob") String from,

            @Setting(help = "what follows; it begins as a copy")
            String to,

            @Setting(least = 0, most = 1, help = "share of itself that it keeps each time")
            double decay,

            @Setting(
                    usually = "auto",
                    help = "whether the decay begins small, as (1 + t)/(10 + t) after t times: always, never, or"
                            + " auto: where no turn trains with it, so that it is an average to draw with and not"
                            + " a target network")
            WarmUp warmUp,

            @Setting(
                    usually = "50",
                    least = 0,
                    help = "over how many batches its own batch-norm statistics are estimated when it is sampled,"
                            + " scored, saved or exported; 0 for copies of those that it follows")
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
            @Setting(help = "Java that writes no parameter, by class")
            Turn.Action act) implements TurnSpec {
        @Override
        public <R> R fold(
                Function<DescendSpec, R> descend, Function<FollowTurnSpec, R> follow, Function<ActTurnSpec, R> acting) {
            return acting.apply(this);
        }
    }
}
