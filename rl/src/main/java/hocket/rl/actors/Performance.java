package hocket.rl.actors;

import hocket.rl.envs.Environment;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.SeedSequence;
import hocket.schedulers.Film;
import hocket.scopes.Parameters;
import java.awt.image.BufferedImage;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A policy at work in its environment, frame by frame. */
public final class Performance implements Film {
    private final Supplier<? extends Environment> environment;
    private final Policy policy;
    private final Optional<ObservationNormaliser> normaliser;

    /** @param normaliser by which observations were normalised in training; it is not changed */
    public Performance(
            Supplier<? extends Environment> environment, Policy policy, Optional<ObservationNormaliser> normaliser) {
        this.environment = environment;
        this.policy = policy;
        this.normaliser = normaliser;
    }

    @Override
    public void play(Parameters parameters, long seed, int episodes, Consumer<BufferedImage> frames) {
        try (Player player = new Player(environment.get(), policy, normaliser, parameters)) {
            for (int i = 0; i < episodes; i++) {
                player.begin(Pcg64.of(SeedSequence.of(seed).child(i)));
                frames.accept(picture(player.environment()));
                while (!player.ended()) {
                    player.step();
                    frames.accept(picture(player.environment()));
                }
            }
        }
    }

    private static BufferedImage picture(Environment environment) {
        throw new UnsupportedOperationException(environment.name());
    }

    @Override
    public int milliseconds() {
        return 20;
    }
}
