package hocket.rl.actors;

import hocket.rl.envs.Discrete;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.Space;

/** How an agent that learns from replay departs from what its policy chose. */
public sealed interface Exploration {
    /**
     * Changes the actions of all rows.
     *
     * @param actions as the policy chose them, not yet fitted
     * @param steps environment steps so far
     */
    void explore(Space space, float[] actions, int rows, long steps, Pcg64 random);

    /** Not at all: for policies that are random themselves. */
    record None() implements Exploration {
        @Override
        public void explore(Space space, float[] actions, int rows, long steps, Pcg64 random) {}
    }

    /**
     * Any discrete action with probability ε, which falls in a line from one number to another and stays there.
     *
     * @param from ε in the beginning
     * @param to ε in the end
     * @param over environment steps that it falls
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
        public void explore(Space space, float[] actions, int rows, long steps, Pcg64 random) {
            int n = ((Discrete) space).n();
            for (int row = 0; row < rows; row++) {
                if (random.random() < at(steps)) {
                    actions[row] = random.integers(0, n);
                }
            }
        }
    }

    /**
     * Normal noise, actions staying in -1..1.
     *
     * @param deviation of the noise, of an action from -1 to 1
     */
    record Gaussian(double deviation) implements Exploration {
        public Gaussian {
            if (!(deviation >= 0)) {
                throw new IllegalArgumentException("exploration noise must be at least 0, was " + deviation);
            }
        }

        @Override
        public void explore(Space space, float[] actions, int rows, long steps, Pcg64 random) {
            for (int i = 0; i < rows * space.width(); i++) {
                double noisy = actions[i] + deviation * random.standardNormal();
                actions[i] = (float) Math.max(-1, Math.min(1, noisy));
            }
        }
    }

    /** Actions that are all chance, before anything was learnt. */
    static void atRandom(Space space, float[] actions, int rows, Pcg64 random) {
        for (int i = 0; i < rows * space.width(); i++) {
            actions[i] = space instanceof Discrete discrete
                    ? random.integers(0, discrete.n())
                    : (float) random.uniform(-1, 1);
        }
    }
}
