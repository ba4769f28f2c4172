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
 * The game that discriminator and generator play: two losses over a discriminator's outputs, one number a row, high for
 * real. It takes the network and not its outputs, since it has to call it, and to detach what it must.
 */
public interface GanLoss {
    /**
     * What the discriminator descends, of its outputs for real and for generated rows.
     *
     * @param real one number a row
     * @param fake one number a row
     */
    Value discriminator(Value real, Value fake);

    /** What the generator descends, of the discriminator's outputs for generated rows. */
    Value generator(Value fake);

    /** The output above which the discriminator takes a row for real. */
    double boundary();

    /**
     * The discriminator's loss. No gradient flows into what made the rows. Its metric {@code error_rate} is the share of
     * rows, real and generated, on the wrong side of the boundary.
     *
     * @param discriminator called on real, then on fake
     */
    default Loss discriminator(Network<Value, Value> discriminator, Value real, Value fake) {
        return discriminator(discriminator::apply, real, fake);
    }

    /** The same where the discriminator is told more than the rows, such as their labels. */
    default Loss discriminator(UnaryOperator<Value> discriminator, Value real, Value fake) {
        Value forReal = discriminator.apply(stopGradient(real));
        Value forFake = discriminator.apply(stopGradient(fake));
        Value wrong = add(above(negate(forReal), -boundary()), above(forFake, boundary()));
        return Loss.of(discriminator(forReal, forFake)).metric("error_rate", scale(wrong, 0.5));
    }

    /** The generator's loss; the gradient flows through the discriminator into what made the rows. */
    default Loss generator(Network<Value, Value> discriminator, Value fake) {
        return generator(discriminator::apply, fake);
    }

    /** The same where the discriminator is told more than the rows. */
    default Loss generator(UnaryOperator<Value> discriminator, Value fake) {
        return Loss.of(generator(discriminator.apply(fake)));
    }

    /**
     * The same game with penalties added to the discriminator's loss, which has their sum as the metric {@code penalty}.
     * The generator's loss is as it was. A batch norm in the discriminator is refused, when the loss is made, where a penalty
     * takes each row's gradient.
     */
    default GanLoss with(Penalty... penalties) {
        return with(List.of(penalties));
    }

    /** The same with a list of them; without any, it is this game. */
    default GanLoss with(List<Penalty> penalties) {
        return penalties.isEmpty() ? this : new PenalisedLoss(this, List.copyOf(penalties), true);
    }

    /**
     * The same with penalties on each row's gradient of a discriminator that mixes rows: another number than the penalty's
     * paper means. For what was trained so before {@link #with} refused it.
     */
    default GanLoss withUnchecked(List<Penalty> penalties) {
        return penalties.isEmpty() ? this : new PenalisedLoss(this, List.copyOf(penalties), false);
    }

    /**
     * Whether the game means something only while the discriminator is held smooth, by a penalty or by bounds of its
     * weights, and nothing here holds it.
     */
    default boolean needsSmoothness() {
        return false;
    }

    private static Value above(Value x, double boundary) {
        Value from = shift(x, -boundary);
        return mean(greater(from, scale(from, 0)));
    }

    /** {@link Usual#NON_SATURATING}. */
    static GanLoss nonSaturating() {
        return Usual.NON_SATURATING;
    }

    /** {@link Usual#LEAST_SQUARES}. */
    static GanLoss leastSquares() {
        return Usual.LEAST_SQUARES;
    }

    /** {@link Usual#HINGE}. */
    static GanLoss hinge() {
        return Usual.HINGE;
    }

    /** {@link Usual#WASSERSTEIN}. */
    static GanLoss wasserstein() {
        return Usual.WASSERSTEIN;
    }

    /** The games that experiment files can name. */
    enum Usual implements GanLoss {
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
         * Mao et al. 2017, equation 9 with a = 0, b = c = 1: D: {@code mean (r - 1)²/2 + mean f²/2}, G: {@code mean (f -
         * 1)²/2}.
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
         * Arjovsky et al. 2017: D: {@code mean f - mean r}, G: {@code -mean f}. The discriminator, then called a critic,
         * has to be kept smooth, by {@link Penalty#wganGp} for example; its boundary means nothing.
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
            public boolean needsSmoothness() {
                return true;
            }
        };

        private final double boundary;

        Usual(double boundary) {
            this.boundary = boundary;
        }

        @Override
        public double boundary() {
            return boundary;
        }
    }
}
