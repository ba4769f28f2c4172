package hocket.rl.settings;

import hocket.rl.networks.Memory;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.Table;
import hocket.schedulers.settings.Setting;

/** A rollout that is gone through several times in minibatches. */
public record MinibatchSettings(
        @Setting(usually = "2048", least = 1, most = 1e6, help = "steps of a rollout in each environment")
        int rollout,

        @Setting(usually = "64", least = 1, most = 1e7, help = "rows of a minibatch; divides a rollout's")
        int minibatch,

        @Setting(usually = "10", least = 1, most = 1e4, help = "passes over a rollout")
        int epochs,

        @Setting(usually = "true", help = "whether the advantages of a minibatch are normalised")
        boolean normaliseAdvantages)
        implements MinibatchSettingsCopies {

    /** @throws IllegalArgumentException if minibatches do not divide a rollout, or are too many */
    public void check(EnvironmentSettings environments, Memory memory) {
        check(environments, memory, "environments.count " + environments.count());
    }

    /** @param columns says of what the rows of a step are, for messages */
    public void check(EnvironmentSettings environments, Memory memory, String columns) {
        int rows = environments.rows(rollout);
        if (rows % minibatch != 0) {
            throw new IllegalArgumentException("minibatch must divide the rows of a rollout, " + rows + " (rollout "
                    + rollout + " × " + columns + "), was " + minibatch);
        }
        if (memory.remembers() && minibatch % rollout != 0) {
            throw new IllegalArgumentException(
                    "minibatch must be a multiple of rollout with a memory, which learns from"
                            + " whole rollouts of an environment, was " + minibatch + " with rollout " + rollout);
        }
        updates(environments); // refuses too many
    }

    /** Returns the updates of a round. */
    public int updates(EnvironmentSettings environments) {
        return passes(environments, "epochs", epochs);
    }

    /**
     * Returns the minibatches of a round in which a rollout is gone through several times.
     *
     * @param setting says how often, for messages
     * @throws IllegalArgumentException if there are too many
     */
    public int passes(EnvironmentSettings environments, String setting, int times) {
        return StepBudgets.updates(
                setting, times, environments.rows(rollout) / minibatch, "the minibatches of a rollout");
    }

    /** Returns the minibatches of a rollout, of its rows or, with a memory, of its environments. */
    public Minibatches of(Table rollouts, Memory memory) {
        Minibatches rows = new Minibatches(rollouts, memory.remembers() ? minibatch / rollout : minibatch);
        if (normaliseAdvantages) {
            rows.normalising("advantage");
        }
        return rows;
    }
}
