package hocket.rl.replay;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.StateArrays;
import hocket.rl.sampling.Sampler;
import hocket.rl.spaces.Space;
import hocket.schedulers.Source.Column;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Transitions of n steps as rows of a replay: columns {@code observation} (w), {@code action} (() of INT64, an index from 0,
 * where actions are discrete, else (a)), {@code reward} (), {@code next_observation} (w) and {@code discount} (), the factor
 * of the next observation's value: 0 where the episode terminated. The reward is the discounted sum of up to n steps, and
 * the next observation the one after them; a row is added once its steps have happened, or the episode has ended. A masked
 * one has {@code next_mask} (n) too.
 *
 * <p>The saved state holds the steps that still wait for their return.
 */
public final class Transitions implements StepRecorder {
    private static final int OBSERVATION = 0;
    private static final int ACTION = 1;
    private static final int REWARD = 2;
    private static final int NEXT = 3;
    private static final int DISCOUNT = 4;
    private static final int MASK = 5;

    private final Replay replay;
    private final boolean isMasked;
    private final int nSteps;
    private final double gamma;
    private final int count;
    private final int observationWidth;
    private final int actionWidth;

    /** The last n steps of each environment's episode: observation, action, reward. */
    private final float[] waitingObservations;

    private final float[] waitingActions;
    private final float[] waitingRewards;
    private final int[] waiting;

    /** Masks that allow all actions, of terminal observations. */
    private final float[] unmasked;

    /**
     * Makes transitions of environments.
     *
     * @param replay of {@link #replay(Space, Space, int, int, boolean, Sampler)}
     * @param nSteps the n of n-step returns, at least 1
     * @param gamma the discount of a step
     */
    public Transitions(TrainingEnvironments all, Replay replay, int nSteps, double gamma) {
        if (nSteps < 1) {
            throw new IllegalArgumentException("experience: steps of a return must be at least 1, were " + nSteps);
        }
        this.replay = replay;
        this.nSteps = nSteps;
        this.gamma = gamma;
        isMasked = replay.keptColumns() > MASK;
        count = all.count();
        observationWidth = all.observationSpace().width();
        actionWidth = all.actionSpace().width();
        waitingObservations = new float[waiting("observations", observationWidth)];
        waitingActions = new float[waiting("actions", actionWidth)];
        waitingRewards = new float[count * nSteps];
        waiting = new int[count];
        unmasked = new float[isMasked ? count * all.actionSpace().maskWidth() : 0];
        Arrays.fill(unmasked, 1);
    }

    /** The number of elements that one column of the waiting steps needs. */
    private int waiting(String part, int width) {
        return Limits.elements("experience: " + part + " of environments and steps of a return", count, nSteps, width);
    }

    /** Makes an empty replay of transitions that are drawn uniformly. */
    public static Replay replay(Space observations, Space actions, int capacity, int batch) {
        return replay(observations, actions, capacity, batch, false, Sampler.uniform());
    }

    /**
     * Makes an empty replay of transitions.
     *
     * @param capacity the number that is kept, at least 1
     * @param batch the rows of a sample, at least 1
     * @param isMasked whether a row also has {@code next_mask} (n), the actions that are allowed at the next observation
     * @param sampler draws the rows
     */
    public static Replay replay(
            Space observations, Space actions, int capacity, int batch, boolean isMasked, Sampler sampler) {
        Column observation = SpaceColumns.observation(observations);
        Replay.Kind seen = Replay.Kind.of(observations);
        List<Replay.Kept> kept = new ArrayList<>(List.of(
                new Replay.Kept(observation, seen),
                new Replay.Kept(SpaceColumns.action(actions), Replay.Kind.NUMBER),
                new Replay.Kept(number("reward"), Replay.Kind.REWARD),
                new Replay.Kept(observation.with("next_observation", observation.shape()), seen),
                new Replay.Kept(number("discount"), Replay.Kind.NUMBER)));
        if (isMasked) {
            Column mask = SpaceColumns.mask(actions);
            kept.add(new Replay.Kept(mask.with("next_mask", mask.shape()), Replay.Kind.FLAG));
        }
        return new Replay(kept, capacity, batch, sampler);
    }

    private static Column number(String name) {
        return new Column(name, Shape.of(), ElementType.FLOAT32);
    }

