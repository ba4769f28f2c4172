package hocket.rl.actors;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.rl.envs.AllowedActions;
import hocket.rl.envs.CheckedEnvironment;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.envs.wrappers.OneHotObservations;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.scopes.Parameters;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Runs a policy in one environment, episode after episode, outside of training. An episode is cut off after {@link
 * EpisodeReturns#LONGEST} steps, because a deterministic policy may never end one without a time limit.
 */
final class PolicyRollout implements AutoCloseable {
    final Environment environment;
    private final Policy policy;
    private final Optional<VectorNormalisation> normalisation;
    private final BoundProgram bound;
    private final float[] observation;
    private final float[] chosen;
    private final float[] action;
    private final float[] mask;
    private final PolicyMemory memory;
    private final boolean[] isStart = new boolean[1];

    private Pcg64 random = Pcg64.of(0);
    private long steps;
    private int episodeSteps;

    PolicyRollout(
            Environment environment,
            Policy policy,
            Optional<VectorNormalisation> normalisation,
            Parameters parameters) {
        this.environment = OneHotObservations.ofWholeNumbers(CheckedEnvironment.unlessBuiltIn(environment));
        this.policy = policy;
        this.normalisation = normalisation;
        bound = new BoundProgram(
                policy.program(), parameters, Lowering.of(policy.program()), 1, new TreeSet<>(), "play/");
        observation = new float[this.environment.observations().width()];
        chosen = new float[environment.actions().width()];
        action = new float[chosen.length];
        mask = new float[policy.isMasked() ? environment.actions().maskWidth() : 0];
        memory = new PolicyMemory(policy, 1);
    }

    /**
     * Starts an episode from a seed. The policy samples from a child seed, so the environment's draws do not depend on
     * it.
     */
    void begin(SeedSequence seed) {
        random = Pcg64.of(seed.child(0));
        environment.reset(Pcg64.of(seed));
        episodeSteps = 0;
    }

    boolean ended() {
        return hasEnded() || episodeSteps >= EpisodeReturns.LONGEST;
    }

    /** Returns whether the episode was truncated because it was too long. */
    boolean isCutOff() {
        return ended() && !hasEnded();
    }

    private boolean hasEnded() {
        return environment.terminated() || environment.truncated();
    }

    void step() {
        choose();
        play();
    }

    /** Takes an action that is drawn at random with a probability, else the policy's. */
    void step(double share) {
        choose();
        if (random.random() < share) {
            System.arraycopy(AllowedActions.sample(environment, random), 0, action, 0, action.length);
        }
        play();
    }

    /** Returns the action that was taken last, as the environment received it. */
    float[] action() {
        return action.clone();
    }

    private void choose() {
        environment.observe(observation, 0);
        normalisation.ifPresent(each -> each.normalise(observation));
        isStart[0] = episodeSteps == 0;
        memory.feed(bound, isStart);
        if (mask.length > 0) {
            environment.mask(mask, 0);
            policy.mask(bound, mask, 1);
        }
        policy.act(bound, observation, 1, steps++, random, chosen);
        memory.take(bound);
        policy.transform().apply(environment.actions(), chosen, action, 1);
    }

    private void play() {
        environment.step(action, 0);
        episodeSteps++;
    }

    @Override
    public void close() {
        EnvironmentChecks.close(environment);
        bound.close();
    }
}
