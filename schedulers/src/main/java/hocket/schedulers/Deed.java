package hocket.schedulers;

import java.util.Map;
import java.util.function.Consumer;

/** What is done beside training when a {@link Trigger} fires. */
public sealed interface Deed {
    /** What every run can do. */
    enum Usual implements Deed {
        /** Writes a checkpoint. */
        SAVE,
        /** Draws samples for the eye. */
        SAMPLES,
        /** Computes the validation's metric. */
        VALIDATE,
        /** Judges the parameters as they are. */
        SCORE,
        /** Keeps the parameters if they score best so far; where episodes are judged, by 20 of them. */
        BEST,
        /** Ends the run. */
        STOP
    }

    /**
     * Gives settings of turns' rules new values.
     *
     * @param values by the names of settings, such as {@code d/rate}
     */
    record Set(Map<String, Double> values) implements Deed {
        public Set {
            values = Map.copyOf(values);
        }

        /** The action. */
        public void act(Run run) {
            values.forEach(run::set);
        }
    }

    /**
     * Multiplies settings of turns' rules.
     *
     * @param factors by the names of settings, such as {@code d/rate}
     */
    record Scale(Map<String, Double> factors) implements Deed {
        public Scale {
            factors = Map.copyOf(factors);
        }

        /** The action. */
        public void act(Run run) {
            factors.forEach((setting, factor) -> run.set(setting, factor * run.setting(setting)));
        }
    }

    /**
     * Keeps the parameters if they score best so far.
     *
     * @param episodes by how many they are judged
     */
    record Best(int episodes) implements Deed {
        /** @throws IllegalArgumentException if there is not at least one */
        public Best {
            Limits.atLeast(1, "episodes", episodes);
        }
    }

    /** Something of the user's own. */
    record Own(Consumer<Run> action) implements Deed {}
}
