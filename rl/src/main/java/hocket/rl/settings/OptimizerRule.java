package hocket.rl.settings;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.optimizers.rates.Rate;

/** Optimizers by which an agent learns. */
public enum OptimizerRule {
    ADAM {
        @Override
        GradientTransformation of(double rate, Rate over, double epsilon) {
            return Optimizers.adam(rate).rate(over).epsilon(epsilon);
        }
    },
    RMS_PROP {
        @Override
        GradientTransformation of(double rate, Rate over, double epsilon) {
            return Optimizers.rmsProp(rate).rate(over).epsilon(epsilon);
        }
    },
    SGD {
        @Override
        GradientTransformation of(double rate, Rate over, double epsilon) {
            return Optimizers.sgd(rate).rate(over);
        }
    };

    /**
     * Returns the optimizer.
     *
     * @param rate at first
     * @param over the rate over the run
     * @param epsilon added to the root of the mean square, where there is one
     */
    abstract GradientTransformation of(double rate, Rate over, double epsilon);
}
