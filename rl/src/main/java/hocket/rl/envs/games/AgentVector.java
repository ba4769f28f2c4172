package hocket.rl.envs.games;

import hocket.rl.envs.Autoreset;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.envs.EpisodeListener;
import hocket.rl.envs.StateArrays;
import hocket.rl.envs.VectorArrays;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All agents of several games as one vector, a row each, the agents of a game one after the other: one policy learns from all of
 * them, as independent learners or with a critic that sees what all agents of a game see. All agents of a game act in each step.
 *
 * <p>A row's observation is a list of numbers: what the agent observes, a one-hot number of the agent, and, where the vector is
 * joint, what all agents of its game observe. The return of an episode is the mean of its agents'. Games begin their next episode
 * in the same step.
 */
public final class AgentVector implements VectorEnvironment {
    private final MultiAgentEnvironment[] games;
    private final Pcg64[] generators;
    private final int agents;
    private final int own;
    private final boolean joint;
    private final Box space;
    private final int actionWidth;
    private final int maskWidth;
    private final VectorArrays arrays;
    private final float[][] chosen;
    private final double[] rewards;
    private final boolean[] terminated;
    private final boolean[] truncated;
    private final boolean[] began;
    private final double[] returns;
    private final double[] lengths;
    private final List<EpisodeListener> listeners = new ArrayList<>();

    /**
     * Makes a vector of games that have not begun.
     *
     * @param count the number of games, at least 1
     * @param joint whether a row also has what the others of its game observe
     * @throws IllegalArgumentException if the agents of a game have different spaces
     */
    public AgentVector(Supplier<? extends MultiAgentEnvironment> game, int count, boolean joint) {
        games = Stream.generate(() -> CheckedGame.unlessBuiltIn(game.get()))
                .limit(count)
                .toArray(MultiAgentEnvironment[]::new);
        generators = Stream.generate(() -> Pcg64.of(0)).limit(count).toArray(Pcg64[]::new);
        MultiAgentEnvironment first = games[0];
        requireOnePolicy(first);
        agents = first.agents().size();
        this.joint = joint;
        own = first.observations(0).width();
        actionWidth = first.actions(0).width();
        space = space(first);
        maskWidth = first.masks() ? first.actions(0).maskWidth() : 0;
        arrays = VectorArrays.of(count * agents, space, first.actions(0), maskWidth);
        chosen = new float[agents][actionWidth];
        rewards = arrays.rewards();
        terminated = arrays.terminated();
        truncated = arrays.truncated();
        began = arrays.episodeStarts();
        returns = new double[count];
        lengths = new double[count];
    }

    /**
     * Checks that one policy fits all agents of a game.
     *
     * @throws IllegalArgumentException if their spaces differ, or their observations are not of a box
     */
    public static void requireOnePolicy(MultiAgentEnvironment game) {
        for (int agent = 1; agent < game.agents().size(); agent++) {
            requireEqual(game, "observe", game::observations, agent);
            requireEqual(game, "do", game::actions, agent);
        }
        box(game);
    }

    private static Box box(MultiAgentEnvironment game) {
        if (game.observations(0) instanceof Box seen) {
            return seen;
        }
        throw new IllegalArgumentException(game.name()
                + ": agents that share a policy must observe numbers, they observe " + game.observations(0));
    }

    private static void requireEqual(MultiAgentEnvironment game, String what, IntFunction<Space> of, int agent) {
        if (!of.apply(agent).equals(of.apply(0))) {
            throw new IllegalArgumentException(game.name() + ": agents that share a policy must " + what + " alike, "
                    + game.agents().get(0) + " has " + of.apply(0) + " and "
                    + game.agents().get(agent) + " has "
                    + of.apply(agent));
        }
    }

    private Box space(MultiAgentEnvironment game) {
        Box seen = box(game);
        float[] low = new float[own + agents + (joint ? agents * own : 0)];
        float[] high = new float[low.length];
        Arrays.fill(high, own, own + agents, 1);
        for (int i = 0; i < low.length; i++) {
            if (i < own || i >= own + agents) {
                int number = i < own ? i : (i - own - agents) % own;
                low[i] = seen.low(number);
                high[i] = seen.high(number);
            }
        }
        return new Box(low, high);
    }

    /** The number of an observation's numbers that its agent observes itself: the first ones. */
    public int ownNumbers() {
        return own + agents;
    }

    /** The number of agents of a game. */
    public int agents() {
        return agents;
    }

    @Override
    public void reset(long seed) {
        for (int i = 0; i < games.length; i++) {
            reset(i, VectorEnvironment.seed(seed, i));
        }
    }

    /** Returns the return so far of a game's episode, the mean of its agents'. */
    public double returnSoFar(int game) {
        return returns[game];
    }

    /** Returns the steps so far of a game's episode. */
    public long lengthSoFar(int game) {
        return (long) lengths[game];
    }

    /** Starts an episode of one game from a seed. */
    public void reset(int game, SeedSequence seed) {
        generators[game] = Pcg64.of(seed);
        begin(game);
    }

