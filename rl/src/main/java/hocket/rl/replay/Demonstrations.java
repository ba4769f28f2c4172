package hocket.rl.replay;

import hocket.rl.actors.EpisodeReturns;
import hocket.rl.actors.Expert;
import hocket.rl.actors.Policy;
import hocket.rl.envs.Checked;
import hocket.rl.envs.Discrete;
import hocket.rl.envs.Environment;
import hocket.rl.envs.OneHot;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.SeedSequence;
import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What an expert did where: rows {@code observation} and {@code action} of whole episodes, one behind the other. A discrete
 * action is its index, from 0; others are as the environment took them.
 *
 * @param rows all steps
 * @param returns of the episodes
 */
public record Demonstrations(Rows rows, List<Double> returns) {
    public Demonstrations {
        returns = List.copyOf(returns);
    }

    /**
     * Records an expert.
     *
     * @param environment makes the one that is played in
     * @param episodes how many, at least 1
     * @param seed of all, at least 0; each begins by a child of it
     * @throws IllegalArgumentException if there is no episode to record, the expert is not for that environment, or
     *     an episode does not end within
     *     {@link EpisodeReturns#LONGEST} steps
     */
    public static Demonstrations of(
            Supplier<? extends Environment> environment, Expert expert, int episodes, long seed) {
        if (episodes < 1) {
            throw new IllegalArgumentException("demonstrations: episodes must be at least 1, was " + episodes);
        }
        Environment world = OneHot.ofNumbers(Checked.unlessBuiltIn(environment.get()));
        expert.require(world);
        int observationWidth = world.observations().width();
        int actionWidth = world.actions().width();
        List<float[]> observations = new ArrayList<>();
        List<float[]> actions = new ArrayList<>();
        List<Double> returns = new ArrayList<>();
        for (int i = 0; i < episodes; i++) {
            Pcg64 random = Pcg64.of(SeedSequence.of(seed).child(i));
            world.reset(random);
            Pcg64 chance = Pcg64.of(SeedSequence.of(seed).child(i).child(0));
            int before = actions.size();
            double sum = 0;
            while (!world.terminated() && !world.truncated()) {
                float[] seen = new float[observationWidth];
                float[] done = new float[actionWidth];
                world.observe(seen, 0);
                expert.act(seen, chance, done);
                world.step(done, 0);
                sum += world.reward();
                observations.add(seen);
                actions.add(done);
                if (actions.size() - before > EpisodeReturns.LONGEST) {
                    throw new IllegalArgumentException("demonstrations: episode " + (i + 1) + " of " + world.name()
                            + " must end, has not in " + EpisodeReturns.LONGEST + " steps");
                }
            }
            returns.add(sum);
        }
        Tensor seen = Tensor.of(Shape.of(observations.size(), observationWidth), flat(observations, observationWidth));
        return new Demonstrations(Rows.of(Policy.OBSERVATION, seen).and("action", actions(world, actions)), returns);
    }

    private static Tensor actions(Environment world, List<float[]> actions) {
        if (world.actions() instanceof Discrete discrete) {
            long[] indices = actions.stream()
                    .mapToLong(action -> (long) action[0] - discrete.start())
                    .toArray();
            return Tensor.of(Shape.of(indices.length), indices);
        }
        int width = world.actions().width();
        return Tensor.of(Shape.of(actions.size(), width), flat(actions, width));
    }

    private static float[] flat(List<float[]> rows, int width) {
        float[] all = new float[rows.size() * width];
        for (int i = 0; i < rows.size(); i++) {
            System.arraycopy(rows.get(i), 0, all, i * width, width);
        }
        return all;
    }

    /**
     * Batches of steps in a new random order each epoch, for inputs {@code observation} and {@code action}; the source is
     * called {@code demonstrations}.
     *
     * @throws IllegalArgumentException if there are not so many steps
     */
    public Source batches(int batch) {
        return batches("batch", batch);
    }

    /**
     * The same.
     *
     * @param setting that says how many steps a batch has, for messages
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
