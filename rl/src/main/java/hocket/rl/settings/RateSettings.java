package hocket.rl.settings;

import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Setting;

/** The learning rate of all networks of an algorithm. */
public record RateSettings(
        @Setting(usually = "3e-4", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(usually = "none", help = "decay of the rate to 0 over the run: none, linear or cosine")
        RateDecay rateDecay)
        implements RateSettingsCopies {

    /**
     * Returns Adam with this rate.
     *
     * @param total units of the run, over which the rate decays
     */
    public UpdateRule adam(long total, RateUnit unit) {
        return Optimizers.adam(rate).rate(rateDecay.over(rate, total, unit));
    }
}
