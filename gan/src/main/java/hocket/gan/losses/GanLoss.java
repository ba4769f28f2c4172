package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Loss;
import hocket.programs.Network;
import hocket.programs.Value;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The losses of a discriminator and a generator over the discriminator's outputs, one number a row, high for real.
 * Losses take the network and not its outputs, because they call it and stop gradients.
 */
public interface GanLoss {
    /**
     * The discriminator's loss, from its outputs for real and for generated rows.
     *
     * @param real one number a row
     * @param fake one number a row
     */
    Value discriminator(Value real, Value fake);

    /** The generator's loss, from the discriminator's outputs for generated rows. */
    Value generator(Value fake);

    /** The output above which the discriminator classifies a row as real. */
    double decisionThreshold();

    /**
     * The discriminator's loss. No gradient flows into the generator. The metric {@code error_rate} is the share of
     * rows, real and generated, on the wrong side of the decision threshold.
     *
     * @param discriminator called on real, then on fake
     */
    default Loss discriminator(Network<Value, Value> discriminator, Value real, Value fake) {
        return discriminator(discriminator::apply, real, fake);
    }

    /** The discriminator's loss where the discriminator reads more than the rows, such as labels. */
    default Loss discriminator(UnaryOperator<Value> discriminator, Value real, Value fake) {
        Value forReal = discriminator.apply(stopGradient(real));
        Value forFake = discriminator.apply(stopGradient(fake));
        Value wrong = add(above(negate(forReal), -decisionThreshold()), above(forFake, decisionThreshold()));
        return Loss.of(discriminator(forReal, forFake)).metric("error_rate", scale(wrong, 0.5));
    }

    /** The generator's loss; the gradient flows through the discriminator into the generator. */
    default Loss generator(Network<Value, Value> discriminator, Value fake) {
        return generator(discriminator::apply, fake);
    }

    /** The generator's loss where the discriminator reads more than the rows. */
    default Loss generator(UnaryOperator<Value> discriminator, Value fake) {
        return Loss.of(generator(discriminator.apply(fake)));
    }

    /**
     * Adds penalties to the discriminator's loss, whose sum is the metric {@code penalty}. The generator's loss is
     * unchanged. Where a penalty uses each row's gradient, a batch norm in the discriminator is refused when the loss
     * is made.
     */
    default GanLoss with(Penalty... penalties) {
        return with(List.of(penalties));
    }

    /** Adds a list of penalties; an empty list changes nothing. */
    default GanLoss with(List<Penalty> penalties) {
        return penalties.isEmpty() ? this : new PenalisedLoss(this, List.copyOf(penalties), true);
    }

    /**
     * Adds penalties without refusing a batch norm. The penalties then differ from their papers, because rows mix;
     * meant for runs that were trained before {@link #with} refused this.
     */
    default GanLoss withUnchecked(List<Penalty> penalties) {
        return penalties.isEmpty() ? this : new PenalisedLoss(this, List.copyOf(penalties), false);
    }

    /** Returns whether this loss needs a Lipschitz-constrained discriminator and does not constrain it itself. */
    default boolean requiresLipschitz() {
        return false;
    }

    private static Value above(Value x, double boundary) {
        Value from = shift(x, -boundary);
        return mean(greater(from, scale(from, 0)));
    }

    /** {@link Standard#NON_SATURATING}. */
    static GanLoss nonSaturating() {
        return Standard.NON_SATURATING;
    }

    /** {@link Standard#LEAST_SQUARES}. */
    static GanLoss leastSquares() {
        return Standard.LEAST_SQUARES;
    }

    /** {@link Standard#HINGE}. */
    static GanLoss hinge() {
        return Standard.HINGE;
    }

    /** {@link Standard#WASSERSTEIN}. */
    static GanLoss wasserstein() {
        return Standard.WASSERSTEIN;
    }

    /** The losses that experiment files can name. */
    enum Standard implements GanLoss {
        /**
         * Goodfellow et al. 2014, with the generator's loss of their section 3: D: {@code mean softplus(-r) + mean
         * softplus(f)}, G: {@code mean softplus(-f)}, on logits r of real and f of generated rows.
         */
        NON_SATURATING(0) {
            @Override
            public Value discriminator(Value real, Value fake) {
                return add(mean(softplus(negate(real))), mean(softplus(fake)));
            }

            @Override
            public Value generator(Value fake) {
                return mean(softplus(negate(fake)));
            }
        },

        /**
         * Mao et al. 2017, equation 9 with a = 0, b = c = 1: D: {@code mean (r - 1)²/2 + mean f²/2}, G:
         * {@code mean (f - 1)²/2}.
         */
        LEAST_SQUARES(0.5) {
            @Override
            public Value discriminator(Value real, Value fake) {
                return add(scale(mean(square(shift(real, -1))), 0.5), scale(mean(square(fake)), 0.5));
            }

            @Override
            public Value generator(Value fake) {
                return scale(mean(square(shift(fake, -1))), 0.5);
            }
        },

        /** Lim and Ye 2017: D: {@code mean max(0, 1 - r) + mean max(0, 1 + f)}, G: {@code -mean f}. */
        HINGE(0) {
            @Override
            public Value discriminator(Value real, Value fake) {
                return add(mean(relu(shift(negate(real), 1))), mean(relu(shift(fake, 1))));
            }

            @Override
            public Value generator(Value fake) {
                return negate(mean(fake));
            }
        },

        /**
         * Arjovsky et al. 2017: D: {@code mean f - mean r}, G: {@code -mean f}. The discriminator, called a critic
         * here, must be Lipschitz-constrained, by {@link Penalty#wganGp} for example; its decision threshold has no
         * meaning.
         */
        WASSERSTEIN(0) {
            @Override
            public Value discriminator(Value real, Value fake) {
                return subtract(mean(fake), mean(real));
            }

            @Override
            public Value generator(Value fake) {
                return negate(mean(fake));
            }

            @Override
            public boolean requiresLipschitz() {
                return true;
            }
        };

        private final double boundary;

        Standard(double boundary) {
            this.boundary = boundary;
        }

        @Override
        public double decisionThreshold() {
            return boundary;
        }
    }
}
