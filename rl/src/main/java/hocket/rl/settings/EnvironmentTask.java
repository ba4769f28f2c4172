package hocket.rl.settings;

/** The settings of an algorithm's environments. */
public interface EnvironmentTask {
    /** Returns the environment's name. */
    String environment();
}
