package hocket.rl.actors;

import hocket.programs.execution.BoundProgram;
import hocket.rl.envs.CheckedEnvironment;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.envs.wrappers.OneHotObservations;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.schedulers.Run;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Parameters;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Plays whole episodes of a policy whose weights change in between. All candidates of a generation play episodes of the same
 * seeds, so their returns differ by the weights alone (common random numbers). An episode of more than {@link
 * EpisodeReturns#LONGEST} steps is cut off.
 */
public final class CandidateEpisodes implements Stateful {
    /** The child of the run's seed whose children seed the episodes. */
    private static final int SEEDS = 2;

    private final List<Environment> environments;
    private final Policy policy;
    private final EpisodeStatistics statistics = new EpisodeStatistics();
    private final float[] observations;
    private final float[] masks;
    private final float[] chosen;
    private final float[] actions;
    private final double[] returns;
    private final int[] lengths;

    /**
     * Makes the episodes of a policy without a memory.
     *
     * @param environment makes one
     * @param episodes number of episodes of a candidate, which are stepped together; at least 1
     */
    public CandidateEpisodes(Supplier<Environment> environment, Policy policy, int episodes) {
        environments = Stream.generate(environment)
                .limit(episodes)
                .map(CheckedEnvironment::unlessBuiltIn)
                .map(OneHotObservations::ofWholeNumbers)
                .toList();
        this.policy = policy;
        Environment first = environments.get(0);
        observations = new float[episodes * first.observations().width()];
        masks = new float[policy.isMasked() ? episodes * first.actions().maskWidth() : 0];
        chosen = new float[episodes * first.actions().width()];
        actions = new float[chosen.length];
        returns = new double[episodes];
        lengths = new int[episodes];
    }

    /** Returns the stream of random numbers of a generation, for candidates. */
    public static Pcg64 noise(Parameters parameters, long generation) {
        return Pcg64.of(seed(parameters).child(SEEDS + 1).child(Math.toIntExact(generation)));
    }

    private static SeedSequence seed(Parameters parameters) {
        return SeedSequence.of(NumpySeed.of(parameters.streams()));
    }

    /** Returns the mean return of a generation's episodes by the policy with its weights as they are. */
    public double play(Run run, long generation) {
        BoundProgram bound = run.bind(policy.program());
        int count = environments.size();
        SeedSequence seeds = seed(run.parameters()).child(SEEDS).child(Math.toIntExact(generation));
        for (int e = 0; e < count; e++) {
            environments.get(e).reset(Pcg64.of(seeds.child(e)));
        }
        Pcg64 random = Pcg64.of(seeds.child(count));
        Arrays.fill(returns, 0);
        Arrays.fill(lengths, 0);
        for (int step = 0;
                step < EpisodeReturns.LONGEST && !environments.stream().allMatch(CandidateEpisodes::hasEnded);
                step++) {
            observe();
            if (masks.length > 0) {
                policy.mask(bound, masks, count);
            }
            policy.act(bound, observations, count, step, random, chosen);
            policy.transform().apply(environments.get(0).actions(), chosen, actions, count);
            step();
        }
        for (int e = 0; e < count; e++) {
            statistics.addSteps(lengths[e]);
            statistics.addEpisode(returns[e], lengths[e]);
        }
        return Arrays.stream(returns).sum() / count;
    }

    private static boolean hasEnded(Environment environment) {
        return environment.terminated() || environment.truncated();
    }

    private void observe() {
        for (int e = 0; e < environments.size(); e++) {
            Environment environment = environments.get(e);
            if (!hasEnded(environment)) {
                environment.observe(observations, e * environment.observations().width());
                if (masks.length > 0) {
                    environment.mask(masks, e * environment.actions().maskWidth());
                }
            }
        }
    }

    private void step() {
        for (int e = 0; e < environments.size(); e++) {
            Environment environment = environments.get(e);
            if (!hasEnded(environment)) {
                environment.step(actions, e * environment.actions().width());
                returns[e] += environment.reward();
                lengths[e]++;
            }
        }
    }

    /** Reports steps, and the mean return and length of the last episodes. */
    public void report(Run run) {
        statistics.report(run);
    }

    @Override
    public State save() {
        return statistics.save();
    }

    @Override
    public void restore(State state) {
        statistics.restore(state);
    }

    /** Closes the environments. */
    public void close() {
        environments.forEach(EnvironmentChecks::close);
    }
}
