package hocket.schedulers;

/** An experiment by name, before it is set: found by {@link java.util.ServiceLoader}. */
public interface PresetExperiment {
    /** Its name on the command line: {@code digits-gan}. */
    String name();

    /** What it does, in a line. */
    String summary();

    /** What can be set, with the usual values. {@code seed} and {@code epochs} are always among them. */
    Settings settings();

    /**
     * The experiment with these settings. Trains nothing and writes nothing.
     *
     * @throws IllegalArgumentException if a setting is out of its range, or data cannot be read, naming it
     */
    Experiment build(Settings settings);
}
