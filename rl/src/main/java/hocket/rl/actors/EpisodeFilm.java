package hocket.rl.actors;

import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentPicture;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.offline.OfflineData;
import hocket.rl.offline.StepArrays;
import hocket.rl.random.SeedSequence;
import hocket.schedulers.evaluation.Film;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.awt.image.BufferedImage;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Renders episodes of a policy frame by frame. An episode is cut off after {@link EpisodeReturns#LONGEST} steps. */
public final class EpisodeFilm implements Film {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 320;

    /** The first of the seed's children of recorded episodes that would have those of evaluated ones. */
    private static final int FIRST_MORE = 2_000_000_000;

    private final Supplier<? extends Environment> environment;
    private final Policy policy;
    private final Optional<VectorNormalisation> normalisation;

    /** @param normalisation of observations in training; not changed */
    public EpisodeFilm(
            Supplier<? extends Environment> environment, Policy policy, Optional<VectorNormalisation> normalisation) {
        this.environment = environment;
        this.policy = policy;
        this.normalisation = normalisation;
    }

    @Override
    public void play(Parameters parameters, long seed, int episodes, Consumer<BufferedImage> frames) {
        try (PolicyRollout rollout = new PolicyRollout(environment.get(), policy, normalisation, parameters)) {
            for (int i = 0; i < episodes; i++) {
                rollout.begin(SeedSequence.of(seed).child(i));
                frames.accept(picture(rollout.environment));
                while (!rollout.ended()) {
                    rollout.step();
                    frames.accept(picture(rollout.environment));
                }
            }
        }
    }

    /** Returns the steps in the layout of {@link OfflineData}, with reference returns of 100 episodes each: random, policy. */
    @Override
    public SortedMap<String, Tensor> steps(Parameters parameters, long seed, int episodes, double random) {
        EpisodeReturns returns = new EpisodeReturns(environment, policy, normalisation, 100);
        double high = EpisodeReturns.MERIT.of(returns.scores(parameters));
        double low = EpisodeReturns.MERIT.of(returns.references(1).get(0).scores());
        try (PolicyRollout rollout = new PolicyRollout(environment.get(), policy, normalisation, parameters)) {
            StepArrays steps = new StepArrays(rollout.environment.observations(), rollout.environment.actions());
            for (int i = 0; i < episodes; i++) {
                rollout.begin(SeedSequence.of(seed).child(i < EpisodeReturns.FIRST_EVALUATED ? i : FIRST_MORE + i));
                while (!rollout.ended()) {
                    float[] seen = observed(rollout.environment);
                    rollout.step(random);
                    boolean terminated = rollout.environment.terminated();
                    steps.add(
                            seen,
                            rollout.action(),
                            rollout.environment.reward(),
                            observed(rollout.environment),
                            terminated,
                            rollout.ended() && !terminated);
                }
            }
            return steps.arrays(low, high);
        }
    }

    private static float[] observed(Environment environment) {
        float[] observation = new float[environment.observations().width()];
        environment.observe(observation, 0);
        return observation;
    }

    private static BufferedImage picture(Environment environment) {
        return EnvironmentPicture.of(environment, WIDTH, HEIGHT);
    }

    @Override
    public int milliseconds() {
        return 20;
    }
}
