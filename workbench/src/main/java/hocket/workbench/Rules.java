package hocket.workbench;

import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.optimizers.Clipped;
import hocket.schedulers.optimizers.Rate;
import hocket.schedulers.optimizers.RmsProp;
import hocket.schedulers.optimizers.Sgd;
import hocket.schedulers.optimizers.UpdateRule;

/** Update rules in a line: {@code adam, rate 8e-4, beta1 0.5, beta2 0.999}. */
final class Rules {
    private Rules() {}

    static String line(UpdateRule rule) {
        if (rule instanceof Clipped clipped) {
            return line(clipped.rule()) + ", clipped at norm " + Figures.exactly(clipped.maxNorm());
        }
        return rule.name() + ", rate " + rate(rule.rate()) + further(rule);
    }

    private static String rate(Rate rate) {
        return rate.equals(Rate.constant(rate.at(1))) ? Figures.exactly(rate.at(1)) : rate.describe();
    }

    private static String further(UpdateRule rule) {
        if (rule instanceof Adam adam) {
            return ", beta1 " + Figures.exactly(adam.beta1()) + ", beta2 " + Figures.exactly(adam.beta2())
                    + unlessZero(adam.decoupled() ? "decoupled decay" : "decay", adam.weightDecay());
        } else if (rule instanceof Sgd sgd) {
            return unlessZero(sgd.nesterov() ? "Nesterov momentum" : "momentum", sgd.momentum())
                    + unlessZero("dampening", sgd.dampening())
                    + unlessZero("decay", sgd.weightDecay());
        } else if (rule instanceof RmsProp rmsProp) {
            return ", decay " + Figures.exactly(rmsProp.decay()) + (rmsProp.centred() ? ", centred" : "")
                    + unlessZero("momentum", rmsProp.momentum());
        }
        return "";
    }

    private static String unlessZero(String name, double value) {
        return value == 0 ? "" : ", " + name + " " + Figures.exactly(value);
    }
}
