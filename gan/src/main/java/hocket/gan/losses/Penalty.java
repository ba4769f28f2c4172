package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.function.UnaryOperator;

/**
 * A penalty added to a discriminator's loss to constrain the discriminator; most are functions of its gradient with
 * respect to its input rows. Add it to a loss with {@link GanLoss#with}, in a file under {@code penalties}. A row's
 * gradient is its own only where rows do not mix, so {@link GanLoss#with} refuses a discriminator with a batch norm.
 * The penalty's noise is named in the open scope, so two discriminators of one graph with the same penalty need a scope
 * each.
 */
@Keyed
@FunctionalInterface
public interface Penalty {
    /**
     * Computes the penalty, one number.
     *
     * @param discriminator gives one number a row
     * @param real rows, without gradient
     * @param fake the generated rows, of the same number and shape
     */
    Value of(UnaryOperator<Value> discriminator, Value real, Value fake);

    /** Returns whether it uses each row's gradient, so that the discriminator must not mix the rows of a batch. */
    default boolean usesPerSampleGradients() {
        return false;
    }

    /**
     * Returns whether this penalty constrains the discriminator's Lipschitz constant: of those here, the gradient
     * penalties with a weight above 0.
     */
    default boolean constrainsLipschitz() {
        return true;
    }

    /**
     * WGAN-GP (Gulrajani et al. 2017, equation 3): {@code weight · mean (‖∇D(x)‖ - 1)²} at {@code x = ε·real + (1 -
     * ε)·fake}, ε uniform in [0, 1) for each row: the noise {@code wgan_gp/epsilon}.
     *
     * @param weight usually 10, at least 0
     */
    record WganGp(
            @Setting(usually = "10", least = 0, help = "weight of the penalty")
            double weight) implements GradientNormPenalty, WganGpCopies {
        /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
        public WganGp {
            WganGpCopies.check(weight);
        }

        @Override
        public Value of(UnaryOperator<Value> discriminator, Value real, Value fake) {
            Value norms = DiscriminatorGradients.norms(
                    discriminator, DiscriminatorGradients.interpolated("wgan_gp", real, fake));
            return scale(mean(square(shift(norms, -1))), weight);
        }
    }

    /**
     * WGAN-LP (Petzka et al. 2018, equation 8): {@code weight · mean max(0, ‖∇D(x)‖ - 1)²} between real and fake as in
     * {@link WganGp}; noise {@code wgan_lp/epsilon}.
     *
     * @param weight usually 10, at least 0
     */
    record WganLp(
            @Setting(usually = "10", least = 0, help = "weight of the penalty")
            double weight) implements GradientNormPenalty, WganLpCopies {
        /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
        public WganLp {
            WganLpCopies.check(weight);
        }

        @Override
        public Value of(UnaryOperator<Value> discriminator, Value real, Value fake) {
            Value norms = DiscriminatorGradients.norms(
                    discriminator, DiscriminatorGradients.interpolated("wgan_lp", real, fake));
            return scale(mean(square(relu(shift(norms, -1)))), weight);
        }
    }

    /**
     * The zero-centred gradient penalty between real and fake (Thanh-Tung et al. 2019): {@code weight · mean ‖∇D(x)‖²};
     * noise {@code zero_centred/epsilon}.
     *
     * @param weight at least 0
     */
    record ZeroCentred(
            @Setting(usually = "10", least = 0, help = "weight of the penalty")
            double weight) implements GradientNormPenalty, ZeroCentredCopies {
        /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
        public ZeroCentred {
            ZeroCentredCopies.check(weight);
        }

        @Override
        public Value of(UnaryOperator<Value> discriminator, Value real, Value fake) {
            Value squares = DiscriminatorGradients.squaredNorms(
                    discriminator, DiscriminatorGradients.interpolated("zero_centred", real, fake));
            return scale(mean(squares), weight);
        }
    }

    /**
     * R1 (Mescheder et al. 2018, equation 9): {@code weight/2 · mean ‖∇D(real)‖²}.
     *
     * @param weight usually 10, at least 0
     */
    record R1(
            @Setting(usually = "10", least = 0, help = "twice the weight of the penalty")
            double weight) implements GradientNormPenalty, R1Copies {
        /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
        public R1 {
            R1Copies.check(weight);
        }

        @Override
        public Value of(UnaryOperator<Value> discriminator, Value real, Value fake) {
            return scale(mean(DiscriminatorGradients.squaredNorms(discriminator, real)), weight / 2);
        }
    }

