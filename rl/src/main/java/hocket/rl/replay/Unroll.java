package hocket.rl.replay;

import hocket.programs.BoundProgram;
import hocket.rl.actors.Policy;
import hocket.rl.actors.Worlds;
import hocket.rl.returns.Layout;
import hocket.schedulers.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Steps environments for a number of steps by a policy, and keeps what happened until the next time: what turns that collect
 * have in common, and all that an actor elsewhere does.
 */
public final class Unroll {
    private final Worlds worlds;
    private final Policy policy;
    private final float[] chosen;
    private final List<Trajectory.Episode> episodes = new ArrayList<>();
    private final int observationWidth;
    private final int actionWidth;
    private int cuts;

    final Layout layout;
    final float[] observations;
    final float[] actions;
    final float[] rewards;
    final boolean[] terminated;
    final boolean[] truncated;
    /** The observations that truncated episodes ended in, {@link #cuts} of them. */
    float[] cutOff;

    /**
     * Of so many steps in each environment.
     *
     * @param worlds that are stepped; they begin the next episode at once
     * @param policy that acts
     * @param steps in each environment, at least 1
     */
    public Unroll(Worlds worlds, Policy policy, int steps) {
        this.worlds = worlds;
        this.policy = policy;
        observationWidth = worlds.observationSpace().width();
        actionWidth = worlds.actionSpace().width();
        observations = new float[elements("observations", steps, observationWidth)];
        actions = new float[elements("actions", steps, actionWidth)];
        int rows = elements("rewards", steps, 1);
        layout = Layout.timeMajor(steps, worlds.count());
        rewards = new float[rows];
        terminated = new boolean[rows];
        truncated = new boolean[rows];
        chosen = new float[worlds.count() * actionWidth];
        cutOff = new float[worlds.count() * observationWidth];
        worlds.listen((environment, ret, length) -> episodes.add(new Trajectory.Episode(ret, length)));
    }

    private int elements(String part, int steps, int width) {
        return Limits.elements("trajectory: " + part + " of steps and environments", steps, worlds.count(), width);
    }

    /** How many episodes were cut off. */
    int cuts() {
        return cuts;
    }

    /**
     * Steps the environments, which have begun.
     *
     * @param acting the policy's program on a store
     */
    public void step(BoundProgram acting) {
        cuts = 0;
        episodes.clear();
        for (int t = 0; t < layout.steps(); t++) {
            step(acting, t * layout.environments());
        }
    }

    private void step(BoundProgram acting, int row) {
        int environments = layout.environments();
        float[] seen = worlds.observations();
        System.arraycopy(seen, 0, observations, row * observationWidth, environments * observationWidth);
        policy.act(acting, seen, environments, worlds.steps(), worlds.random(), chosen);
        System.arraycopy(chosen, 0, actions, row * actionWidth, chosen.length);
        policy.fit().into(worlds.actionSpace(), chosen, worlds.actions(), environments);
        worlds.step();
        for (int e = 0; e < environments; e++) {
            rewards[row + e] = (float) worlds.rewards()[e];
            terminated[row + e] = worlds.terminated()[e];
            truncated[row + e] = worlds.truncated()[e] && !worlds.terminated()[e];
            if (truncated[row + e]) {
                keepCutOff(e);
            }
        }
    }

    private void keepCutOff(int environment) {
        int at = cuts++ * observationWidth;
        if (at == cutOff.length) {
            cutOff = Arrays.copyOf(cutOff, 2 * at);
        }
        System.arraycopy(worlds.finalObservations(), environment * observationWidth, cutOff, at, observationWidth);
    }

    /**
     * A copy of what happened.
     *
     * @param version of the policy that acted
     * @param behaviour an EVAL program of {@code observation} and {@code action}, on the parameters that acted, that gives the
     *     log-probability
     */
    public Trajectory trajectory(long version, BoundProgram behaviour) {
        float[] logProbabilities = new float[rewards.length];
        new Judge(behaviour, observationWidth, actionWidth)
                .judge(observations, actions, rewards.length, logProbabilities);
        float[] all = Arrays.copyOf(observations, observations.length + worlds.count() * observationWidth);
        System.arraycopy(worlds.observations(), 0, all, observations.length, all.length - observations.length);
        return new Trajectory(
                version,
                layout.steps(),
                layout.environments(),
                all,
                actions.clone(),
                logProbabilities,
                rewards.clone(),
                terminated.clone(),
                truncated.clone(),
                Arrays.copyOf(cutOff, cuts * observationWidth),
                episodes);
    }
}
