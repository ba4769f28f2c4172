package hocket.schedulers;

import hocket.scopes.Tensor;

/** Who writes down what a run reports: a file of metrics, pictures, a page. */
public interface Recorder {
    /** A number of a turn: a loss, a gradient norm, a metric. */
    void scalar(Event.Position at, String turn, String name, double value);

    /** A setting of a turn, such as its rate, which holds until it is recorded again. Usually a {@link #scalar}. */
    default void setting(Event.Position at, String turn, String name, double value) {
        scalar(at, turn, name, value);
    }

    /**
     * A mean since the last number of that name, at a time that a clock chose: it makes the curve of a slow run finer, and is
     * left out where runs are compared. Usually dropped.
     */
    default void interim(Event.Position at, String turn, String name, double value) {}

    /** Images (count, channels, height, width) in -1..1. */
    void images(Event.Position at, String name, Tensor images);

    /** A line of text. */
    void text(Event.Position at, String name, String text);

    /** All that came so far reaches the disk, or wherever it goes. */
    default void flush() {}

    /**
     * Has on the device all that was flushed, so that no checkpoint is newer than what was recorded before it. Any thread;
     * others may record meanwhile.
     *
     * @throws java.io.UncheckedIOException if the disk refuses, or refused to be flushed to
     */
    default void force() {}
}
