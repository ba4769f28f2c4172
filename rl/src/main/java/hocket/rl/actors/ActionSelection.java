package hocket.rl.actors;

import hocket.programs.execution.BoundProgram;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;

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

    /** {@link #sampled(List)} of one choice. */
    static ActionSelection sampled(Discrete actions) {
        return sampled(List.of(actions.n()));
    }

    /** {@link #greedy(List)} of one choice. */
    static ActionSelection greedy(Discrete actions) {
        return greedy(List.of(actions.n()));
    }

    /**
     * Samples each of some choices with the probabilities {@code softmax(logits)}; the program gives their logits, (n) of
     * one choice of n, followed by those of further choices.
     *
     * @param counts the number of actions of each choice
     */
    static ActionSelection sampled(List<Integer> counts) {
        int most = Collections.max(counts);
        return (program, rows, random, out) -> {
            ByteBuffer logits = program.result(0);
            double[] weights = new double[most]; // of this call: several threads may choose
            int at = 0;
            for (int i = 0; i < rows * counts.size(); i++) {
                int n = counts.get(i % counts.size());
                out[i] = sampled(logits, at, n, random, weights);
                at += n * Float.BYTES;
            }
        };
    }

    private static int sampled(ByteBuffer logits, int at, int n, Pcg64 random, double[] weights) {
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
        return action;
    }

    /**
     * Takes the action of the largest logit or value of each of some choices, the first of equals; the program gives them
     * as for {@link #sampled(List)}.
     */
    static ActionSelection greedy(List<Integer> counts) {
        return (program, rows, random, out) -> {
            ByteBuffer values = program.result(0);
            int at = 0;
            for (int i = 0; i < rows * counts.size(); i++) {
                int n = counts.get(i % counts.size());
                out[i] = greedy(values, at, n);
                at += n * Float.BYTES;
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

    /** Samples numbers that are 1 with the probabilities {@code sigmoid(logits)}, else 0; the program gives logits (n). */
    static ActionSelection sampledBits(int n) {
        return (program, rows, random, out) -> {
            ByteBuffer logits = program.result(0);
            for (int i = 0; i < rows * n; i++) {
                double probability = 1 / (1 + StrictMath.exp(-logits.getFloat(i * Float.BYTES)));
                out[i] = random.random() < probability ? 1 : 0;
            }
        };
    }

    /** Takes 1 where the logit is above 0, else 0; the program gives logits (n). */
    static ActionSelection likelyBits(int n) {
        return (program, rows, random, out) -> {
            ByteBuffer logits = program.result(0);
            for (int i = 0; i < rows * n; i++) {
                out[i] = logits.getFloat(i * Float.BYTES) > 0 ? 1 : 0;
            }
        };
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
