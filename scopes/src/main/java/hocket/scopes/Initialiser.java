package hocket.scopes;

import hocket.scopes.Declaration.Fan;
import java.util.Arrays;
import java.util.List;

/**
 * A rule that makes a parameter's first values from its random stream; a value, equal to another with the same
 * settings. The same seed and path give the same bits, whatever else is declared.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Initialiser usual = Initialiser.named("kaiming_normal");
 * Initialiser small = Initialiser.normal(0.02);
 * }</pre>
 */
public sealed interface Initialiser {
    /** Values for a parameter of this shape and fan, row-major, drawn from {@code stream} at counter 0. */
    double[] values(Shape shape, Fan fan, Stream stream);

    /** Every element the same. */
    record Constant(double value) implements Initialiser {
        @Override
        public double[] values(Shape shape, Fan fan, Stream stream) {
            double[] values = new double[shape.size()];
            Arrays.fill(values, value);
            return values;
        }
    }

    /** Independent normal numbers. */
    record Normal(double mean, double deviation) implements Initialiser {
        /** @throws IllegalArgumentException if the mean is not finite, or the deviation negative or not finite */
        public Normal {
            if (!Double.isFinite(mean) || !(deviation >= 0 && deviation < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("a normal needs a finite mean and a finite deviation ≥ 0, got mean "
                        + mean + " and deviation " + deviation);
            }
        }

        @Override
        public double[] values(Shape shape, Fan fan, Stream stream) {
            double[] values = new double[shape.size()];
            stream.normal(0, values);
            for (int i = 0; i < values.length; i++) {
                values[i] = mean + deviation * values[i];
            }
            return values;
        }
    }

    /** Independent uniform numbers in {@code [low, high)}. */
    record Uniform(double low, double high) implements Initialiser {
        /** @throws IllegalArgumentException if either is not finite, or low is above high */
        public Uniform {
            if (!Double.isFinite(low) || !Double.isFinite(high) || low > high) {
                throw new IllegalArgumentException(
                        "uniforms need finite low ≤ high, got low " + low + " and high " + high);
            }
        }

        @Override
        public double[] values(Shape shape, Fan fan, Stream stream) {
            double[] values = new double[shape.size()];
            stream.uniform(0, values);
            double most = Math.max(low, Math.nextDown(high)); // rounding may reach high
            for (int i = 0; i < values.length; i++) {
                values[i] = Math.min(low + (high - low) * values[i], most);
            }
            return values;
        }
    }

    /**
     * Uniform in ±gain·sqrt(6 / (in + out)), which keeps the variance of activations and gradients (Glorot and Bengio
     * 2010, equation 16).
     */
    record Xavier(double gain) implements Initialiser {
        /** @throws IllegalArgumentException if the gain is not finite, or below 0 */
        public Xavier {
            requireGain(gain);
        }

        @Override
        public double[] values(Shape shape, Fan fan, Stream stream) {
            double bound = gain * Math.sqrt(6.0 / ((double) fan.in() + fan.out()));
            return new Uniform(-bound, bound).values(shape, fan, stream);
        }
    }

    /** Normal with deviation gain·sqrt(2 / (in + out)) (Glorot and Bengio 2010; PyTorch's {@code xavier_normal_}). */
    record XavierNormal(double gain) implements Initialiser {
        /** @throws IllegalArgumentException if the gain is not finite, or below 0 */
        public XavierNormal {
            requireGain(gain);
        }

        @Override
        public double[] values(Shape shape, Fan fan, Stream stream) {
            double deviation = gain * Math.sqrt(2.0 / ((double) fan.in() + fan.out()));
            return new Normal(0, deviation).values(shape, fan, stream);
        }
    }

    /** Uniform in ±gain·sqrt(6 / in), for networks of rectifiers (PyTorch's {@code kaiming_uniform_}). */
    record HeUniform(double gain) implements Initialiser {
        /** @throws IllegalArgumentException if the gain is not finite, or below 0 */
        public HeUniform {
            requireGain(gain);
        }

        @Override
        public double[] values(Shape shape, Fan fan, Stream stream) {
            double bound = gain * Math.sqrt(6.0 / fan.in());
            return new Uniform(-bound, bound).values(shape, fan, stream);
        }
    }

