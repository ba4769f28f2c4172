package hocket.rl.envs.tabular;

import hocket.rl.random.Pcg64;
import java.util.ArrayList;
import java.util.List;

/**
 * The dynamics of an environment with finitely many states: how likely each state is at the start, and the possible
 * outcomes of every action in every state. Each draw takes one uniform number, even where the outcome is certain, as in
 * Gymnasium's toy text environments.
 */
public final class TransitionTable {
    /** A rule for the outcomes of an action in a state, in the order in which a uniform number selects them. */
    @FunctionalInterface
    public interface Rule {
        List<TransitionOutcome> of(int state, int action);
    }

    private final int actions;
    private final double[] starts;
    private final double[] startSums;
    /** The index of the first outcome of each state and action; they end where the next ones begin. */
    private final int[] first;

    private final double[] probabilities;
    /** The cumulative probabilities of the outcomes of a state and action. */
    private final double[] sums;

    private final int[] next;
    private final double[] rewards;
    private final boolean[] terminated;

    /**
     * @param starts the probability of each state at the start of an episode
     * @param actions the number of actions
     * @param rule the outcomes of each state and action
     * @throws IllegalArgumentException if probabilities do not sum to 1 within 1e-8, or a next state does not exist
     */
    public TransitionTable(double[] starts, int actions, Rule rule) {
        this.actions = actions;
        this.starts = starts.clone();
        startSums = sums(starts, "the starts");
        first = new int[starts.length * actions + 1];
        List<TransitionOutcome> all = new ArrayList<>();
        for (int state = 0; state < starts.length; state++) {
            for (int action = 0; action < actions; action++) {
                List<TransitionOutcome> outcomes = rule.of(state, action);
                check(outcomes, state, action);
                all.addAll(outcomes);
                first[state * actions + action + 1] = all.size();
            }
        }
        probabilities = all.stream().mapToDouble(TransitionOutcome::probability).toArray();
        next = all.stream().mapToInt(TransitionOutcome::next).toArray();
        rewards = all.stream().mapToDouble(TransitionOutcome::reward).toArray();
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

    private void check(List<TransitionOutcome> outcomes, int state, int action) {
        String where = "state " + state + ", action " + action;
        sums(outcomes.stream().mapToDouble(TransitionOutcome::probability).toArray(), where);
        for (TransitionOutcome outcome : outcomes) {
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

    /** The number of states. */
    public int states() {
        return starts.length;
    }

    /** The number of actions. */
    public int actions() {
        return actions;
    }

    /** The probability that an episode starts in a state. */
    public double start(int state) {
        return starts[state];
    }

    /** The possible outcomes of an action in a state, for planning. */
    public List<TransitionOutcome> outcomes(int state, int action) {
        List<TransitionOutcome> outcomes = new ArrayList<>();
        for (int i = first[state * actions + action]; i < first[state * actions + action + 1]; i++) {
            outcomes.add(new TransitionOutcome(probabilities[i], next[i], rewards[i], terminated[i]));
        }
        return outcomes;
    }

    /** Draws a start state. */
    int start(Pcg64 random) {
        return sampledIndex(startSums, 0, startSums.length, random.random());
    }

    /** Draws an outcome of an action; returns an index for the methods below. */
    int sample(int state, int action, Pcg64 random) {
        int pair = state * actions + action;
        return sampledIndex(sums, first[pair], first[pair + 1], random.random());
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

    /**
     * The first index whose cumulative probability is above the uniform number; the first of all where rounding leaves
     * none, as NumPy's argmax.
     */
    public static int sampledIndex(double[] sums, int from, int to, double uniform) {
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
