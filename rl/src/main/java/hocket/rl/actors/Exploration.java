package hocket.rl.actors;

import hocket.rl.envs.AllowedActions;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;

/** The exploration of an off-policy agent, which changes its policy's actions. */
public sealed interface Exploration {
    /**
     * Changes the actions of all rows.
     *
     * @param actions as the policy chose them, before the {@link Policy.ActionTransform}
     * @param masks of the actions that are allowed; empty if all are
     * @param steps the number of environment steps so far
     */
    void explore(Space space, float[] actions, float[] masks, int rows, long steps, Pcg64 random);

    /** No exploration, for policies that are stochastic themselves. */
    record None() implements Exploration {
        @Override
        public void explore(Space space, float[] actions, float[] masks, int rows, long steps, Pcg64 random) {}
    }

    /**
     * ε-greedy exploration: a uniformly random discrete action with probability ε, which decays linearly and then
     * stays.
     *
     * @param from ε at the start
     * @param to ε at the end
     * @param over the number of environment steps of the decay
     */
    record Epsilon(double from, double to, long over) implements Exploration {
        public Epsilon {
            if (!(from >= 0 && from <= 1 && to >= 0 && to <= 1) || over < 0) {
                throw new IllegalArgumentException("epsilon must be 0 to 1 and fall over at least 0 steps, was " + from
                        + " to " + to + " over " + over);
            }
        }

        double at(long steps) {
            return steps >= over ? to : from + (to - from) * steps / over;
        }

        @Override
        public void explore(Space space, float[] actions, float[] masks, int rows, long steps, Pcg64 random) {
            int n = ((Discrete) space).n();
            for (int row = 0; row < rows; row++) {
                if (random.random() < at(steps)) {
                    actions[row] = allowed(n, masks, row, random);
                }
            }
        }
    }

    /**
     * Gaussian exploration: adds normal noise and clips actions to -1..1.
     *
     * @param deviation the standard deviation of the noise
     */
    record Gaussian(double deviation) implements Exploration {
        public Gaussian {
            if (!(deviation >= 0)) {
                throw new IllegalArgumentException("exploration noise must be at least 0, was " + deviation);
            }
        }

        @Override
        public void explore(Space space, float[] actions, float[] masks, int rows, long steps, Pcg64 random) {
            for (int i = 0; i < rows * space.width(); i++) {
                double noisy = actions[i] + deviation * random.standardNormal();
                actions[i] = (float) Math.max(-1, Math.min(1, noisy));
            }
        }
    }

    /**
     * Chooses uniformly random actions, before anything was learnt.
     *
     * @param masks of the actions that are allowed; empty if all are
     */
    static void randomActions(Space space, float[] actions, float[] masks, int rows, Pcg64 random) {
        for (int i = 0; i < rows * space.width(); i++) {
            actions[i] = space instanceof Discrete discrete
                    ? allowed(discrete.n(), masks, i, random)
                    : (float) random.uniform(-1, 1);
        }
    }

    /** Returns the index of a random action of those that a row's mask allows. */
    private static long allowed(int n, float[] masks, int row, Pcg64 random) {
        return masks.length == 0 ? random.integers(0, n) : AllowedActions.index(masks, row * n, n, random);
    }
}