    /**
     * Adds a transition to a replay of transitions. Each array holds rows one after the other.
     *
     * @param row the row's index in observations and actions
     * @param reward of the step, or of n steps
     * @param nextRow the row's index in next observations and next masks
     * @param nextMasks the actions that are allowed at the next observation; not read without such a column
     * @param discount the factor of the next observation's value; 0 where the episode terminated
     */
    public static void add(
            Replay replay,
            float[] observations,
            float[] actions,
            int row,
            float reward,
            float[] nextObservations,
            float[] nextMasks,
            int nextRow,
            float discount) {
        replay.set(OBSERVATION, observations, row);
        replay.set(ACTION, actions, row);
        replay.set(REWARD, reward);
        replay.set(NEXT, nextObservations, nextRow);
        replay.set(DISCOUNT, discount);
        if (replay.keptColumns() > MASK) {
            replay.set(MASK, nextMasks, nextRow);
        }
        replay.add();
    }

    @Override
    public Replay replay() {
        return replay;
    }

    @Override
    public void acted(TrainingEnvironments all, float[] actions, float[] memory) {
        for (int e = 0; e < count; e++) {
            int at = e * nSteps + waiting[e];
            System.arraycopy(
                    all.rawObservations(),
                    e * observationWidth,
                    waitingObservations,
                    at * observationWidth,
                    observationWidth);
            System.arraycopy(actions, e * actionWidth, waitingActions, at * actionWidth, actionWidth);
        }
    }

    @Override
    public void stepped(TrainingEnvironments all) {
        double[] rewards = all.rawRewards();
        for (int e = 0; e < count; e++) {
            waitingRewards[e * nSteps + waiting[e]++] = (float) rewards[e];
            boolean terminated = all.terminated()[e];
            boolean ended = terminated || all.truncated()[e];
            float[] next = ended ? all.rawFinalObservations() : all.rawObservations();
            float[] nextMasks = !isMasked || terminated ? unmasked : ended ? all.finalMasks() : all.masks();
            if (ended) {
                while (waiting[e] > 0) {
                    addOldest(e, next, nextMasks, terminated);
                }
            } else if (waiting[e] == nSteps) {
                addOldest(e, next, nextMasks, false);
            }
        }
    }

    /** Adds the oldest waiting step, with the rewards of all waiting steps. */
    private void addOldest(int e, float[] next, float[] nextMasks, boolean terminated) {
        double reward = 0;
        double discount = 1;
        int first = e * nSteps;
        for (int i = 0; i < waiting[e]; i++) {
            reward += discount * waitingRewards[first + i];
            discount *= gamma;
        }
        float factor = terminated ? 0 : (float) discount;
        add(replay, waitingObservations, waitingActions, first, (float) reward, next, nextMasks, e, factor);
        waiting[e]--;
        int left = waiting[e];
        System.arraycopy(
                waitingObservations,
                (first + 1) * observationWidth,
                waitingObservations,
                first * observationWidth,
                left * observationWidth);
        System.arraycopy(
                waitingActions, (first + 1) * actionWidth, waitingActions, first * actionWidth, left * actionWidth);
        System.arraycopy(waitingRewards, first + 1, waitingRewards, first, left);
    }

    @Override
    public State save() {
        double[] counts = IntStream.of(waiting).asDoubleStream().toArray();
        return State.empty()
                .with("waiting", StateArrays.tensor(counts))
                .with("observations", StateArrays.tensor(waitingObservations))
                .with("actions", StateArrays.tensor(waitingActions))
                .with("rewards", StateArrays.tensor(waitingRewards));
    }

    @Override
    public Runnable restoring(State state) {
        double[] counts = state.tensor("waiting").doubles();
        float[] observations = state.tensor("observations").floats();
        float[] actions = state.tensor("actions").floats();
        float[] rewards = state.tensor("rewards").floats();
        if (counts.length != count
                || observations.length != waitingObservations.length
                || actions.length != waitingActions.length
                || rewards.length != waitingRewards.length) {
            throw new IllegalArgumentException("experience: was saved of " + counts.length + " environments and "
                    + rewards.length + " steps, here it has " + count + " and " + waitingRewards.length);
        }
        for (double each : counts) {
            if (each != Math.rint(each) || each < 0 || each >= nSteps) {
                throw new IllegalArgumentException("experience: was saved with " + each
                        + " steps that wait for their return, there can be 0 to " + (nSteps - 1));
            }
        }
        return () -> {
            System.arraycopy(observations, 0, waitingObservations, 0, observations.length);
            System.arraycopy(actions, 0, waitingActions, 0, actions.length);
            System.arraycopy(rewards, 0, waitingRewards, 0, rewards.length);
            Arrays.setAll(waiting, e -> (int) counts[e]);
        };
    }
}
