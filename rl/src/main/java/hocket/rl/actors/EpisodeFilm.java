package hocket.rl.actors;

import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentPicture;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.random.SeedSequence;
import hocket.schedulers.evaluation.Film;
import hocket.scopes.Parameters;
import java.awt.image.BufferedImage;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Renders episodes of a policy frame by frame. An episode is cut off after {@link EpisodeReturns#LONGEST} steps. */
public final class EpisodeFilm implements Film {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 320;

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

    private static BufferedImage picture(Environment environment) {
        return EnvironmentPicture.of(environment, WIDTH, HEIGHT);
    }

    @Override
    public int milliseconds() {
        return 20;
    }
}
