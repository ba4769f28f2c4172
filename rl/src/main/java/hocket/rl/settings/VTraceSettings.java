package hocket.rl.settings;

import hocket.rl.returns.Truncation;
import hocket.rl.returns.VTrace;
import hocket.schedulers.settings.Setting;

/** The estimate of advantages and value targets from the rewards of an older policy. */
public record VTraceSettings(
        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "1", least = 0, most = 1, help = "lambda of V-trace; 1 in the paper")
        double lambda,

        @Setting(usually = "1", least = 0, most = 1e9, help = "largest importance ratio in the value targets (rho)")
        double rhoBar,

        @Setting(usually = "1", least = 0, most = 1e9, help = "largest importance ratio in the advantages")
        double policyRhoBar,

        @Setting(usually = "bootstrap", help = "how returns treat a time limit")
        Truncation truncation)
        implements VTraceSettingsCopies {

    /** Returns the estimator of advantages and value targets. */
    public VTrace vTrace() {
        return new VTrace(lambda, rhoBar, policyRhoBar);
    }
}
