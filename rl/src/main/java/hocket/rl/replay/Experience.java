package hocket.rl.replay;

import hocket.programs.BoundProgram;
import hocket.programs.Program;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.Policy;
import hocket.rl.actors.Worlds;
import hocket.schedulers.Inheriting;
import hocket.schedulers.Limits;
import hocket.schedulers.Run;
import hocket.schedulers.State;
import hocket.schedulers.Turn;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;

/**
 * A turn of Java that steps environments and puts what happened into a replay: at first some steps of chance alone, then a
 * few steps each time by the policy as it is now, with exploration. A return of n steps goes in once they have happened, or
 * the episode has ended. The replay holds all as the environments gave it, and normalises what is drawn from it as the
 * statistics stand then, where these worlds normalise.
 *
 * <p>It reports {@code steps}, {@code episode_return} and {@code episode_length}. Its state are the environments and the
 * steps that still wait for their return; the replay is saved as a source.
 */
public final class Experience implements Turn.Action, Inheriting {
    private final Worlds worlds;
    private final Policy policy;
    private final Exploration exploration;
    private final Replay replay;
    private final int atFirst;
    private final int each;
    private final int nSteps;
    private final double gamma;
    private final int count;
    private final int observationWidth;
    private final int actionWidth;
    private final float[] chosen;
    /** For each environment the last n steps of its episode: observation, action, reward. */
    private final float[] waitingObservations;

    private final float[] waitingActions;
    private final float[] waitingRewards;
    private final int[] waiting;
    private boolean hasRoom;

    /**
     * Experience of these worlds.
     *
     * @param atFirst environment steps of chance in the first turn, before its others
     * @param each steps in each environment of a turn, at least 1
     * @param nSteps of a return, at least 1
     * @param gamma discount of a step
     */
    public Experience(
            Worlds worlds,
            Policy policy,
            Exploration exploration,
            Replay replay,
            int atFirst,
            int each,
            int nSteps,
            double gamma) {
        if (nSteps < 1 || each < 1) {
            throw new IllegalArgumentException(
                    "experience: steps must be at least 1, were " + each + " a turn and " + nSteps + " a return");
        }
        this.worlds = worlds;
        this.policy = policy;
        this.exploration = exploration;
        this.replay = replay;
        this.atFirst = atFirst;
        this.each = each;
        this.nSteps = nSteps;
        this.gamma = gamma;
        count = worlds.count();
        observationWidth = worlds.observationSpace().width();
        actionWidth = worlds.actionSpace().width();
        chosen = new float[count * actionWidth];
        waitingObservations = new float[waiting("observations", observationWidth)];
        waitingActions = new float[waiting("actions", actionWidth)];
        waitingRewards = new float[count * nSteps];
        waiting = new int[count];
        replay.comesFrom(worlds);
    }

    /** Elements of the part of the transitions that wait for their return's steps. */
    private int waiting(String part, int width) {
        return Limits.elements("experience: " + part + " of environments and steps of a return", count, nSteps, width);
    }

    @Override
    public void act(Run run) {
        if (!hasRoom) {
            replay.requireRoom();
            hasRoom = true;
        }
        worlds.begin(run);
        while (worlds.steps() < atFirst) {
            Exploration.atRandom(worlds.actionSpace(), chosen, count, worlds.random());
            step();
        }
        BoundProgram bound = run.bind(policy.program());
        for (int i = 0; i < each; i++) {
            policy.act(bound, worlds.observations(), count, worlds.steps(), worlds.random(), chosen);
            exploration.explore(worlds.actionSpace(), chosen, count, worlds.steps(), worlds.random());
            step();
        }
        worlds.report(run);
    }

    /** Steps all environments by what was chosen. */
    private void step() {
        for (int e = 0; e < count; e++) {
            int at = e * nSteps + waiting[e];
            System.arraycopy(
                    worlds.rawObservations(),
                    e * observationWidth,
                    waitingObservations,
                    at * observationWidth,
                    observationWidth);
            System.arraycopy(chosen, e * actionWidth, waitingActions, at * actionWidth, actionWidth);
        }
        policy.fit().into(worlds.actionSpace(), chosen, worlds.actions(), count);
        worlds.step();
        double[] rewards = worlds.rawRewards();
        for (int e = 0; e < count; e++) {
            waitingRewards[e * nSteps + waiting[e]++] = (float) rewards[e];
            boolean terminated = worlds.terminated()[e];
            boolean ended = terminated || worlds.truncated()[e];
            float[] following = ended ? worlds.rawFinalObservations() : worlds.rawObservations();
            if (ended) {
                while (waiting[e] > 0) {
                    deliver(e, following, terminated);
                }
            } else if (waiting[e] == nSteps) {
                deliver(e, following, false);
            }
        }
    }

    /** The oldest step that waits goes into the replay, with the rewards of all that wait. */
    private void deliver(int e, float[] following, boolean terminated) {
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
                following,
                e,
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
                .with("worlds", worlds.save())
                .with("waiting", Tensor.of(Shape.of(count), counts))
                .with("observations", Tensor.of(Shape.of(waitingObservations.length), waitingObservations))
                .with("actions", Tensor.of(Shape.of(waitingActions.length), waitingActions))
                .with("rewards", Tensor.of(Shape.of(waitingRewards.length), waitingRewards));
    }

    /** What acts: it knows only observations that are normalised as in its training. */
    @Override
    public Program program() {
        return policy.program();
    }

    /** Takes over the statistics by which the other's environments were normalised. */
    @Override
    public void inherit(State saved) {
        worlds.inherit(saved.state("worlds"));
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
        worlds.restore(state.state("worlds"));
        System.arraycopy(observations, 0, waitingObservations, 0, observations.length);
        System.arraycopy(actions, 0, waitingActions, 0, actions.length);
        System.arraycopy(rewards, 0, waitingRewards, 0, rewards.length);
        for (int e = 0; e < count; e++) {
            waiting[e] = (int) counts[e];
        }
    }
}
