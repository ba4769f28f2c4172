package hocket.gan.tables;

import java.util.Arrays;
import org.apache.commons.numbers.gamma.Digamma;
import org.apache.commons.numbers.gamma.LogBeta;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * A mixture of Gaussians of one dimension whose weights have a Dirichlet process as prior, fitted by variational Bayes: most of
 * its components get almost no weight (Blei and Jordan 2006; Bishop 2006, section 10.2). It is scikit-learn's {@code
 * BayesianGaussianMixture} with its default settings but for the prior of the weights' concentration, 0.001, as CTGAN uses it.
 * The first responsibilities are of equal parts of the sorted values, without random numbers.
 */
final class VariationalMixture {
    private static final double CONCENTRATION = 0.001;
    private static final double TOLERANCE = 1e-3;
    private static final double REGULARISATION = 1e-6;
    private static final int ITERATIONS = 100;
    private static final double LOG_2PI = StrictMath.log(2 * Math.PI);

    private final double[] x;
    private final int k;
    private final double[][] r;
    private final double priorMean;
    private final double priorVariance;
    private final double[] a;
    private final double[] b;
    private final double[] mean;
    private final double[] precision;
    private final double[] freedom;
    private final double[] variance;

    private VariationalMixture(int components, double... x) {
        this.x = x;
        this.k = components;
        this.r = new double[x.length][k];
        this.a = new double[k];
        this.b = new double[k];
        this.mean = new double[k];
        this.precision = new double[k];
        this.freedom = new double[k];
        this.variance = new double[k];
        this.priorMean = Arrays.stream(x).sum() / x.length;
        this.priorVariance = Arrays.stream(x).map(v -> square(v - priorMean)).sum() / (x.length - 1);
    }

    /**
     * Fits a mixture.
     *
     * @param components the most components, at most as many as values
     * @param x at least two values, not all equal
     */
    static VariationalMixture fit(int components, double... x) {
        VariationalMixture mixture = new VariationalMixture(components, x);
        mixture.begin();
        mixture.maximise();
        double bound = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < ITERATIONS; i++) {
            mixture.expect();
            mixture.maximise();
            double before = bound;
            bound = mixture.bound();
            if (Math.abs(bound - before) < TOLERANCE) {
                break;
            }
        }
        mixture.expect();
        return mixture;
    }

    /** Gives each value to the component of its part of the sorted values; equal values to one. */
    private void begin() {
        double[] sorted = x.clone();
        Arrays.sort(sorted);
        int[] first = new int[x.length]; // the place of the first value that equals the one at a place
        for (int i = 1; i < x.length; i++) {
            first[i] = sorted[i] == sorted[i - 1] ? first[i - 1] : i;
        }
        for (int i = 0; i < x.length; i++) {
            int rank = first[Arrays.binarySearch(sorted, x[i])];
            r[i][(int) ((long) rank * k / x.length)] = 1;
        }
    }

    private void maximise() {
        double rest = 0;
        for (int j = k - 1; j >= 0; j--) {
            double n = 10 * Math.ulp(1.0);
            double sum = 0;
            for (int i = 0; i < x.length; i++) {
                n += r[i][j];
                sum += r[i][j] * x[i];
            }
            double centre = sum / n;
            double squares = 0;
            for (int i = 0; i < x.length; i++) {
                squares += r[i][j] * square(x[i] - centre);
            }
            a[j] = 1 + n;
            b[j] = CONCENTRATION + rest;
            rest += n;
            precision[j] = 1 + n;
            mean[j] = (priorMean + n * centre) / precision[j];
            freedom[j] = 1 + n;
            double spread =
                    priorVariance + n * (squares / n + REGULARISATION) + n / precision[j] * square(centre - priorMean);
            variance[j] = spread / freedom[j];
        }
    }

    private void expect() {
        double[] constant = new double[k];
        double before = 0;
        for (int j = 0; j < k; j++) {
            double both = Digamma.value(a[j] + b[j]);
            constant[j] = Digamma.value(a[j])
                    - both
                    + before
                    - 0.5 * (LOG_2PI + StrictMath.log(variance[j]) + StrictMath.log(freedom[j]))
                    + 0.5 * (StrictMath.log(2) + Digamma.value(0.5 * freedom[j]) - 1 / precision[j]);
            before += Digamma.value(b[j]) - both;
        }
        for (int i = 0; i < x.length; i++) {
            double most = Double.NEGATIVE_INFINITY;
            for (int j = 0; j < k; j++) {
                r[i][j] = constant[j] - 0.5 * square(x[i] - mean[j]) / variance[j];
                most = Math.max(most, r[i][j]);
            }
            double all = 0;
            for (int j = 0; j < k; j++) {
                r[i][j] = StrictMath.exp(r[i][j] - most);
                all += r[i][j];
            }
            for (int j = 0; j < k; j++) {
                r[i][j] /= all;
            }
        }
    }

    /** The lower bound of the evidence, up to a constant. */
    private double bound() {
        double bound = 0;
        for (double[] row : r) {
            for (double each : row) {
                bound -= each > 0 ? each * StrictMath.log(each) : 0;
            }
        }
        for (int j = 0; j < k; j++) {
            double logRoot = -0.5 * (StrictMath.log(variance[j]) + StrictMath.log(freedom[j]));
            bound += freedom[j] * (logRoot + 0.5 * StrictMath.log(2)) + LogGamma.value(0.5 * freedom[j]);
            bound += LogBeta.value(a[j], b[j]) - 0.5 * StrictMath.log(precision[j]);
        }
        return bound;
    }

    /** Returns the weights of the components, which sum to 1. */
    double[] weights() {
        double[] weights = new double[k];
        double left = 1;
        for (int j = 0; j < k; j++) {
            weights[j] = left * a[j] / (a[j] + b[j]);
            left *= b[j] / (a[j] + b[j]);
        }
        double all = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / all).toArray();
    }

    /** Returns the means of the components. */
    double[] means() {
        return mean.clone();
    }

    /** Returns the standard deviations of the components. */
    double[] deviations() {
        return Arrays.stream(variance).map(Math::sqrt).toArray();
    }

    /** Returns the probability that a value is of a component. */
    double responsibility(int value, int component) {
        return r[value][component];
    }

    private static double square(double value) {
        return value * value;
    }
}
