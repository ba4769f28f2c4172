package hocket.schedulers.optimizers.kernels;

import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.optimizers.RmsProp;
import hocket.schedulers.optimizers.Sgd;
import hocket.settings.DoubleTwin;
import java.nio.FloatBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Plain loops for float. They work on small arrays copied out of native memory, all with one index: only so does the
 * compiler vectorise them by itself.
 */
@DoubleTwin
@SuppressWarnings("cast") // one text serves both types
final class PlainFloats implements Loops {
    private static final int BLOCK = 1024;

    private final float[] w = new float[BLOCK];
    private final float[] g = new float[BLOCK];
    private final float[] a = new float[BLOCK];
    private final float[] b = new float[BLOCK];
    private final float[] c = new float[BLOCK];
    private final float[] u = new float[BLOCK];
    private final double[] sums = new double[PartialSums.COUNT];

    @Override
    public void sgd(Sgd rule, UpdateStep updateStep, Reals weight, Reals gradient, int from, int to) {
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            weight.floats().get(i, w, 0, n);
            gradient.floats().get(i, g, 0, n);
            seen(w, g, n, (float) updateStep.scale, (float) updateStep.decay);
            descend(w, g, n, (float) updateStep.size, (float) updateStep.keep);
            weight.floats().put(i, w, 0, n);
        }
    }

    @Override
    public void momentum(
            Sgd rule, UpdateStep updateStep, Reals weight, Reals gradient, Reals buffer, int from, int to) {
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            weight.floats().get(i, w, 0, n);
            gradient.floats().get(i, g, 0, n);
            buffer.floats().get(i, a, 0, n);
            seen(w, g, n, (float) updateStep.scale, (float) updateStep.decay);
            mix(a, g, n, (float) rule.momentum(), (float) updateStep.fresh);
            if (rule.nesterov()) {
                lookAhead(g, a, n, (float) rule.momentum());
                descend(w, g, n, (float) updateStep.size, (float) updateStep.keep);
            } else {
                descend(w, a, n, (float) updateStep.size, (float) updateStep.keep);
            }
            buffer.floats().put(i, a, 0, n);
            weight.floats().put(i, w, 0, n);
        }
    }

    @Override
    public void adam(
            Adam rule,
            UpdateStep updateStep,
            Reals weight,
            Reals gradient,
            Reals mean,
            Reals square,
            int from,
            int to) {
        float beta1 = (float) rule.beta1();
        float fresh1 = (float) (1 - rule.beta1());
        float beta2 = (float) rule.beta2();
        float fresh2 = (float) (1 - rule.beta2());
        float keep = (float) updateStep.keep;
        float size = (float) updateStep.size;
        float epsilon = (float) updateStep.epsilon;
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            weight.floats().get(i, w, 0, n);
            gradient.floats().get(i, g, 0, n);
            mean.floats().get(i, a, 0, n);
            square.floats().get(i, b, 0, n);
            seen(w, g, n, (float) updateStep.scale, (float) updateStep.decay);
            adam(w, g, a, b, n, beta1, fresh1, beta2, fresh2, keep, size, epsilon);
            mean.floats().put(i, a, 0, n);
            square.floats().put(i, b, 0, n);
            weight.floats().put(i, w, 0, n);
        }
    }

    private static void adam(
            float[] w,
            float[] g,
            float[] m,
            float[] v,
            int n,
            float beta1,
            float fresh1,
            float beta2,
            float fresh2,
            float keep,
            float size,
            float epsilon) {
        for (int i = 0; i < n; i++) {
            float d = g[i];
            float mean = m[i] * beta1 + d * fresh1;
            float square = v[i] * beta2 + d * d * fresh2;
            m[i] = mean;
            v[i] = square;
            w[i] = w[i] * keep - mean * size / ((float) Math.sqrt(square) + epsilon);
        }
    }

    @Override
    public void rmsProp(
            RmsProp rule,
            UpdateStep updateStep,
            Reals weight,
            Reals gradient,
            Reals square,
            @Nullable Reals mean,
            @Nullable Reals buffer,
            int from,
            int to) {
        float decay = (float) rule.decay();
        float fresh = (float) (1 - rule.decay());
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            weight.floats().get(i, w, 0, n);
            gradient.floats().get(i, g, 0, n);
            square.floats().get(i, a, 0, n);
            seen(w, g, n, (float) updateStep.scale, (float) updateStep.decay);
            mixSquares(a, g, n, decay, fresh);
            square.floats().put(i, a, 0, n);
            if (mean != null) {
                mean.floats().get(i, b, 0, n);
                mix(b, g, n, decay, fresh);
                mean.floats().put(i, b, 0, n);
                centre(a, b, n);
            }
            divideByRoot(g, a, u, n, (float) updateStep.epsilon);
            if (buffer != null) {
                buffer.floats().get(i, c, 0, n);
                mix(c, u, n, (float) rule.momentum(), 1);
                buffer.floats().put(i, c, 0, n);
                descend(w, c, n, (float) updateStep.size, (float) updateStep.keep);
            } else {
                descend(w, u, n, (float) updateStep.size, (float) updateStep.keep);
            }
            weight.floats().put(i, w, 0, n);
        }
    }

    @Override
    public void follow(double decay, Reals target, Reals source, int from, int to) {
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            target.floats().get(i, w, 0, n);
            source.floats().get(i, g, 0, n);
            mix(w, g, n, (float) decay, (float) (1 - decay));
            target.floats().put(i, w, 0, n);
        }
    }

    @Override
    public void flush(Reals values, int from, int to) {
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            values.floats().get(i, w, 0, n);
            for (int j = 0; j < n; j++) {
                w[j] = Math.abs(w[j]) < Float.MIN_NORMAL ? 0 : w[j];
            }
            values.floats().put(i, w, 0, n);
        }
    }

    /** The gradient that a rule sees: scaled, with decay. */
    private static void seen(float[] w, float[] g, int n, float scale, float decay) {
        for (int i = 0; i < n; i++) {
            g[i] = g[i] * scale + w[i] * decay;
        }
    }

    private static void mix(float[] old, float[] now, int n, float kept, float fresh) {
        for (int i = 0; i < n; i++) {
            old[i] = old[i] * kept + now[i] * fresh;
        }
    }

    private static void mixSquares(float[] old, float[] now, int n, float kept, float fresh) {
        for (int i = 0; i < n; i++) {
            old[i] = old[i] * kept + now[i] * now[i] * fresh;
        }
    }

    private static void lookAhead(float[] g, float[] buffer, int n, float momentum) {
        for (int i = 0; i < n; i++) {
            g[i] = g[i] + buffer[i] * momentum;
        }
    }

    /** Variance from mean square and mean; rounding alone can take it below 0. */
    private static void centre(float[] square, float[] mean, int n) {
        for (int i = 0; i < n; i++) {
            square[i] = Math.max(square[i] - mean[i] * mean[i], 0);
        }
    }

    private static void divideByRoot(float[] g, float[] square, float[] result, int n, float epsilon) {
        for (int i = 0; i < n; i++) {
            result[i] = g[i] / ((float) Math.sqrt(square[i]) + epsilon);
        }
    }

    private static void descend(float[] w, float[] direction, int n, float size, float keep) {
        for (int i = 0; i < n; i++) {
            w[i] = w[i] * keep - direction[i] * size;
        }
    }

    @Override
    public double sumOfSquares(Reals values, int from, int to) {
        FloatBuffer all = values.floats();
        Arrays.fill(sums, 0);
        for (int i = from; i < to; i += BLOCK) {
            int n = Math.min(BLOCK, to - i);
            all.get(i, w, 0, n);
            addSquares(w, n, sums);
        }
        return PartialSums.total(sums);
    }

    private static void addSquares(float[] values, int n, double[] sums) {
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
