package hocket.rl.settings;

import hocket.rl.returns.Gae;
import hocket.rl.returns.Truncation;
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
        Truncation truncation)
        implements ReturnSettingsCopies {

    /** Returns the estimator of advantages. */
    public Gae gae() {
        return new Gae(gamma, gaeLambda, truncation);
    }
}