    /** Normal with deviation gain·sqrt(2 / in), for networks of rectifiers (He et al. 2015, equation 10). */
    record He(double gain) implements Initialiser {
        /** @throws IllegalArgumentException if the gain is not finite, or below 0 */
        public He {
            requireGain(gain);
        }

        @Override
        public double[] values(Shape shape, Fan fan, Stream stream) {
            return new Normal(0, gain * Math.sqrt(2.0 / fan.in())).values(shape, fan, stream);
        }
    }

    /**
     * Orthonormal rows or columns, whichever are fewer, times a gain; the shape is read as (first extent, the rest)
     * (Saxe et al. 2013). Made by Gram-Schmidt, twice over for precision, from normal rows.
     */
    record Orthogonal(double gain) implements Initialiser {
        /** @throws IllegalArgumentException if the gain is not finite, or below 0 */
        public Orthogonal {
            requireGain(gain);
        }

        @Override
        public double[] values(Shape shape, Fan fan, Stream stream) {
            int rows = shape.rank() == 0 ? 1 : shape.get(0);
            int columns = shape.size() / rows;
            int vectors = Math.min(rows, columns);
            int length = Math.max(rows, columns);
            double[] draw = new double[vectors * length];
            stream.normal(0, draw);
            for (int i = 0; i < vectors; i++) {
                for (int j = 0; j < 2 * i; j++) {
                    subtractProjection(draw, i * length, (j % i) * length, length);
                }
                double norm = Math.sqrt(product(draw, i * length, i * length, length));
                for (int k = 0; k < length; k++) {
                    draw[i * length + k] *= 1 / norm;
                }
            }
            double[] values = new double[shape.size()];
            for (int i = 0; i < vectors; i++) {
                for (int k = 0; k < length; k++) {
                    values[rows <= columns ? i * length + k : k * columns + i] = gain * draw[i * length + k];
                }
            }
            return values;
        }

        private static void subtractProjection(double[] a, int target, int unit, int length) {
            double product = product(a, target, unit, length);
            for (int k = 0; k < length; k++) {
                a[target + k] -= product * a[unit + k];
            }
        }

        private static double product(double[] a, int left, int right, int length) {
            double sum = 0;
            for (int k = 0; k < length; k++) {
                sum += a[left + k] * a[right + k];
            }
            return sum;
        }
    }

    /**
     * Returns an initialiser by the name that PyTorch or Keras gives it, with numbers in brackets where it takes some:
     * {@code zeros}, {@code ones}, {@code constant(0.1)}, {@code normal(0.02)} of a deviation, {@code uniform(-0.1, 0.1)},
     * {@code xavier_uniform}, {@code xavier_normal}, {@code kaiming_uniform}, {@code kaiming_normal} and {@code
     * orthogonal}, the last five with a gain or 1. {@code glorot_…} and {@code he_…} are other names of {@code xavier_…}
     * and {@code kaiming_…}. The gain of {@code kaiming_…} multiplies that of rectifiers, √2.
     *
     * @throws IllegalArgumentException if there is no such name, listing the known ones, or the numbers are no numbers or
     *     too many or too few
     */
    static Initialiser named(String name) {
        return InitialiserNames.parse(name);
    }

    /** Returns the names that {@link #named} knows. */
    static List<String> names() {
        return InitialiserNames.names();
    }

    /** Zeros. */
    static Initialiser zeros() {
        return new Constant(0);
    }

    /** Every element {@code value}. */
    static Initialiser constant(double value) {
        return new Constant(value);
    }

    /** Normal of mean 0; DCGAN uses deviation 0.02 (Radford et al. 2015, section 4). */
    static Initialiser normal(double deviation) {
        return new Normal(0, deviation);
    }

    /** {@link Xavier} with gain 1. */
    static Initialiser xavier() {
        return new Xavier(1);
    }

    /** {@link He} with gain 1. */
    static Initialiser he() {
        return new He(1);
    }

    /** {@link Orthogonal} with a gain, for example sqrt(2) before rectifiers, 0.01 for a policy's last layer. */
    static Initialiser orthogonal(double gain) {
        return new Orthogonal(gain);
    }

    private static void requireGain(double gain) {
        if (!(gain >= 0 && gain < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the gain of initial values must be finite and at least 0, was " + gain);
        }
    }
}
