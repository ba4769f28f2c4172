package hocket.rl.text;

import hocket.rl.settings.StepBudgets;
import hocket.schedulers.settings.Setting;

/** The rounds, pairs and passes in which a reward model learns from comparisons. */
public record RewardModelSettings(
        @Setting(usually = "40", least = 1, most = 1e9, help = "rounds in which the reward model learns")
        int rewardRounds,

        @Setting(usually = "64", least = 1, most = 1e6, help = "pairs of a round; batch divides it")
        int pairs,

        @Setting(usually = "2", least = 1, most = 1e4, help = "passes of the reward model over a round's pairs")
        int rewardEpochs,

        @Setting(usually = "1e-3", least = 0, most = 1e3, help = "learning rate of the reward model")
        double rewardRate)
        implements RewardModelSettingsCopies {
    public RewardModelSettings {
        RewardModelSettingsCopies.check(rewardRounds, pairs, rewardEpochs, rewardRate);
    }

    /**
     * Returns the updates of a round by batches of pairs.
     *
     * @throws IllegalArgumentException if they do not divide a round's
     */
    public int updates(int batch) {
        return StepBudgets.updates("reward_epochs", rewardEpochs, "pairs", pairs, batch);
    }
}
