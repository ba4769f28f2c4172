package hocket.rl.replay;

import hocket.rl.actors.EpisodeReturns;
import hocket.rl.actors.Expert;
import hocket.rl.actors.Policy;
import hocket.rl.envs.AllowedActions;
import hocket.rl.envs.CheckedEnvironment;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.envs.wrappers.OneHotObservations;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Demonstrations of an expert: rows {@code observation} and {@code action} of whole episodes, one after the other, and
 * {@code mask} of the actions that were allowed where an environment forbids any. A discrete action is its index, from 0;
 * other actions are as the environment received them.
 *
 * @param rows all steps
 * @param returns the return of each episode
 */
public record Demonstrations(Rows rows, List<Double> returns) {
    public Demonstrations {
        returns = List.copyOf(returns);
    }

    /**
     * Records episodes of an expert.
     *
     * @param environments makes the environment
     * @param episodes the number of episodes, at least 1
     * @param seed at least 0; its children seed the episodes
     * @throws IllegalArgumentException if episodes is below 1, the expert cannot act in that environment or takes an
     *     action that is not allowed, or an episode does not end within {@link EpisodeReturns#LONGEST} steps
     */
    public static Demonstrations of(
            Supplier<? extends Environment> environments, Expert expert, int episodes, long seed) {
        if (episodes < 1) {
            throw new IllegalArgumentException("demonstrations: episodes must be at least 1, was " + episodes);
        }
        Environment environment =
                OneHotObservations.ofWholeNumbers(CheckedEnvironment.unlessBuiltIn(environments.get()));
        try {
            return of(environment, expert, episodes, seed);
        } finally {
            EnvironmentChecks.close(environment);
        }
    }

    private static Demonstrations of(Environment environment, Expert expert, int episodes, long seed) {
        expert.require(environment);
        int observationWidth = environment.observations().width();
        int actionWidth = environment.actions().width();
        int maskWidth = environment.masks() ? environment.actions().maskWidth() : 0;
        List<float[]> masks = new ArrayList<>();
        List<float[]> observations = new ArrayList<>();
        List<float[]> actions = new ArrayList<>();
        List<Double> returns = new ArrayList<>();
        for (int i = 0; i < episodes; i++) {
            Pcg64 random = Pcg64.of(SeedSequence.of(seed).child(i));
            environment.reset(random);
            Pcg64 actionRandom = Pcg64.of(SeedSequence.of(seed).child(i).child(0));
            int before = actions.size();
            double sum = 0;
            while (!environment.terminated() && !environment.truncated()) {
                float[] observation = new float[observationWidth];
                float[] action = new float[actionWidth];
                environment.observe(observation, 0);
                expert.act(observation, actionRandom, action);
                if (maskWidth > 0) {
                    masks.add(mask(
                            environment, action, "step " + (actions.size() - before + 1) + " of episode " + (i + 1)));
                }
                environment.step(action, 0);
                sum += environment.reward();
                observations.add(observation);
                actions.add(action);
                if (actions.size() - before > EpisodeReturns.LONGEST) {
                    throw new IllegalArgumentException("demonstrations: episode " + (i + 1) + " of "
                            + environment.name() + " must end, has not in " + EpisodeReturns.LONGEST + " steps");
                }
            }
            returns.add(sum);
        }
        Tensor observation = Tensor.of(
                environment.observations().shape().prepend(observations.size()), flat(observations, observationWidth));
        Rows rows = Rows.of(Policy.OBSERVATION, observation).and("action", actions(environment, actions));
        return new Demonstrations(
                maskWidth == 0
                        ? rows
                        : rows.and(Policy.MASK, Tensor.of(Shape.of(masks.size(), maskWidth), flat(masks, maskWidth))),
                returns);
    }

    /** Returns the actions that are allowed, one of which the expert takes. */
    private static float[] mask(Environment environment, float[] action, String place) {
        if (!AllowedActions.isAllowed(environment, action, 0)) {
            throw new IllegalArgumentException("demonstrations: the expert takes an action that " + environment.name()
                    + " does not allow, " + Arrays.toString(action) + ", in " + place);
        }
        float[] mask = new float[environment.actions().maskWidth()];
        environment.mask(mask, 0);
        return mask;
    }

    private static Tensor actions(Environment environment, List<float[]> actions) {
        Space space = environment.actions();
        float[] all = flat(actions, space.width());
        Shape shape = space.actionShape().prepend(actions.size());
        if (space.type() == ElementType.FLOAT32) {
            return Tensor.of(shape, all);
        }
        int start = space instanceof Discrete discrete ? discrete.start() : 0;
        long[] indices = new long[all.length];
        for (int i = 0; i < all.length; i++) {
            indices[i] = (long) all[i] - start;
        }
        return Tensor.of(shape, indices);
    }

    private static float[] flat(List<float[]> rows, int width) {
        float[] all = new float[rows.size() * width];
        for (int i = 0; i < rows.size(); i++) {
            System.arraycopy(rows.get(i), 0, all, i * width, width);
        }
        return all;
    }

    /** Returns the names of its rows with a prefix, for {@link Source#feeding}. */
    public List<String> columns(String prefix) {
        return rows.columns().stream().map(each -> prefix + each.name()).toList();
    }

    /**
     * Batches of steps in a new random order each epoch, for inputs of the names of its rows; the source
     * is called {@code demonstrations}.
     *
     * @throws IllegalArgumentException if there are fewer steps than a batch needs
     */
    public Source batches(int batch) {
        return batches("batch", batch);
    }

    /**
     * Batches of steps, as {@link #batches(int)}.
     *
     * @param setting the name of the setting of the batch size, for messages
     */
    public Source batches(String setting, int batch) {
        if (batch > rows.count()) {
            throw new IllegalArgumentException("demonstrations: must hold at least as many steps as " + setting
                    + " takes, " + batch + ", hold " + rows.count() + " in " + returns.size()
                    + (returns.size() == 1 ? " episode" : " episodes"));
        }
        return rows.batches("demonstrations", batch);
    }
}
