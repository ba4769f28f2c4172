package hocket.rl.settings;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.optimizers.rates.Rate;

/** Optimizers by which an agent learns. */
public enum OptimizerRule {
    ADAM {
        @Override
        GradientTransformation of(Rate rate, double epsilon) {
            return Optimizers.adam(1).rate(rate).epsilon(epsilon);
        }
    },
    RMS_PROP {
        @Override
        GradientTransformation of(Rate rate, double epsilon) {
            return Optimizers.rmsProp(1).rate(rate).epsilon(epsilon);
        }
    },
    SGD {
        @Override
        GradientTransformation of(Rate rate, double epsilon) {
            return Optimizers.sgd(1).rate(rate);
        }
    };

    /**
     * Returns the optimizer.
     *
     * @param rate over the run
     * @param epsilon added to the root of the mean square, where there is one
     */
    abstract GradientTransformation of(Rate rate, double epsilon);
}