    @Override
    public void reset() {
        for (int i = 0; i < games.length; i++) {
            begin(i);
        }
    }

    @Override
    public void reset(boolean[] which) {
        for (int i = 0; i < games.length; i++) {
            if (which[i * agents]) {
                begin(i);
            }
        }
    }

    private void begin(int game) {
        int row = game * agents;
        Arrays.fill(rewards, row, row + agents, 0);
        Arrays.fill(terminated, row, row + agents, false);
        Arrays.fill(truncated, row, row + agents, false);
        enter(game);
    }

    private void enter(int game) {
        returns[game] = 0;
        lengths[game] = 0;
        games[game].reset(generators[game]);
        Arrays.fill(began, game * agents, (game + 1) * agents, true);
        observe(game, arrays.observations(), arrays.masks());
    }

    private void observe(int game, float[] into, float[] allowed) {
        int width = space.width();
        int at = game * agents * width;
        for (int agent = 0; agent < agents; agent++) {
            int row = at + agent * width;
            games[game].observe(agent, into, row);
            Arrays.fill(into, row + own, row + own + agents, 0);
            into[row + own + agent] = 1;
            if (maskWidth > 0) {
                games[game].mask(agent, allowed, (game * agents + agent) * maskWidth);
            }
        }
        for (int agent = 0; joint && agent < agents; agent++) {
            for (int other = 0; other < agents; other++) {
                int to = at + agent * width + own + agents + other * own;
                System.arraycopy(into, at + other * width, into, to, own);
            }
        }
    }

    @Override
    public void step() {
        for (int game = 0; game < games.length; game++) {
            step(games[game], game);
        }
    }

    private void step(MultiAgentEnvironment game, int index) {
        int row = index * agents;
        for (int agent = 0; agent < agents; agent++) {
            if (!game.acts(agent)) {
                throw new IllegalArgumentException(
                        game.name() + ": all agents must act in each step until the episode ends, "
                                + game.agents().get(agent)
                                + " does not: it has left before the others, or the game is in turns, which self-play learns");
            }
            System.arraycopy(arrays.actions(), (row + agent) * actionWidth, chosen[agent], 0, actionWidth);
        }
        game.step(chosen, generators[index]);
        boolean ended = game.terminated() || game.truncated();
        for (int agent = 0; agent < agents; agent++) {
            rewards[row + agent] = game.reward(agent);
            terminated[row + agent] = ended && game.terminated(agent);
            truncated[row + agent] = game.truncated(agent);
            began[row + agent] = false;
            returns[index] += rewards[row + agent] / agents;
        }
        lengths[index]++;
        if (ended) {
            observe(index, arrays.finalObservations(), arrays.finalMasks());
            for (EpisodeListener listener : listeners) {
                listener.ended(index, returns[index], (int) lengths[index]);
            }
            enter(index);
        } else {
            observe(index, arrays.observations(), arrays.masks());
        }
    }

    @Override
    public void listen(EpisodeListener listener) {
        listeners.add(listener);
    }

    @Override
    public int size() {
        return games.length * agents;
    }

    @Override
    public Environment environment(int index) {
        return new Seat(games[index / agents], index % agents, Opponents.only(new RandomPlayer()));
    }

    @Override
    public Autoreset autoreset() {
        return Autoreset.SAME_STEP;
    }

    @Override
    public Space observationSpace() {
        return space;
    }

    @Override
    public Space actionSpace() {
        return games[0].actions(0);
    }

    @Override
    public VectorArrays arrays() {
        return arrays;
    }

    /** The state between steps: the observations are those of the games. */
    @Override
    public State save() {
        State state =
                State.empty().with("returns", StateArrays.tensor(returns)).with("lengths", StateArrays.tensor(lengths));
        for (int i = 0; i < games.length; i++) {
            state = state.with("game" + i, games[i].save()).with("random" + i, generators[i].save());
        }
        return state;
    }

    /** Restores all games, or none: if one rejects its state, those before it are set back. */
    @Override
    public void restore(State state) {
        double[] savedReturns = StateArrays.read(state, "returns", games.length);
        double[] savedLengths = StateArrays.read(state, "lengths", games.length);
        State before = save();
        try {
            restoreGames(state);
        } catch (RuntimeException e) {
            restoreGames(before);
            throw e;
        }
        System.arraycopy(savedReturns, 0, returns, 0, games.length);
        System.arraycopy(savedLengths, 0, lengths, 0, games.length);
        for (int i = 0; i < games.length; i++) {
            Arrays.fill(began, i * agents, (i + 1) * agents, lengths[i] == 0);
            observe(i, arrays.observations(), arrays.masks());
        }
    }

    private void restoreGames(State state) {
        for (int i = 0; i < games.length; i++) {
            Pcg64 random = Pcg64.of(state.state("random" + i));
            games[i].restore(state.state("game" + i));
            generators[i] = random;
        }
    }

    @Override
    public void close() {
        for (MultiAgentEnvironment game : games) {
            EnvironmentChecks.close(game);
        }
    }
}
