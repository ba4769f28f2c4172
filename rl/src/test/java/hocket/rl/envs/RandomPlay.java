package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import java.util.ArrayList;
import java.util.List;

/** Plays with random actions and logs exactly what is observed. */
public final class RandomPlay {
    private RandomPlay() {}

    /** Steps, resetting where an episode ends. */
    static List<String> on(Environment environment, Pcg64 chooser, int steps) {
        List<String> log = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            environment.step(environment.actions().sample(chooser), 0);
            log.add(seen(environment));
            if (environment.terminated() || environment.truncated()) {
                environment.reset();
                log.add(seen(environment));
            }
        }
        return log;
    }

    /** Describes the observation, reward and flags of an environment exactly. */
    static String seen(Environment environment) {
        return environment.observations().text(observed(environment), 0) + " "
                + Double.toHexString(environment.reward()) + " " + environment.terminated() + " "
                + environment.truncated();
    }

    public static float[] observed(Environment environment) {
        float[] observation = new float[environment.observations().width()];
        environment.observe(observation, 0);
        return observation;
    }
}
