package hocket.rl.actors;

import hocket.programs.execution.BoundProgram;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import java.nio.ByteBuffer;

/**
 * The rule by which actions are chosen from the outputs of a policy's program. A discrete action is the float of its
 * index, from 0.
 */
@FunctionalInterface
public interface ActionSelection {
    /**
     * Chooses the actions of all rows.
     *
     * @param program the policy's program, which has run on these rows
     * @param rows the number of rows
     * @param random the generator of stochastic choices
     * @param actions takes the actions, one row after the other
     */
    void choose(BoundProgram program, int rows, Pcg64 random, float[] actions);

    /** Samples actions with the probabilities {@code softmax(logits)}; the program gives logits (n). */
    static ActionSelection sampled(Discrete actions) {
        int n = actions.n();
        return (program, rows, random, out) -> {
            ByteBuffer logits = program.result(0);
            double[] weights = new double[n]; // of this call: several threads may choose
            for (int row = 0; row < rows; row++) {
                int at = row * n * Float.BYTES;
                double largest = logits.getFloat(at + greedy(logits, at, n) * Float.BYTES);
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

    /** Takes the action of the largest logit or value, the first of equals; the program gives them (n). */
    static ActionSelection greedy(Discrete actions) {
        return (program, rows, random, out) -> {
            ByteBuffer values = program.result(0);
            for (int row = 0; row < rows; row++) {
                out[row] = greedy(values, row * actions.n() * Float.BYTES, actions.n());
            }
        };
    }

    private static int greedy(ByteBuffer values, int at, int count) {
        int best = 0;
        for (int i = 1; i < count; i++) {
            if (values.getFloat(at + i * Float.BYTES) > values.getFloat(at + best * Float.BYTES)) {
                best = i;
            }
        }
        return best;
    }

    /**
     * Samples from normal distributions; the program gives means (n) and, as second target, log standard deviations
     * (n). Nothing is clipped.
     */
    static ActionSelection gaussian(Box actions) {
        int width = actions.width();
        return (program, rows, random, out) -> {
            ByteBuffer mean = program.result(0);
            ByteBuffer logStd = program.result(1);
            for (int i = 0; i < rows * width; i++) {
                double deviation = StrictMath.exp(logStd.getFloat(i % width * Float.BYTES));
                out[i] = (float) (mean.getFloat(i * Float.BYTES) + deviation * random.standardNormal());
            }
        };
    }

    /** Takes the program's output (n) as the action. */
    static ActionSelection deterministic(int width) {
        return (program, rows, random, out) -> {
            ByteBuffer values = program.result(0);
            for (int i = 0; i < rows * width; i++) {
                out[i] = values.getFloat(i * Float.BYTES);
            }
        };
    }
}
