package hocket.rl.envs.games;

import hocket.rl.envs.StateArrays;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A matrix game of two agents that is repeated: both choose an action at once, and the payoffs of the pair are their rewards.
 *
 * <p>An observation is what the other has chosen last, as 0 and 1 for each action; zeros at first. An episode is truncated after a
 * number of rounds.
 */
public final class MatrixGame implements MultiAgentEnvironment {
    /** Games by name: a row for each action of the first agent, with the payoffs {@code first,second} for each of the second's. */
    public static final SortedMap<String, List<String>> GAMES = new TreeMap<>(Map.of(
            "rock_paper_scissors", List.of("0,0 -1,1 1,-1", "1,-1 0,0 -1,1", "-1,1 1,-1 0,0"),
            "matching_pennies", List.of("1,-1 -1,1", "-1,1 1,-1"),
            "prisoners_dilemma", List.of("3,3 0,5", "5,0 1,1"),
            "stag_hunt", List.of("4,4 0,3", "3,0 2,2")));

    private static final int NONE = -1;
    private static final List<String> AGENTS = List.of("first", "second");

    /** The payoffs of both agents, by the action of the first, then of the second. */
    private final double[][][] payoffs;

    private final Discrete[] actions;
    private final Space[] observations;
    private final int limit;
    private final int[] last = new int[2];
    private final double[] rewards = new double[2];
    private int rounds;
    private boolean running;

    /**
     * @param rows as of {@link #GAMES}
     * @param limit the rounds of an episode
     * @throws IllegalArgumentException if rows have different lengths, a payoff is no number, or there is no round
     */
    public MatrixGame(List<String> rows, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("MatrixGame-v0: max_cycles must be at least 1, was " + limit);
        }
        this.limit = limit;
        payoffs = rows.stream().map(MatrixGame::row).toArray(double[][][]::new);
        if (payoffs.length == 0 || Arrays.stream(payoffs).anyMatch(row -> row.length != payoffs[0].length)) {
            throw new IllegalArgumentException(
                    "MatrixGame-v0: payoffs must be rows of as many pairs each, such as \"3,3 0,5\", were " + rows);
        }
        int[] counts = {payoffs.length, payoffs[0].length};
        actions = new Discrete[] {new Discrete(counts[0]), new Discrete(counts[1])};
        observations = new Space[] {Box.of(counts[1], 0, 1), Box.of(counts[0], 0, 1)};
    }

    private static double[][] row(String text) {
        return Arrays.stream(text.trim().split("\\s+")).map(MatrixGame::pair).toArray(double[][]::new);
    }

    private static double[] pair(String text) {
        try {
            double[] pair = Arrays.stream(text.split(","))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            if (pair.length == 2 && Double.isFinite(pair[0]) && Double.isFinite(pair[1])) {
                return pair;
            }
        } catch (NumberFormatException notANumber) {
            // the message below names the rule
        }
        throw new IllegalArgumentException(
                "MatrixGame-v0: a payoff must be two numbers, such as 3,0: the first agent's and the second's; was "
                        + text);
    }

    @Override
    public String name() {
        return "MatrixGame-v0";
    }

    @Override
    public List<String> agents() {
        return AGENTS;
    }

    @Override
    public Space observations(int agent) {
        return observations[agent];
    }

    @Override
    public Space actions(int agent) {
        return actions[agent];
    }

    @Override
    public void reset(Pcg64 random) {
        Arrays.fill(last, NONE);
        Arrays.fill(rewards, 0);
        rounds = 0;
        running = true;
    }

    @Override
    public boolean acts(int agent) {
        return running;
    }

    @Override
    public void step(float[][] chosen, Pcg64 random) {
        if (!running) {
            throw new IllegalStateException(name() + ": a step must follow a reset");
        }
        for (int agent = 0; agent < 2; agent++) {
            if (!actions[agent].contains(chosen[agent], 0)) {
                throw new IllegalArgumentException(name() + ": an action of " + AGENTS.get(agent) + " must be of "
                        + actions[agent] + ", was " + actions[agent].text(chosen[agent], 0));
            }
        }
        for (int agent = 0; agent < 2; agent++) {
            last[agent] = (int) chosen[agent][0];
        }
        System.arraycopy(payoffs[last[0]][last[1]], 0, rewards, 0, 2);
        rounds++;
        running = rounds < limit;
    }

    @Override
    public void observe(int agent, float[] into, int at) {
        int width = observations[agent].width();
        Arrays.fill(into, at, at + width, 0);
        if (last[1 - agent] != NONE) {
            into[at + last[1 - agent]] = 1;
        }
    }

    @Override
    public double reward(int agent) {
        return rewards[agent];
    }

    @Override
    public boolean terminated() {
        return false;
    }

    @Override
    public boolean truncated() {
        return rounds >= limit;
    }

    @Override
    public String text() {
        return rounds == 0
                ? "before the first round"
                : String.format(
                        Locale.ROOT,
                        "round %d: first chose %d and got %.4g, second chose %d and got %.4g",
                        rounds,
                        last[0],
                        rewards[0],
                        last[1],
                        rewards[1]);
    }

    @Override
    public State save() {
        return State.empty()
                .with("last", StateArrays.tensor(last[0], last[1]))
                .with("rewards", StateArrays.tensor(rewards))
                .with("rounds", rounds)
                .with("running", running ? 1 : 0);
    }

    @Override
    public void restore(State state) {
        double[] savedLast = StateArrays.read(state, "last", last.length);
        double[] savedRewards = StateArrays.read(state, "rewards", rewards.length);
        int savedRounds = (int) state.whole("rounds");
        running = state.whole("running") == 1;
        Arrays.setAll(last, i -> (int) savedLast[i]);
        System.arraycopy(savedRewards, 0, rewards, 0, rewards.length);
        rounds = savedRounds;
    }
}
