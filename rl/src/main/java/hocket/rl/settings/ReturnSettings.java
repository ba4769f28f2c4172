package hocket.rl.settings;

import hocket.rl.returns.AdvantageEstimator;
import hocket.rl.returns.Gae;
import hocket.rl.returns.Truncation;
import hocket.rl.returns.ValueNormalisation;
import hocket.schedulers.settings.Setting;

/** The estimate of advantages and returns. */
public record ReturnSettings(
        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(
                usually = "0.95",
                least = 0,
                most = 1,
                help = "lambda of the generalised advantages; 1 is n-step returns")
        double gaeLambda,

        @Setting(usually = "bootstrap", help = "how returns treat a time limit")
        Truncation truncation,

        @Setting(
                usually = "false",
                help = "whether the critic learns returns divided by their running deviation, less their mean")
        boolean normaliseValues)
        implements ReturnSettingsCopies {

    /** Returns the estimator of advantages. */
    public AdvantageEstimator estimator() {
        Gae gae = new Gae(gamma, gaeLambda, truncation);
        return normaliseValues ? new ValueNormalisation(gae) : gae;
    }
}
