package hocket.rl.actors;

import hocket.rl.envs.Environment;
import hocket.rl.envs.Picture;
import hocket.rl.envs.SeedSequence;
import hocket.rl.envs.VectorNormalisation;
import hocket.schedulers.Film;
import hocket.scopes.Parameters;
import java.awt.image.BufferedImage;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A policy at work in its environment, frame by frame; an episode is cut off after {@link EpisodeReturns#LONGEST} steps. */
public final class Performance implements Film {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 320;

    private final Supplier<? extends Environment> environment;
    private final Policy policy;
    private final Optional<VectorNormalisation> normalisation;

    /** @param normalisation by which observations were normalised in training; it is not changed */
    public Performance(
            Supplier<? extends Environment> environment, Policy policy, Optional<VectorNormalisation> normalisation) {
        this.environment = environment;
        this.policy = policy;
        this.normalisation = normalisation;
    }

    @Override
    public void play(Parameters parameters, long seed, int episodes, Consumer<BufferedImage> frames) {
        try (Player player = new Player(environment.get(), policy, normalisation, parameters)) {
            for (int i = 0; i < episodes; i++) {
                player.begin(SeedSequence.of(seed).child(i));
                frames.accept(picture(player.environment()));
                while (!player.ended()) {
                    player.step();
                    frames.accept(picture(player.environment()));
                }
            }
        }
    }

    private static BufferedImage picture(Environment environment) {
        return Picture.of(environment, WIDTH, HEIGHT);
    }

    @Override
    public int milliseconds() {
        return 20;
    }
}
