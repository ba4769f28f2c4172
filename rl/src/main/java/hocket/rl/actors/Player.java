package hocket.rl.actors;

import hocket.programs.BoundProgram;
import hocket.programs.Lowering;
import hocket.rl.envs.Checked;
import hocket.rl.envs.Environment;
import hocket.rl.envs.OneHot;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.SeedSequence;
import hocket.rl.envs.VectorNormalisation;
import hocket.scopes.Parameters;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A policy in one environment, episode after episode, outside of training. An episode is cut off after
 * {@link EpisodeReturns#LONGEST} steps: a policy that always does the same would never end some that have no time limit.
 */
final class Player implements AutoCloseable {
    private final Environment environment;
    private final Policy policy;
    private final Optional<VectorNormalisation> normalisation;
    private final BoundProgram bound;
    private final float[] observation;
    private final float[] chosen;
    private final float[] action;
    private Pcg64 random = Pcg64.of(0);
    private long steps;
    private int played;

    Player(Environment environment, Policy policy, Optional<VectorNormalisation> normalisation, Parameters parameters) {
        this.environment = OneHot.ofNumbers(Checked.unlessBuiltIn(environment));
        this.policy = policy;
        this.normalisation = normalisation;
        bound = new BoundProgram(
                policy.program(), parameters, Lowering.of(policy.program()), 1, new TreeSet<>(), "play/");
        observation = new float[this.environment.observations().width()];
        chosen = new float[environment.actions().width()];
        action = new float[chosen.length];
    }

    Environment environment() {
        return environment;
    }

    /** Begins an episode by a seed; the policy draws by a child of it, so that the world's chances are its own. */
    void begin(SeedSequence seed) {
        random = Pcg64.of(seed.child(0));
        environment.reset(Pcg64.of(seed));
        played = 0;
    }

    boolean ended() {
        return hasEnded() || played >= EpisodeReturns.LONGEST;
    }

    /** Whether the episode is over only because it was too long. */
    boolean isCutOff() {
        return ended() && !hasEnded();
    }

    private boolean hasEnded() {
        return environment.terminated() || environment.truncated();
    }

    void step() {
        environment.observe(observation, 0);
        normalisation.ifPresent(each -> each.normalise(observation));
        policy.act(bound, observation, 1, steps++, random, chosen);
        policy.fit().into(environment.actions(), chosen, action, 1);
        environment.step(action, 0);
        played++;
    }

    @Override
    public void close() {
        bound.close();
    }
}
