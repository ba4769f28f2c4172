package hocket.rl.replay;

import hocket.programs.execution.BoundProgram;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.returns.RolloutLayout;
import hocket.schedulers.settings.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Steps environments for a fixed number of steps by a policy and keeps the rows until the next call. Collectors and
 * actors in other processes share it.
 */
public final class Unroll {
    private final TrainingEnvironments environments;
    private final Policy policy;
    private final float[] chosen;
    private final List<Trajectory.Episode> episodes = new ArrayList<>();
    private final int observationWidth;
    private final int actionWidth;
    private final int maskWidth;
    private int cuts;

    final RolloutLayout layout;
    final float[] observations;
    final float[] actions;
    /** The masks of actions, if the policy keeps to any. */
    final float[] masks;

    final float[] rewards;
    final boolean[] terminated;
    final boolean[] truncated;
    /** The observations that truncated episodes ended in, {@link #cuts} of them. */
    float[] cutOff;

    /**
     * Makes an unroll.
     *
     * @param environments with {@link hocket.rl.envs.Autoreset#SAME_STEP}
     * @param policy the policy that acts
     * @param steps the number of steps in each environment, at least 1
     */
    public Unroll(TrainingEnvironments environments, Policy policy, int steps) {
        this.environments = environments;
        this.policy = policy;
        observationWidth = environments.observationSpace().width();
        actionWidth = environments.actionSpace().width();
        observations = new float[elements("observations", steps, observationWidth)];
        actions = new float[elements("actions", steps, actionWidth)];
        maskWidth = policy.isMasked() ? environments.actionSpace().maskWidth() : 0;
        masks = new float[elements("masks", steps, maskWidth)];
        int rows = elements("rewards", steps, 1);
        layout = RolloutLayout.timeMajor(steps, environments.count());
        rewards = new float[rows];
        terminated = new boolean[rows];
        truncated = new boolean[rows];
        chosen = new float[environments.count() * actionWidth];
        cutOff = new float[environments.count() * observationWidth];
        environments.listen((environment, ret, length) -> episodes.add(new Trajectory.Episode(ret, length)));
    }

    private int elements(String part, int steps, int width) {
        return Limits.elements(
                "trajectory: " + part + " of steps and environments", steps, environments.count(), width);
    }

    /** The number of episodes that were truncated. */
    int cuts() {
        return cuts;
    }

    /**
     * Steps the environments, whose episodes must have started.
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
        int count = layout.environments();
        float[] seen = environments.observations();
        System.arraycopy(seen, 0, observations, row * observationWidth, count * observationWidth);
        if (maskWidth > 0) {
            System.arraycopy(environments.masks(), 0, masks, row * maskWidth, count * maskWidth);
            policy.mask(acting, environments.masks(), count);
        }
        policy.act(acting, seen, count, environments.steps(), environments.random(), chosen);
        System.arraycopy(chosen, 0, actions, row * actionWidth, chosen.length);
        policy.transform().apply(environments.actionSpace(), chosen, environments.actions(), count);
        environments.step();
        double[] paid = environments.rewards();
        for (int e = 0; e < count; e++) {
            rewards[row + e] = (float) paid[e];
            terminated[row + e] = environments.terminated()[e];
            truncated[row + e] = environments.truncated()[e] && !environments.terminated()[e];
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
        System.arraycopy(
                environments.finalObservations(), environment * observationWidth, cutOff, at, observationWidth);
    }

    /**
     * Copies the rows into a trajectory.
     *
     * @param version of the policy that acted
     * @param behaviour an EVAL program of {@code observation}, {@code action} and perhaps {@code mask}, on the parameters that acted, that
     *     gives the log-probability
     */
    public Trajectory trajectory(long version, BoundProgram behaviour) {
        float[] logProbabilities = new float[rewards.length];
        new ProgramEvaluator(behaviour).evaluate(observations, actions, masks, rewards.length, logProbabilities);
        float[] all = Arrays.copyOf(observations, observations.length + environments.count() * observationWidth);
        System.arraycopy(environments.observations(), 0, all, observations.length, all.length - observations.length);
        return new Trajectory(
                version,
                layout.steps(),
                layout.environments(),
                all,
                actions.clone(),
                masks.clone(),
                logProbabilities,
                rewards.clone(),
                terminated.clone(),
                truncated.clone(),
                Arrays.copyOf(cutOff, cuts * observationWidth),
                episodes);
    }
}
