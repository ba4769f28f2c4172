package hocket.workbench.runs;

import hocket.schedulers.Event;

/** Listens to what is written to a run folder, on the training thread; it must return quickly. */
public interface RunListener {
    /** Called when a metric is recorded. */
    void figure(Event.Position at, String series, double value);

    /** Called when a picture of samples is written. */
    void picture(Event.Position at, String name);

    /** A line of the log. */
    void line(String line);

    /**
     * Called when metrics are flushed to the disk: the listener's files are flushed with them.
     *
     * @throws java.io.UncheckedIOException if writing fails; the metrics are buffered then
     */
    default void flush() {}
}
