package hocket.workbench.runs;

import hocket.schedulers.Event;

/** Hears what is written into a run folder, as it comes, on the training thread; may not make it wait. */
public interface RunListener {
    /** A figure that is kept. */
    void figure(Event.Position at, String series, double value);

    /** A picture of samples is there. */
    void picture(Event.Position at, String name);

    /** A line of the log. */
    void line(String line);

    /**
     * The figures go to the disk: what it writes itself goes with them.
     *
     * @throws java.io.UncheckedIOException if the disk refuses, which is held against the figures, too
     */
    default void flush() {}
}
