package hocket.rl.settings;

import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Setting;

/** The learning rate and the clipping of gradients. */
public record GradientSettings(
        @Setting(usually = "7e-4", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(
                usually = "none",
                former = "rate_falls",
                help = "decay of the rate to 0 over the run: none, linear or cosine")
        RateDecay rateDecay,

        @Setting(
                usually = "0.5",
                least = 0,
                most = MOST,
                help = "largest norm of a turn's gradients together; 0 for no clipping")
        double clipGradients)
        implements GradientSettingsCopies {
    /** Clips nothing, as 0 does. */
    private static final double MOST = 1e9;

    /**
     * Returns Adam whose gradients are clipped first.
     *
     * @param rounds over which the rate decays
     */
    public UpdateRule adam(long rounds) {
        return rule(OptimizerRule.ADAM, rounds, 1e-8);
    }

    /**
     * Returns an optimizer whose gradients are clipped first.
     *
     * @param rounds over which the rate decays
     * @param epsilon of the optimizer
     */
    public UpdateRule rule(OptimizerRule optimizer, long rounds, double epsilon) {
        return rule(optimizer, rounds, RateUnit.ROUND, epsilon);
    }

    /**
     * Returns an optimizer whose gradients are clipped first.
     *
     * @param total units over which the rate decays
     * @param epsilon of the optimizer
     */
    UpdateRule rule(OptimizerRule optimizer, long total, RateUnit unit, double epsilon) {
        GradientTransformation updates = optimizer.of(rateDecay.over(rate, total, unit), epsilon);
        return clipGradients > 0 && clipGradients < MOST ? chain(clipByGlobalNorm(clipGradients), updates) : updates;
    }
}
