package hocket.rl.actors;

import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.envs.StateArrays;
import hocket.rl.envs.games.Elo;
import hocket.rl.envs.games.GamePlayer;
import hocket.rl.envs.games.MultiAgentEnvironment;
import hocket.rl.envs.games.RandomPlayer;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.schedulers.Run;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import java.util.ArrayList;
import java.util.List;

/**
 * A turn of Java that rates the policy that learns by {@link Elo}: it plays against the player at random, whose rating is 0, and
 * against the frozen copies of a pool, which have the ratings of the time when they were frozen; the first copies are of a policy
 * that has not learnt, and count as 0. Each turn is followed by the next copy of the pool, in their order, being frozen.
 *
 * <p>It reports {@code elo}, the 95 % interval {@code elo_low} to {@code elo_high}, and {@code score_random}, the share of games
 * won against the player at random, draws counted half.
 */
public final class OpponentRatings implements Turn.Action, Stateful, AutoCloseable {
    private static final double NORMAL = 1.959964; // of 95 %
    private static final int SEEDS = 4;

    private final OpponentPool pool;
    private final MultiAgentEnvironment game;
    private final int games;
    private final double[] ratings;
    private final float[][] actions;
    private long turns;

    /**
     * Makes ratings that begin at 0.
     *
     * @param game of two agents
     * @param games against each opponent at a turn, half of them as each agent
     */
    public OpponentRatings(OpponentPool pool, MultiAgentEnvironment game, int games) {
        this.pool = pool;
        this.game = game;
        this.games = games;
        ratings = new double[pool.policies().size() - 1];
        actions = new float[][] {
            new float[game.actions(0).width()], new float[game.actions(1).width()],
        };
    }

    @Override
    public void act(Run run) {
        pool.begin(run);
        Pcg64 random = Pcg64.of(SeedSequence.of(NumpySeed.of(run.parameters().streams()))
                .child(SEEDS)
                .child(Math.toIntExact(turns)));
        GamePlayer learner = pool.player(0);
        double atRandom = score(learner, new RandomPlayer(), random);
        List<Elo.Games> played = new ArrayList<>(List.of(new Elo.Games(0, games, atRandom)));
        for (int copy = 0; copy < ratings.length; copy++) {
            played.add(new Elo.Games(ratings[copy], games, score(learner, pool.player(1 + copy), random)));
        }
        Elo elo = Elo.of(played);
        ratings[(int) (turns++ % ratings.length)] = elo.rating();
        run.report("elo", elo.rating());
        run.report("elo_low", elo.rating() - NORMAL * elo.deviation());
        run.report("elo_high", elo.rating() + NORMAL * elo.deviation());
        run.report("score_random", atRandom / games);
    }

    /** Returns the sum of the learner's scores. */
    private double score(GamePlayer learner, GamePlayer other, Pcg64 random) {
        double sum = 0;
        for (int i = 0; i < games; i++) {
            int own = i % 2;
            double returned = 0;
            int steps = 0;
            game.reset(random);
            while (!game.terminated() && !game.truncated() && steps++ < EpisodeReturns.LONGEST) {
                for (int agent = 0; agent < actions.length; agent++) {
                    if (game.acts(agent)) {
                        (agent == own ? learner : other).choose(game, agent, random, actions[agent]);
                    }
                }
                game.step(actions, random);
                returned += game.reward(own) - game.reward(1 - own);
            }
            sum += returned > 0 ? 1 : returned == 0 ? 0.5 : 0;
        }
        return sum;
    }

    @Override
    public State save() {
        return State.empty().with("turns", turns).with("ratings", StateArrays.tensor(ratings));
    }

    @Override
    public void restore(State state) {
        double[] saved = StateArrays.read(state, "ratings", ratings.length);
        turns = state.whole("turns");
        System.arraycopy(saved, 0, ratings, 0, saved.length);
    }

    @Override
    public void close() {
        EnvironmentChecks.close(game);
    }
}
