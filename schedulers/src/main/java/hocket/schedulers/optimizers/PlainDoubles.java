package hocket.schedulers.optimizers;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Plain loops for double. They work on small arrays copied out of native memory, all with one index: only so does the
 * compiler vectorise them by itself.
 */
@SuppressWarnings("cast") // one text serves both types
final class PlainDoubles implements Loops {
    private static final int BLOCK = 1024;

    private final double[] w = new double[BLOCK];
    private final double[] g = new double[BLOCK];
    private final double[] a = new double[BLOCK];
    private final double[] b = new double[BLOCK];
    private final double[] c = new double[BLOCK];
    private final double[] u = new double[BLOCK];
    private final double[] sums = new double[PartialSums.COUNT];

    @Override
    public void sgd(Sgd rule, Step step, Reals weight, Reals gradient, int from, int to) {
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            weight.doubles().get(i, w, 0, n);
            gradient.doubles().get(i, g, 0, n);
            seen(w, g, n, (double) step.scale, (double) step.decay);
            descend(w, g, n, (double) step.size, (double) step.keep);
            weight.doubles().put(i, w, 0, n);
        }
    }

    @Override
    public void momentum(Sgd rule, Step step, Reals weight, Reals gradient, Reals buffer, int from, int to) {
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            weight.doubles().get(i, w, 0, n);
            gradient.doubles().get(i, g, 0, n);
            buffer.doubles().get(i, a, 0, n);
            seen(w, g, n, (double) step.scale, (double) step.decay);
            mix(a, g, n, (double) rule.momentum(), (double) step.fresh);
            if (rule.nesterov()) {
                lookAhead(g, a, n, (double) rule.momentum());
                descend(w, g, n, (double) step.size, (double) step.keep);
            } else {
                descend(w, a, n, (double) step.size, (double) step.keep);
            }
            buffer.doubles().put(i, a, 0, n);
            weight.doubles().put(i, w, 0, n);
        }
    }

    @Override
    public void adam(Adam rule, Step step, Reals weight, Reals gradient, Reals mean, Reals square, int from, int to) {
        double beta1 = (double) rule.beta1();
        double fresh1 = (double) (1 - rule.beta1());
        double beta2 = (double) rule.beta2();
        double fresh2 = (double) (1 - rule.beta2());
        double keep = (double) step.keep;
        double size = (double) step.size;
        double epsilon = (double) step.epsilon;
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            weight.doubles().get(i, w, 0, n);
            gradient.doubles().get(i, g, 0, n);
            mean.doubles().get(i, a, 0, n);
            square.doubles().get(i, b, 0, n);
            seen(w, g, n, (double) step.scale, (double) step.decay);
            adam(w, g, a, b, n, beta1, fresh1, beta2, fresh2, keep, size, epsilon);
            mean.doubles().put(i, a, 0, n);
            square.doubles().put(i, b, 0, n);
            weight.doubles().put(i, w, 0, n);
        }
    }

    private static void adam(
            double[] w,
            double[] g,
            double[] m,
            double[] v,
            int n,
            double beta1,
            double fresh1,
            double beta2,
            double fresh2,
            double keep,
            double size,
            double epsilon) {
        for (int i = 0; i < n; i++) {
            double d = g[i];
            double mean = m[i] * beta1 + d * fresh1;
            double square = v[i] * beta2 + d * d * fresh2;
            m[i] = mean;
            v[i] = square;
            w[i] = w[i] * keep - mean * size / ((double) Math.sqrt(square) + epsilon);
        }
    }

    @Override
    public void rmsProp(
            RmsProp rule,
            Step step,
            Reals weight,
            Reals gradient,
            Reals square,
            @Nullable Reals mean,
            @Nullable Reals buffer,
            int from,
            int to) {
        double decay = (double) rule.decay();
        double fresh = (double) (1 - rule.decay());
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            weight.doubles().get(i, w, 0, n);
            gradient.doubles().get(i, g, 0, n);
            square.doubles().get(i, a, 0, n);
            seen(w, g, n, (double) step.scale, (double) step.decay);
            mixSquares(a, g, n, decay, fresh);
            square.doubles().put(i, a, 0, n);
            if (mean != null) {
                mean.doubles().get(i, b, 0, n);
                mix(b, g, n, decay, fresh);
                mean.doubles().put(i, b, 0, n);
                centre(a, b, n);
            }
            divideByRoot(g, a, u, n, (double) step.epsilon);
            if (buffer != null) {
                buffer.doubles().get(i, c, 0, n);
                mix(c, u, n, (double) rule.momentum(), 1);
                buffer.doubles().put(i, c, 0, n);
                descend(w, c, n, (double) step.size, (double) step.keep);
            } else {
                descend(w, u, n, (double) step.size, (double) step.keep);
            }
            weight.doubles().put(i, w, 0, n);
        }
    }

    @Override
    public void follow(double decay, Reals target, Reals source, int from, int to) {
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            target.doubles().get(i, w, 0, n);
            source.doubles().get(i, g, 0, n);
            mix(w, g, n, (double) decay, (double) (1 - decay));
            target.doubles().put(i, w, 0, n);
        }
    }

    /** The gradient that a rule sees: scaled, with decay. */
    private static void seen(double[] w, double[] g, int n, double scale, double decay) {
        for (int i = 0; i < n; i++) {
            g[i] = g[i] * scale + w[i] * decay;
        }
    }

    private static void mix(double[] old, double[] now, int n, double kept, double fresh) {
        for (int i = 0; i < n; i++) {
            old[i] = old[i] * kept + now[i] * fresh;
        }
    }

    private static void mixSquares(double[] old, double[] now, int n, double kept, double fresh) {
        for (int i = 0; i < n; i++) {
            old[i] = old[i] * kept + now[i] * now[i] * fresh;
        }
    }

    private static void lookAhead(double[] g, double[] buffer, int n, double momentum) {
        for (int i = 0; i < n; i++) {
            g[i] = g[i] + buffer[i] * momentum;
        }
    }

    /** Variance from mean square and mean; rounding alone can take it below 0. */
    private static void centre(double[] square, double[] mean, int n) {
        for (int i = 0; i < n; i++) {
            square[i] = Math.max(square[i] - mean[i] * mean[i], 0);
        }
    }

    private static void divideByRoot(double[] g, double[] square, double[] result, int n, double epsilon) {
        for (int i = 0; i < n; i++) {
            result[i] = g[i] / ((double) Math.sqrt(square[i]) + epsilon);
        }
    }

    private static void descend(double[] w, double[] direction, int n, double size, double keep) {
        for (int i = 0; i < n; i++) {
            w[i] = w[i] * keep - direction[i] * size;
        }
    }

    @Override
    public double sumOfSquares(Reals values, int from, int to) {
        DoubleBuffer all = values.doubles();
        Arrays.fill(sums, 0);
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            all.get(i, w, 0, n);
            addSquares(w, n, sums);
        }
        return PartialSums.total(sums);
    }

    private static void addSquares(double[] values, int n, double[] sums) {
        int whole = n - n % PartialSums.COUNT;
        for (int j = 0; j < PartialSums.COUNT; j += 4) { // four at a time: one waits for its own last addition only
            double s0 = sums[j];
            double s1 = sums[j + 1];
            double s2 = sums[j + 2];
            double s3 = sums[j + 3];
            for (int i = j; i < whole; i += PartialSums.COUNT) {
                double x0 = values[i];
                double x1 = values[i + 1];
                double x2 = values[i + 2];
                double x3 = values[i + 3];
                s0 += x0 * x0;
                s1 += x1 * x1;
                s2 += x2 * x2;
                s3 += x3 * x3;
            }
            sums[j] = s0;
            sums[j + 1] = s1;
            sums[j + 2] = s2;
            sums[j + 3] = s3;
        }
        for (int i = whole; i < n; i++) {
            double x = values[i];
            sums[i - whole] += x * x;
        }
    }
}
