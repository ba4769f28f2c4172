package hocket.rl.settings;

import hocket.schedulers.settings.Setting;

/** The rollouts that actor and critic learn from in a world model. */
public record BehaviourSettings(
        @Setting(usually = "15", least = 1, most = 1e4, help = "steps of an imagined rollout")
        int horizon,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "0.95", least = 0, most = 1, help = "lambda of the returns")
        double lambda,

        @Setting(usually = "3e-3", least = 0, most = 1e3, help = "factor of the entropy bonus")
        double entropy,

        @Setting(usually = "0.98", least = 0, most = 1, help = "share of the target's own weights that an update keeps")
        double targetDecay)
        implements BehaviourSettingsCopies {}
