package hocket.rl.actors;

import hocket.programs.BoundProgram;
import hocket.rl.envs.Box;
import hocket.rl.envs.Discrete;
import hocket.rl.envs.Pcg64;
import java.nio.ByteBuffer;

/**
 * How actions follow from what a policy's program gives for each row of observations. A discrete action is
 * the float of its index, from 0.
 */
@FunctionalInterface
public interface Choice {
    /**
     * Chooses for all rows.
     *
     * @param gave the policy's program, which has run on these rows
     * @param rows how many
     * @param random drawn from where there is chance
     * @param actions takes the actions, one row behind the other
     */
    void choose(BoundProgram gave, int rows, Pcg64 random, float[] actions);

    /** Drawn with the probabilities {@code softmax(logits)}; the program gives logits (n). */
    static Choice sampled(Discrete actions) {
        int n = actions.n();
        return (gave, rows, random, out) -> {
            ByteBuffer logits = gave.result(0);
            double[] weights = new double[n]; // of this call: several threads may choose
            for (int row = 0; row < rows; row++) {
                int at = row * n * Float.BYTES;
                double largest = logits.getFloat(at + greatest(logits, at, n) * Float.BYTES);
                double sum = 0;
                for (int a = 0; a < n; a++) {
                    sum += StrictMath.exp(logits.getFloat(at + a * Float.BYTES) - largest);
                    weights[a] = sum;
                }
                double drawn = random.random() * sum;
                int action = 0;
                while (action < n - 1 && weights[action] <= drawn) {
                    action++;
                }
                out[row] = action;
            }
        };
    }

    /** The action of the greatest logit or value, the first of several; the program gives them (n). */
    static Choice greatest(Discrete actions) {
        return (gave, rows, random, out) -> {
            ByteBuffer values = gave.result(0);
            for (int row = 0; row < rows; row++) {
                out[row] = greatest(values, row * actions.n() * Float.BYTES, actions.n());
            }
        };
    }

    private static int greatest(ByteBuffer values, int at, int count) {
        int best = 0;
        for (int i = 1; i < count; i++) {
            if (values.getFloat(at + i * Float.BYTES) > values.getFloat(at + best * Float.BYTES)) {
                best = i;
            }
        }
        return best;
    }

    /** Normals around a mean (n), with the logarithms (n) of their deviations as second target; not clipped. */
    static Choice gaussian(Box actions) {
        int width = actions.width();
        return (gave, rows, random, out) -> {
            ByteBuffer mean = gave.result(0);
            ByteBuffer logStd = gave.result(1);
            for (int i = 0; i < rows * width; i++) {
                double deviation = StrictMath.exp(logStd.getFloat(i % width * Float.BYTES));
                out[i] = (float) (mean.getFloat(i * Float.BYTES) + deviation * random.standardNormal());
            }
        };
    }

    /** What the program gives, (n). */
    static Choice given(int width) {
        return (gave, rows, random, out) -> {
            ByteBuffer values = gave.result(0);
            for (int i = 0; i < rows * width; i++) {
                out[i] = values.getFloat(i * Float.BYTES);
            }
        };
    }
}
