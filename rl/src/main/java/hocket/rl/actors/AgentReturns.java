package hocket.rl.actors;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.rl.envs.AllowedActions;
import hocket.rl.envs.EnvironmentPicture;
import hocket.rl.envs.games.AgentVector;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.Film;
import hocket.scopes.Parameters;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Evaluates one policy of all agents by the returns of whole episodes, each with its own seed: the mean of a game's agents, with
 * the scores of {@link EpisodeReturns}. It films games, too.
 *
 * @param games makes a vector of a number of games
 * @param policy of each agent, without a memory
 * @param acting that policy as it acted in training, for {@link #sampled}
 * @param episodes their number, played at once
 * @param first of the seed's children that seed the episodes
 */
public record AgentReturns(IntFunction<AgentVector> games, Policy policy, Policy acting, int episodes, int first)
        implements Evaluation, Film {
    private static final int WIDTH = 480;

    /** Chooses the actions of a step. */
    @FunctionalInterface
    private interface Choice {
        void choose(AgentVector vector, long step);
    }

    /** Makes an evaluation over a number of episodes. */
    public static AgentReturns of(IntFunction<AgentVector> games, Policy policy, Policy acting, int episodes) {
        return new AgentReturns(games, policy, acting, episodes, EpisodeReturns.FIRST_EVALUATED);
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(EpisodeReturns.MERIT);
    }

    @Override
    public Map<String, Range> ranges() {
        return EpisodeReturns.RANGES;
    }

    @Override
    public AgentReturns over(int count) {
        return new AgentReturns(games, policy, acting, count, first);
    }

    @Override
    public AgentReturns selecting(int count) {
        return new AgentReturns(games, policy, acting, count, EpisodeReturns.FIRST_SELECTING);
    }

    @Override
    public AgentReturns sampled() {
        EpisodeReturns.requireDrawing(policy, acting);
        return new AgentReturns(games, acting, acting, episodes, first);
    }

    @Override
    public SortedMap<String, Double> scores(Parameters parameters) {
        SeedSequence seed = SeedSequence.of(NumpySeed.of(parameters.streams()));
        try (BoundProgram bound = bound(parameters)) {
            SortedMap<String, Double> scores = play(seed, byPolicy(bound, Pcg64.of(seed.child(first - 1))));
            scores.put("episodes", (double) episodes);
            return scores;
        }
    }

    /** Returns the scores of actions at random; seed 0 whatever the run's. */
    @Override
    public List<Reference> references(int threads) {
        Pcg64 random = Pcg64.of(0);
        SortedMap<String, Double> scores = play(SeedSequence.of(0), (vector, step) -> {
            float[] action = new float[vector.actionSpace().width()];
            float[] mask = new float[vector.masks().length / vector.size()];
            for (int row = 0; row < vector.size(); row++) {
                System.arraycopy(vector.masks(), row * mask.length, mask, 0, mask.length);
                AllowedActions.sample(vector.actionSpace(), mask, random, action);
                System.arraycopy(action, 0, vector.actions(), row * action.length, action.length);
            }
        });
        return List.of(new Reference("random", "all agents act at random", episodes, scores));
    }

    private BoundProgram bound(Parameters parameters) {
        return new BoundProgram(
                policy.program(), parameters, Lowering.of(policy.program()), 1, new TreeSet<>(), "play/");
    }

    private Choice byPolicy(BoundProgram bound, Pcg64 random) {
        return (vector, step) -> {
            float[] chosen = new float[vector.actions().length];
            if (policy.isMasked()) {
                policy.mask(bound, vector.masks(), vector.size());
            }
            policy.act(bound, vector.observations(), vector.size(), step, random, chosen);
            policy.transform().apply(vector.actionSpace(), chosen, vector.actions(), vector.size());
        };
    }

    private SortedMap<String, Double> play(SeedSequence seed, Choice choice) {
        AgentVector vector = games.apply(episodes);
        try {
            return play(vector, seed, choice);
        } finally {
            vector.close();
        }
    }

    private SortedMap<String, Double> play(AgentVector vector, SeedSequence seed, Choice choice) {
        double[] returns = new double[episodes];
        double[] lengths = new double[episodes];
        boolean[] ended = new boolean[episodes];
        for (int i = 0; i < episodes; i++) {
            vector.reset(i, seed.child(first + i));
        }
        vector.listen((game, ret, length) -> {
            if (!ended[game]) { // further episodes of a game do not count
                returns[game] = ret;
                lengths[game] = length;
                ended[game] = true;
            }
        });
        for (long step = 0;
                step < EpisodeReturns.LONGEST && IntStream.range(0, episodes).anyMatch(game -> !ended[game]);
                step++) {
            choice.choose(vector, step);
            vector.step();
        }
        int cutOff = 0;
        for (int game = 0; game < episodes; game++) {
            if (!ended[game]) {
                returns[game] = vector.returnSoFar(game);
                lengths[game] = vector.lengthSoFar(game);
                cutOff++;
            }
        }
        SortedMap<String, Double> scores = EpisodeReturns.scores(returns, lengths);
        scores.put(EpisodeReturns.CUT_OFF, (double) cutOff);
        return scores;
    }

    @Override
    public void play(Parameters parameters, long seed, int count, Consumer<BufferedImage> frames) {
        AgentVector vector = games.apply(1);
        try (BoundProgram bound = bound(parameters)) {
            int[] ended = new int[1];
            vector.listen((game, ret, length) -> {
                ended[0]++;
                frames.accept(picture(vector)); // as it ended: the vector resets in the same step
            });
            Choice choice = byPolicy(bound, Pcg64.of(0)); // the best policy draws nothing
            for (int i = 0; i < count; i++) {
                int before = ended[0];
                vector.reset(0, SeedSequence.of(seed).child(i));
                for (long step = 0; step < EpisodeReturns.LONGEST && ended[0] == before; step++) {
                    frames.accept(picture(vector));
                    choice.choose(vector, step);
                    vector.step();
                }
            }
        } finally {
            vector.close();
        }
    }

    private static BufferedImage picture(AgentVector vector) {
        return EnvironmentPicture.of(vector.environment(0), WIDTH, WIDTH);
    }

    @Override
    public int milliseconds() {
        return 100;
    }
}
