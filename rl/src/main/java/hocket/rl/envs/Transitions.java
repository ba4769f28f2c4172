package hocket.rl.envs;

import java.util.ArrayList;
import java.util.List;

/**
 * The whole of a small world: where it starts, and what every action in every state may come to. A draw costs one
 * uniform, even where the outcome is certain, as Gymnasium's toy worlds draw.
 */
public final class Transitions {
    /** What an action may come to, in the order in which the uniform runs through them. */
    @FunctionalInterface
    public interface Rule {
        List<Outcome> of(int state, int action);
    }

    private final int actions;
    private final double[] starts;
    private final double[] startSums;
    /** Where the outcomes of a state and action begin; those of the next begin where they end. */
    private final int[] first;

    private final double[] probabilities;
    /** Sums of the probabilities, from the first outcome of a state and action on. */
    private final double[] sums;

    private final int[] next;
    private final double[] rewards;
    private final boolean[] terminated;

    /**
     * @param starts how likely an episode starts in each state
     * @param actions how many actions there are
     * @param rule what they come to
     * @throws IllegalArgumentException if probabilities do not sum to 1 within 1e-8, or an outcome is in no state
     */
    public Transitions(double[] starts, int actions, Rule rule) {
        this.actions = actions;
        this.starts = starts.clone();
        startSums = sums(starts, "the starts");
        first = new int[starts.length * actions + 1];
        List<Outcome> all = new ArrayList<>();
        for (int state = 0; state < starts.length; state++) {
            for (int action = 0; action < actions; action++) {
                List<Outcome> outcomes = rule.of(state, action);
                check(outcomes, state, action);
                all.addAll(outcomes);
                first[state * actions + action + 1] = all.size();
            }
        }
        probabilities = all.stream().mapToDouble(Outcome::probability).toArray();
        next = all.stream().mapToInt(Outcome::next).toArray();
        rewards = all.stream().mapToDouble(Outcome::reward).toArray();
        terminated = new boolean[next.length];
        sums = new double[next.length];
        for (int pair = 0; pair + 1 < first.length; pair++) {
            double sum = 0;
            for (int i = first[pair]; i < first[pair + 1]; i++) {
                sum += probabilities[i];
                sums[i] = sum;
                terminated[i] = all.get(i).terminated();
            }
        }
    }

    private void check(List<Outcome> outcomes, int state, int action) {
        String where = "state " + state + ", action " + action;
        sums(outcomes.stream().mapToDouble(Outcome::probability).toArray(), where);
        for (Outcome outcome : outcomes) {
            if (outcome.next() < 0 || outcome.next() >= starts.length) {
                throw new IllegalArgumentException(
                        where + ": the next state must be 0 to " + (starts.length - 1) + ", was " + outcome.next());
            }
        }
    }

    private static double[] sums(double[] probabilities, String of) {
        double[] sums = new double[probabilities.length];
        double sum = 0;
        for (int i = 0; i < sums.length; i++) {
            sum += probabilities[i];
            sums[i] = sum;
        }
        if (!(Math.abs(sum - 1) < 1e-8)) {
            throw new IllegalArgumentException("the probabilities of " + of + " must sum to 1, they sum to " + sum);
        }
        return sums;
    }

    /** How many states there are. */
    public int states() {
        return starts.length;
    }

    /** How many actions there are. */
    public int actions() {
        return actions;
    }

    /** How likely an episode starts in a state. */
    public double start(int state) {
        return starts[state];
    }

    /** What an action in a state may come to, for planning. */
    public List<Outcome> outcomes(int state, int action) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = first[state * actions + action]; i < first[state * actions + action + 1]; i++) {
            outcomes.add(new Outcome(probabilities[i], next[i], rewards[i], terminated[i]));
        }
        return outcomes;
    }

    /** Draws a state to start in. */
    int start(Pcg64 random) {
        return drawn(startSums, 0, startSums.length, random.random());
    }

    /** Draws what an action comes to; an index for the methods below. */
    int draw(int state, int action, Pcg64 random) {
        int pair = state * actions + action;
        return drawn(sums, first[pair], first[pair + 1], random.random());
    }

    int next(int outcome) {
        return next[outcome];
    }

    double reward(int outcome) {
        return rewards[outcome];
    }

    boolean terminated(int outcome) {
        return terminated[outcome];
    }

    /** The first whose sum is above the uniform; the very first where rounding leaves none, as NumPy's argmax has it. */
    static int drawn(double[] sums, int from, int to, double uniform) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sums[middle] > uniform) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low == to ? from : low;
    }
}
