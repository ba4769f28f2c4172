package hocket.rl.replay;

import hocket.programs.Program;
import hocket.programs.execution.BoundProgram;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.schedulers.Run;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.Inheriting;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;

/**
 * A turn of Java that steps environments and adds transitions to a replay. The first turn also takes a number of random
 * steps; every turn then takes a few steps by the current policy, with exploration. An n-step return is added once its
 * steps have happened, or the episode has ended. The replay holds the original numbers and normalises them when they
 * are sampled, by the environments' statistics at that time.
 *
 * <p>It reports {@code steps}, {@code episode_return} and {@code episode_length}. The saved state holds the
 * environments and the steps that still wait for their n-step return; the replay is saved as a source.
 */
public final class ReplayCollector implements Turn.Action, Inheriting {
    private static final float[] NONE = {};
    private final TrainingEnvironments environments;
    private final Policy policy;
    private final boolean isMasked;
    private final Exploration exploration;
    private final Replay replay;
    private final int randomSteps;
    private final int stepsPerTurn;
    private final int nSteps;
    private final double gamma;
    private final int count;
    private final int observationWidth;
    private final int actionWidth;
    private final float[] chosen;
    /** The last n steps of each environment's episode: observation, action, reward. */
    private final float[] waitingObservations;

    private final float[] waitingActions;
    private final float[] waitingRewards;
    private final int[] waiting;

    /** Masks that allow all actions, of terminal observations. */
    private final float[] unmasked;

    private boolean isRoomChecked;

    /**
     * Makes a collector of these environments.
     *
     * @param randomSteps the number of random environment steps in the first turn, before its others
     * @param stepsPerTurn the number of steps of a turn in each environment, at least 1
     * @param nSteps the n of n-step returns, at least 1
     * @param gamma the discount of a step
     */
    public ReplayCollector(
            TrainingEnvironments environments,
            Policy policy,
            Exploration exploration,
            Replay replay,
            int randomSteps,
            int stepsPerTurn,
            int nSteps,
            double gamma) {
        if (nSteps < 1 || stepsPerTurn < 1) {
            throw new IllegalArgumentException("experience: steps must be at least 1, were " + stepsPerTurn
                    + " a turn and " + nSteps + " a return");
        }
        this.environments = environments;
        this.policy = policy;
        isMasked = policy.isMasked();
        this.exploration = exploration;
        this.replay = replay;
        this.randomSteps = randomSteps;
        this.stepsPerTurn = stepsPerTurn;
        this.nSteps = nSteps;
        this.gamma = gamma;
        count = environments.count();
        observationWidth = environments.observationSpace().width();
        actionWidth = environments.actionSpace().width();
        chosen = new float[count * actionWidth];
        waitingObservations = new float[waiting("observations", observationWidth)];
        waitingActions = new float[waiting("actions", actionWidth)];
        waitingRewards = new float[count * nSteps];
        waiting = new int[count];
        unmasked = new float[count * environments.actionSpace().maskWidth()];
        Arrays.fill(unmasked, 1);
        replay.collectedFrom(environments);
    }

    /** The number of elements that one column of the waiting steps needs. */
    private int waiting(String part, int width) {
        return Limits.elements("experience: " + part + " of environments and steps of a return", count, nSteps, width);
    }

    @Override
    public void act(Run run) {
        if (!isRoomChecked) {
            replay.requireRoom();
            isRoomChecked = true;
        }
        environments.begin(run);
        while (environments.steps() < randomSteps) {
            Exploration.randomActions(environments.actionSpace(), chosen, masks(), count, environments.random());
            step();
        }
        BoundProgram bound = run.bind(policy.program());
        for (int i = 0; i < stepsPerTurn; i++) {
            if (isMasked) {
                policy.mask(bound, environments.masks(), count);
            }
            policy.act(bound, environments.observations(), count, environments.steps(), environments.random(), chosen);
            exploration.explore(
                    environments.actionSpace(), chosen, masks(), count, environments.steps(), environments.random());
            step();
        }
        environments.report(run);
    }

    /** The masks of actions, if the policy keeps to any. */
    private float[] masks() {
        return isMasked ? environments.masks() : NONE;
    }

    /** Steps all environments by the chosen actions. */
    private void step() {
        for (int e = 0; e < count; e++) {
            int at = e * nSteps + waiting[e];
            System.arraycopy(
                    environments.rawObservations(),
                    e * observationWidth,
                    waitingObservations,
                    at * observationWidth,
                    observationWidth);
            System.arraycopy(chosen, e * actionWidth, waitingActions, at * actionWidth, actionWidth);
        }
        policy.transform().apply(environments.actionSpace(), chosen, environments.actions(), count);
        environments.step();
        double[] rewards = environments.rawRewards();
        for (int e = 0; e < count; e++) {
            waitingRewards[e * nSteps + waiting[e]++] = (float) rewards[e];
            boolean terminated = environments.terminated()[e];
            boolean ended = terminated || environments.truncated()[e];
            float[] next = ended ? environments.rawFinalObservations() : environments.rawObservations();
            float[] nextMasks = terminated ? unmasked : ended ? environments.finalMasks() : environments.masks();
            if (ended) {
                while (waiting[e] > 0) {
                    addOldest(e, next, nextMasks, terminated);
                }
            } else if (waiting[e] == nSteps) {
                addOldest(e, next, nextMasks, false);
            }
        }
    }

    /** Adds the oldest waiting step to the replay, with the rewards of all waiting steps. */
    private void addOldest(int e, float[] next, float[] nextMasks, boolean terminated) {
        double reward = 0;
        double discount = 1;
        for (int i = 0; i < waiting[e]; i++) {
            reward += discount * waitingRewards[e * nSteps + i];
            discount *= gamma;
        }
        int first = e * nSteps;
        replay.add(
                waitingObservations,
                first,
                waitingActions,
                first,
                (float) reward,
                next,
                e,
                nextMasks,
                terminated ? 0 : (float) discount);
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
        double[] counts = new double[count];
        for (int e = 0; e < count; e++) {
            counts[e] = waiting[e];
        }
        return State.empty()
                .with("worlds", environments.save())
                .with("waiting", Tensor.of(Shape.of(count), counts))
                .with("observations", Tensor.of(Shape.of(waitingObservations.length), waitingObservations))
                .with("actions", Tensor.of(Shape.of(waitingActions.length), waitingActions))
                .with("rewards", Tensor.of(Shape.of(waitingRewards.length), waitingRewards));
    }

    /** The policy's program, which reads observations normalised as in training. */
    @Override
    public Program program() {
        return policy.program();
    }

    /** Copies the normalisation statistics of the other's environments. */
    @Override
    public void inherit(State saved) {
        environments.inherit(saved.state("worlds"));
    }

    @Override
    public void restore(State state) {
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
        environments.restore(state.state("worlds"));
        System.arraycopy(observations, 0, waitingObservations, 0, observations.length);
        System.arraycopy(actions, 0, waitingActions, 0, actions.length);
        System.arraycopy(rewards, 0, waitingRewards, 0, rewards.length);
        for (int e = 0; e < count; e++) {
            waiting[e] = (int) counts[e];
        }
    }
}
