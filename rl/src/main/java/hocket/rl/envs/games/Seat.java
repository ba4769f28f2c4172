package hocket.rl.envs.games;

import hocket.rl.envs.Environment;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One agent's part in a game, as an environment: the others are played by opponents, which move in the same step, before the
 * agent's next observation. Its reward is the agent's sum since its last action.
 */
public final class Seat extends EpisodicEnvironment {
    private static final int MOST_TRIES = 1000;

    /** The agent of which each episode draws another. */
    public static final int ANY = -1;

    private final MultiAgentEnvironment given;
    private final MultiAgentEnvironment game;
    private final RandomPlayer atRandom = new RandomPlayer();
    private final int fixed;
    private final float[][] actions;
    private Opponents opponents;
    private int agent;
    private int opponent;

    /**
     * @param agent the number of the agent, or {@link #ANY}; the agents' spaces are the same then
     * @param opponents who play the others
     */
    public Seat(MultiAgentEnvironment game, int agent, Opponents opponents) {
        this(game, CheckedGame.unlessBuiltIn(game), agent, opponents);
    }

    private Seat(MultiAgentEnvironment given, MultiAgentEnvironment game, int agent, Opponents opponents) {
        super(game.name(), game.observations(Math.max(agent, 0)), game.actions(Math.max(agent, 0)));
        this.given = given;
        this.game = game;
        this.fixed = agent;
        this.agent = Math.max(agent, 0);
        this.opponents = opponents;
        actions = new float[game.agents().size()][];
        Arrays.setAll(actions, i -> new float[game.actions(i).width()]);
    }

    /**
     * Makes the seat of any agent where all have the same spaces, else of the first one; the others act at random.
     *
     * @param given of a class of anyone, which is checked while it is played
     */
    public static Seat amongRandomPlayers(MultiAgentEnvironment given) {
        MultiAgentEnvironment game = CheckedGame.unlessBuiltIn(given);
        long kinds = IntStream.range(0, game.agents().size())
                .mapToObj(agent -> List.of(game.observations(agent), game.actions(agent)))
                .distinct()
                .count();
        return new Seat(given, game, kinds == 1 ? ANY : 0, Opponents.only(new RandomPlayer()));
    }

    /**
     * Returns the seat that an environment is, perhaps with wrappers.
     *
     * @param setting that names the environment, for the message
     * @throws IllegalArgumentException if it is none
     */
    public static Seat of(String setting, Environment environment) {
        if (environment.unwrapped() instanceof Seat seat) {
            return seat;
        }
        throw new IllegalArgumentException(setting
                + " must be one of several agents, such as TicTacToe-v0 or Pursuit-v0," + " was " + environment.name());
    }

    /**
     * Returns the seat that an environment is in a game of two agents.
     *
     * @throws IllegalArgumentException as {@link #of}, or if there are more agents
     */
    public static Seat ofTwo(String setting, Environment environment) {
        Seat seat = of(setting, environment);
        if (seat.actions.length != 2) {
            throw new IllegalArgumentException(setting + " must be a game of two agents, such as TicTacToe-v0, was "
                    + environment.name() + " of " + seat.actions.length);
        }
        return seat;
    }

    /** The game, checked while it is played unless it is of a class of Hocket's own; do not change it. */
    public MultiAgentEnvironment game() {
        return game;
    }

    /** Returns whether the game is one of anyone, or of Python, so that it may fail. */
    public boolean mayFail() {
        return game instanceof CheckedGame;
    }

    /** The number of the agent in this episode. */
    public int agent() {
        return agent;
    }

    @Override
    public void close() {
        game.close();
    }

    /** Sets the opponents of further episodes, before the first of them. */
    public void meet(Opponents others) {
        opponents = others;
    }

    @Override
    protected void begin() {
        agent = fixed == ANY ? random().choice(actions.length) : fixed;
        opponent = opponents.draw(random());
        game.reset(random());
        open(opponents.opening(random()));
        playOthers();
        for (int tries = 0; ended(); tries++) { // before the agent could act
            if (tries == MOST_TRIES) {
                throw new IllegalStateException(name() + ": each agent must act in some episodes, " + tries
                        + " in turn ended before " + game.agents().get(agent) + " could");
            }
            game.reset(random());
            playOthers();
        }
    }

    private boolean ended() {
        return game.terminated() || game.truncated();
    }

    /** Takes steps at random, of all agents, until the game ends. */
    private void open(int steps) {
        for (int i = 0; i < steps && !ended(); i++) {
            for (int any = 0; any < actions.length; any++) {
                if (game.acts(any)) {
                    atRandom.choose(given, any, random(), actions[any]);
                }
            }
            game.step(actions, random());
        }
    }

    /** Takes steps until the agent acts or the episode has ended; returns the agent's rewards. */
    private double playOthers() {
        double rewards = 0;
        while (!game.acts(agent) && !ended()) {
            rewards += step();
        }
        return rewards;
    }

    private double step() {
        for (int other = 0; other < actions.length; other++) {
            if (other != agent && game.acts(other)) {
                opponents.player(opponent).choose(given, other, random(), actions[other]);
            }
        }
        game.step(actions, random());
        return game.reward(agent);
    }

    @Override
    protected void act(float[] action, int at) {
        System.arraycopy(action, at, actions[agent], 0, actions[agent].length);
        double rewards = step() + playOthers();
        outcome(rewards, ended() && game.terminated(agent));
    }

    @Override
    public boolean truncated() {
        return game.truncated(agent);
    }

    @Override
    public void observe(float[] into, int at) {
        game.observe(agent, into, at);
    }

    @Override
    public boolean masks() {
        return game.masks();
    }

    @Override
    public void mask(float[] into, int at) {
        game.mask(agent, into, at);
    }

    @Override
    public String text() {
        return "plays as " + game.agents().get(agent) + "\n" + game.text();
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        game.draw(graphics, width, height);
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("agent", agent).with("opponent", opponent).with("game", game.save());
    }

    @Override
    protected void restoreOwnState(State state) {
        int savedAgent = (int) state.whole("agent");
        int savedOpponent = (int) state.whole("opponent");
        game.restore(state.state("game"));
        agent = savedAgent;
        opponent = savedOpponent;
    }
}
