package hocket.programs.layers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.sigmoidCrossEntropy;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.spread;
import static hocket.programs.Operators.spreadToRows;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.step;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.where;

import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution.Uniform;
import hocket.programs.operators.Leaf.Redraw;
import hocket.programs.operators.Operator;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Probability distributions whose parameters are values of a graph: a policy, an encoder's latent. Elements of the last
 * axis of a row are independent; log-probabilities, entropies and divergences are sums over it, from (…, n) to (…). A
 * sample is a function of noise of the graph, see {@link Distribution#noise}.
 */
public final class Distributions {
    private static final double LOG_2_PI = Math.log(2 * Math.PI);

    private Distributions() {}

    /** The common interface of all distributions. */
    public sealed interface Distribution
            permits Categorical, MultiCategorical, DiagonalGaussian, TanhGaussian, Bernoulli {
        /** Returns noise for {@link #sample}, resampled each turn, under this name. */
        Value noise(String name);

        /** Returns a sample from noise. Gradients flow to the parameters if the distribution supports it. */
        Value sample(Value noise);

        /** Returns the mode (of a squashed Gaussian: the squashed mode of the Gaussian). */
        Value mode();

        /** Returns the logarithm of the probability or density of an outcome. */
        Value logProbability(Value outcome);
    }

    /**
     * One of n classes with the probabilities {@code softmax(logits)}. Outcomes are INT64 (…): inputs of the graph or
     * samples. A class with logit -∞ has probability 0 and no effect on entropy and divergence.
     *
     * @param logits (…, n)
     * @param allowed (…, n) of 1 for the classes that count in the entropy, else 0; null for all
     */
    public record Categorical(Value logits, @Nullable Value allowed) implements Distribution {
        /** @throws IllegalArgumentException if the logits have no axis */
        public Categorical {
            if (logits.shape().rank() < 1) {
                throw new IllegalArgumentException("categorical: needs logits (…, n), got " + logits);
            }
        }

        /** Makes a distribution in which every class counts. */
        public Categorical(Value logits) {
            this(logits, null);
        }

        /**
         * Makes a distribution over the classes that a mask allows, with {@link #maskedLogits}. If it allows none, all have
         * the same probability, as in sb3-contrib, and the entropy is 0.
         *
         * @param mask (…, n) of 1 for each class that is allowed, else 0
         */
        public static Categorical masked(Value logits, Value mask) {
            return new Categorical(maskedLogits(logits, mask), mask);
        }

        /**
         * Returns the mixture {@code (1 - share)·p + share/n} with the uniform distribution, whose divergences are bounded
         * (Hafner et al. 2023, there 0.01).
         *
         * @param share in [0, 1]; with 0 this distribution
         * @throws IllegalArgumentException if the share is not, or a mask forbids classes
         */
        public Categorical mixedWithUniform(double share) {
            Operator.require(allowed == null, "a distribution with a mask cannot be mixed with the uniform one");
            Operator.require(share >= 0 && share <= 1, "a share of a mixture must be in [0, 1], was " + share);
            if (share == 0) {
                return this;
            }
            int n = logits.shape().get(-1);
            return new Categorical(log(shift(scale(softmax(logits), 1 - share), share / n)));
        }

        @Override
        public Value noise(String name) {
            return uniform(name, logits);
        }

        /** {@code argmax(logits - log(-log u))} of uniform u (…, n) (Gumbel 1954; Maddison et al. 2014). No gradient. */
        @Override
        public Value sample(Value noise) {
            return argMax(subtract(logits, log(negate(log(noise)))));
        }

        @Override
        public Value mode() {
            return argMax(logits);
        }

        @Override
        public Value logProbability(Value outcome) {
            return pick(logSoftmax(logits), outcome);
        }

        /** {@code -Σ p·log p}. */
        public Value entropy() {
            Value logs = logarithms();
            Value terms = multiply(exp(logs), logs);
            return negate(sum(allowed == null ? terms : multiply(terms, allowed), last(logits)));
        }

        /** {@code Σ p·(log p - log q)}, the divergence of this from another of as many classes. */
        public Value kullbackLeibler(Categorical other) {
            Value logs = logarithms();
            return sum(multiply(exp(logs), subtract(logs, other.logarithms())), last(logits));
        }

        /** Returns finite logarithms, so that 0 times the logarithm of 0 is 0. */
        private Value logarithms() {
            return clip(logSoftmax(logits), -Float.MAX_VALUE, 0);
        }
    }

    /**
     * Several independent choices of classes. Outcomes are INT64 (…, k), an index of each choice; log-probability and
     * entropy are sums over the choices.
     *
     * @param choices logits (…, k, n); a choice of fewer than n classes has logits of -2e8 behind, which have probability 0
     */
    public record MultiCategorical(Categorical choices) implements Distribution {
        private static final double NEVER = -1e8;

        /** Below that of a forbidden class: where a choice allows none, its classes are drawn and not these. */
        private static final double NO_CLASS = 2 * NEVER;

        /**
         * Makes a distribution.
         *
         * @param logits (…, Σ counts), those of the first choice first
         * @param counts number of classes of each choice
         * @throws IllegalArgumentException if the counts do not add up to the last extent of the logits
         */
        public static MultiCategorical of(Value logits, List<Integer> counts) {
            return new MultiCategorical(new Categorical(padded(logits, counts, NO_CLASS)));
        }

        /**
         * Makes a distribution over the classes that a mask allows, as {@link Categorical#masked} for each choice.
         *
         * @param logits (…, Σ counts), those of the first choice first
         * @param mask of their shape, 1 for each class that is allowed, else 0
         * @param counts number of classes of each choice
         * @throws IllegalArgumentException if the counts do not add up to the last extent of the logits
         */
        public static MultiCategorical masked(Value logits, Value mask, List<Integer> counts) {
            Value choices = padded(maskedLogits(logits, mask), counts, NO_CLASS);
            return new MultiCategorical(new Categorical(choices, padded(mask, counts, 0)));
        }

        /** Returns (…, Σ counts) as (…, k, n), with fillers behind choices of fewer than n classes. */
        private static Value padded(Value flat, List<Integer> counts, double filler) {
            int sum = counts.stream().mapToInt(Integer::intValue).sum();
            if (flat.shape().rank() < 1 || counts.isEmpty() || flat.shape().get(-1) != sum) {
                throw new IllegalArgumentException(
                        "several choices: need logits (…, " + sum + ") of counts " + counts + ", got " + flat);
            }
            int most = Collections.max(counts);
            int axis = last(flat);
            List<Value> all = new ArrayList<>();
            int from = 0;
            for (int count : counts) {
                all.add(slice(flat, axis, from, from + count));
                if (count < most) {
                    all.add(filling(flat, most - count, filler));
                }
                from += count;
            }
            int[] extents = Arrays.copyOf(flat.shape().extents(), axis + 2);
            extents[axis] = counts.size();
            extents[axis + 1] = most;
            return reshape(concat(axis, all.toArray(Value[]::new)), extents);
        }

        private static Value filling(Value like, int count, double filler) {
            Value one = reshape(
                    like.graph().constant(filler),
                    Shape.ones(like.shape().rank()).extents());
            return rows(spread(one, like.shape().with(-1, count).extents()), like);
        }

        @Override
        public Value noise(String name) {
            return choices.noise(name);
        }

        @Override
        public Value sample(Value noise) {
            return choices.sample(noise);
        }

        @Override
        public Value mode() {
            return choices.mode();
        }

        @Override
        public Value logProbability(Value outcome) {
            return total(choices.logProbability(outcome));
        }

        /** The sum of the choices' entropies. */
        public Value entropy() {
            return total(choices.entropy());
        }
    }

    /**
     * Independent normals. Outcomes have the shape of the mean.
     *
     * @param mean (…, n)
     * @param logStd (…, n) too, the logarithms of the standard deviations; they may be the same for every row
     */
    public record DiagonalGaussian(Value mean, Value logStd) implements Distribution {
        /** @throws IllegalArgumentException if the shapes differ */
        public DiagonalGaussian {
            requireAlike("diagonal Gaussian: needs a mean (…, n) and log deviations of its shape", mean, logStd);
        }

        @Override
        public Value noise(String name) {
            return mean.graph().noise(name, mean.shape());
        }

        /** {@code mean + exp(logStd)·z} of standard normal z, through which gradients flow (Kingma and Welling 2013). */
        @Override
        public Value sample(Value noise) {
            return add(mean, multiply(exp(logStd), noise));
        }

        @Override
        public Value mode() {
            return mean;
        }

        /** {@code -Σ ((x - mean)²/σ² + log(2π))/2 + log σ}. */
        @Override
        public Value logProbability(Value outcome) {
            Value distance = square(multiply(subtract(outcome, mean), exp(negate(logStd))));
            return total(subtract(scale(shift(distance, LOG_2_PI), -0.5), logStd));
        }

        /** {@code Σ (1 + log(2π))/2 + log σ}. */
        public Value entropy() {
            return total(shift(rows(logStd, mean), (1 + LOG_2_PI) / 2));
        }

        /** {@code Σ log(τ/σ) + (σ² + (mean - other mean)²)/(2τ²) - 1/2}, where τ are the other's deviations. */
        public Value kullbackLeibler(DiagonalGaussian other) {
            Value precision = exp(scale(other.logStd, -2));
            Value squares = add(exp(scale(logStd, 2)), square(subtract(mean, other.mean)));
            Value logs = subtract(other.logStd, logStd);
            return total(shift(add(logs, scale(multiply(squares, precision), 0.5)), -0.5));
        }
    }

    /**
     * The hyperbolic tangents of independent normals, in (-1, 1) (Haarnoja et al. 2018, appendix C). Its entropy has no
     * closed form: {@code -logProbability} of a sample estimates it.
     *
     * @param normal the squashed distribution
     * @param epsilon 0 for the exact correction; else the number added inside its logarithm, 1e-6 in Stable-Baselines3
     */
    public record TanhGaussian(DiagonalGaussian normal, double epsilon) implements Distribution {
        /** The largest absolute outcome; larger ones are clipped before inversion. */
        private static final double NEAREST = 1e-6;

        /** @throws IllegalArgumentException if epsilon is negative */
        public TanhGaussian {
            if (!(epsilon >= 0)) {
                throw new IllegalArgumentException("tanh Gaussian: epsilon must be at least 0, was " + epsilon);
            }
        }

        /** Creates a distribution with the exact correction. */
        public TanhGaussian(Value mean, Value logStd) {
            this(new DiagonalGaussian(mean, logStd), 0);
        }

        /** Creates a distribution with the correction {@code log(1 - tanh(u)² + epsilon)}. */
        public TanhGaussian epsilon(double other) {
            return new TanhGaussian(normal, other);
        }

        @Override
        public Value noise(String name) {
            return normal.noise(name);
        }

        /** {@code tanh(mean + exp(logStd)·z)} of standard normal z, through which gradients flow. */
        @Override
        public Value sample(Value noise) {
            return tanh(normal.sample(noise));
        }

        @Override
        public Value mode() {
            return tanh(normal.mode());
        }

        /**
         * Computes {@code u = log((1 + a)/(1 - a))/2} from an outcome in (-1, 1), clipped at 1e-6 from the bounds. If
         * {@code u} is known, {@link #logProbabilityBefore} is exact.
         */
        @Override
        public Value logProbability(Value outcome) {
            Value inside = clip(outcome, NEAREST - 1, 1 - NEAREST);
            Value u = scale(subtract(log(shift(inside, 1)), log(shift(negate(inside), 1))), 0.5);
            return logProbabilityBefore(u);
        }

        /**
         * Of {@code tanh(u)}: {@code log N(u) - Σ log(1 - tanh(u)²)}, where {@code log(1 - tanh(u)²) = 2·(log 2 - u -
         * softplus(-2u))} without cancellation. A sample and its probability of one u: {@code u = normal.sample(noise)},
         * {@code tanh(u)}, {@code logProbabilityBefore(u)}.
         */
        public Value logProbabilityBefore(Value u) {
            Value correction = epsilon == 0
                    ? scale(shift(add(u, softplus(scale(u, -2))), -Math.log(2)), -2)
                    : log(shift(negate(square(tanh(u))), 1 + epsilon));
            return subtract(normal.logProbability(u), sum(correction, last(u)));
        }

        /** Returns the divergence of the unsquashed distributions, since squashing does not change it. */
        public Value kullbackLeibler(TanhGaussian other) {
            return normal.kullbackLeibler(other.normal);
        }
    }

    /**
     * Independent zeros and ones, 1 with probability {@code sigmoid(logits)}. Outcomes are 0 or 1, of the shape of the
     * logits and their type.
     *
     * @param logits (…, n)
     */
    public record Bernoulli(Value logits) implements Distribution {
        /** @throws IllegalArgumentException if the logits have no axis */
        public Bernoulli {
            if (logits.shape().rank() < 1) {
                throw new IllegalArgumentException("Bernoulli: needs logits (…, n), got " + logits);
            }
        }

        @Override
        public Value noise(String name) {
            return uniform(name, logits);
        }

        /** 1 where {@code sigmoid(logits) > u} of uniform u (…, n). No gradient. */
        @Override
        public Value sample(Value noise) {
            return greater(sigmoid(logits), noise);
        }

        @Override
        public Value mode() {
            return step(logits);
        }

        /** {@code Σ x·logits - softplus(logits)}. */
        @Override
        public Value logProbability(Value outcome) {
            return negate(sum(sigmoidCrossEntropy(logits, outcome), last(logits)));
        }

        /** {@code Σ softplus(logits) - p·logits}. */
        public Value entropy() {
            return sum(sigmoidCrossEntropy(logits, sigmoid(logits)), last(logits));
        }

        /** {@code Σ p·(logits - other logits) - softplus(logits) + softplus(other logits)}. */
        public Value kullbackLeibler(Bernoulli other) {
            Value gap = multiply(sigmoid(logits), subtract(logits, other.logits));
            return sum(add(gap, subtract(softplus(other.logits), softplus(logits))), last(logits));
        }
    }

    /**
     * Returns logits (…, n) that are -1e8 where a mask is 0, so that their classes have probability 0 and no gradient.
     *
     * @param mask (…, n) of 1 for each class that is allowed, else 0
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value maskedLogits(Value logits, Value mask) {
        requireAlike("masked categorical: needs logits (…, n) and a mask of their shape", logits, mask);
        return where(mask, logits, logits.graph().constant(MultiCategorical.NEVER));
    }

    private static Value uniform(String name, Value like) {
        return like.graph().noise(name, like.shape(), new Uniform(0, 1), Redraw.EACH_TURN);
    }

    private static int last(Value x) {
        return x.shape().rank() - 1;
    }

    private static Value total(Value x) {
        return sum(x, last(x));
    }

    /** Returns a value without a batch axis as a batch if another value is one. */
    private static Value rows(Value x, Value like) {
        return like.batched() ? spreadToRows(x) : x;
    }

    private static void requireAlike(String needed, Value one, Value other) {
        if (one.shape().rank() < 1 || !one.shape().equals(other.shape()) || (other.batched() && !one.batched())) {
            throw new IllegalArgumentException(needed + ", got " + one + " and " + other);
        }
    }
}