    /**
     * R2 (Mescheder et al. 2018, equation 10): {@code weight/2 · mean ‖∇D(fake)‖²}.
     *
     * @param weight usually 10, at least 0
     */
    record R2(
            @Setting(usually = "10", least = 0, help = "twice the weight of the penalty")
            double weight) implements GradientNormPenalty, R2Copies {
        /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
        public R2 {
            R2Copies.check(weight);
        }

        @Override
        public Value of(UnaryOperator<Value> discriminator, Value real, Value fake) {
            return scale(mean(DiscriminatorGradients.squaredNorms(discriminator, fake)), weight / 2);
        }
    }

    /**
     * DRAGAN (Kodali et al. 2017): {@code weight · mean (‖∇D(x)‖ - 1)²} around the real rows, {@code x = real +
     * α/2·σ·noise} with σ the standard deviation of all numbers of the batch, α uniform in [0, 1) for each row (noise
     * {@code dragan/alpha}) and the noise {@code dragan/noise} uniform in [0, 1).
     *
     * @param weight usually 10, at least 0
     */
    record Dragan(
            @Setting(usually = "10", least = 0, help = "weight of the penalty")
            double weight) implements GradientNormPenalty, DraganCopies {
        /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
        public Dragan {
            DraganCopies.check(weight);
        }

        @Override
        public Value of(UnaryOperator<Value> discriminator, Value real, Value fake) {
            Value norms = DiscriminatorGradients.norms(discriminator, DiscriminatorGradients.perturbed("dragan", real));
            return scale(mean(square(shift(norms, -1))), weight);
        }
    }

    /**
     * Consistency (Zhang et al. 2020): {@code weight · mean (D(augmented real) - D(real))²}.
     *
     * @param weight usually 10, at least 0
     * @param augmentation the transformation of rows
     */
    record Consistency(
            @Setting(usually = "10", least = 0, help = "weight of the penalty")
            double weight,

            @Setting(help = "a change of the rows that must not change the discriminator's output")
            Augmentation augmentation)
            implements Penalty, ConsistencyCopies {
        /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
        public Consistency {
            ConsistencyCopies.check(weight);
        }

        @Override
        public boolean constrainsLipschitz() {
            return false;
        }

        @Override
        public Value of(UnaryOperator<Value> discriminator, Value real, Value fake) {
            return scale(DiscriminatorGradients.inconsistency(discriminator, real, augmentation), weight);
        }
    }

    /**
     * Balanced consistency (Zhao et al. 2021): the consistency penalty of the real rows plus that of the generated
     * ones.
     *
     * @param weight usually 10, at least 0
     * @param augmentation the transformation of rows
     */
    record BalancedConsistency(
            @Setting(usually = "10", least = 0, help = "weight of the penalty")
            double weight,

            @Setting(help = "a change of the rows that must not change the discriminator's output")
            Augmentation augmentation)
            implements Penalty, BalancedConsistencyCopies {
        /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
        public BalancedConsistency {
            BalancedConsistencyCopies.check(weight);
        }

        @Override
        public boolean constrainsLipschitz() {
            return false;
        }

        @Override
        public Value of(UnaryOperator<Value> discriminator, Value real, Value fake) {
            return scale(
                    add(
                            DiscriminatorGradients.inconsistency(discriminator, real, augmentation),
                            DiscriminatorGradients.inconsistency(discriminator, fake, augmentation)),
                    weight);
        }
    }

    /** {@link WganGp}. */
    static Penalty wganGp(double weight) {
        return new WganGp(weight);
    }

    /** {@link WganLp}. */
    static Penalty wganLp(double weight) {
        return new WganLp(weight);
    }

    /** {@link ZeroCentred}. */
    static Penalty zeroCentred(double weight) {
        return new ZeroCentred(weight);
    }

    /** {@link R1}. */
    static Penalty r1(double weight) {
        return new R1(weight);
    }

    /** {@link R2}. */
    static Penalty r2(double weight) {
        return new R2(weight);
    }

    /** {@link Dragan}. */
    static Penalty dragan(double weight) {
        return new Dragan(weight);
    }

    /** {@link Consistency}. */
    static Penalty consistency(double weight, UnaryOperator<Value> augmentation) {
        return new Consistency(weight, augmentation::apply);
    }

    /** {@link BalancedConsistency}. */
    static Penalty balancedConsistency(double weight, UnaryOperator<Value> augmentation) {
        return new BalancedConsistency(weight, augmentation::apply);
    }
}
