package hocket.rl.algorithms;

import hocket.rl.envs.Environment;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.settings.EnvironmentTask;
import hocket.schedulers.Definition;
import hocket.schedulers.Setup;
import java.util.function.Supplier;

/** An algorithm that learns in environments, which a setting names. */
public interface EnvironmentDefinition extends Definition {
    /** Returns the environments. */
    EnvironmentTask task();

    /**
     * Sets the algorithm up in environments, whatever their name.
     *
     * @param world makes one
     */
    Setup in(Supplier<? extends Environment> world);

    @Override
    default Setup setup() {
        return in(EnvironmentSettings.named(task().environment()));
    }

    /**
     * Sets the algorithm up in given environments.
     *
     * @throws IllegalArgumentException also if {@code environment} is not their name
     */
    default Setup setup(Supplier<? extends Environment> world) {
        return in(EnvironmentSettings.own("environment", task().environment(), world));
    }
}
