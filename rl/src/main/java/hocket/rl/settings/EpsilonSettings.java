package hocket.rl.settings;

import hocket.rl.actors.Exploration;
import hocket.schedulers.settings.Setting;

/** Exploration by random actions, whose share decays. */
public record EpsilonSettings(
        @Setting(usually = "1", least = 0, most = 1, help = "initial share of random actions")
        double epsilonFrom,

        @Setting(usually = "0.05", least = 0, most = 1, help = "final share of random actions")
        double epsilonTo,

        @Setting(usually = "0.1", least = 0, most = 1, help = "share of the steps over which it decays")
        double explorationFraction)
        implements EpsilonSettingsCopies {

    /** Returns the exploration over a number of environment steps. */
    public Exploration over(long totalSteps) {
        return new Exploration.Epsilon(epsilonFrom, epsilonTo, (long) (explorationFraction * totalSteps));
    }
}
