package hocket.schedulers;

import hocket.scopes.Tensor;

/**
 * A destination of what a run reports: a metrics file, pictures, a page.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Recorder printer = new Recorder() {
 *     @Override
 *     public void scalar(Event.Position at, String turn, String name, double value) {
 *         System.out.println(at.round() + " " + turn + "/" + name + " " + value);
 *     }
 *
 *     @Override
 *     public void images(Event.Position at, String name, Tensor images) {}
 *
 *     @Override
 *     public void text(Event.Position at, String name, String text) {}
 * };
 * }</pre>
 */
public interface Recorder {
    /** Records a number of a turn: a loss, a gradient norm, a metric. */
    void scalar(Event.Position at, String turn, String name, double value);

    /** Records a setting of a turn, such as its rate, which holds until the next record. Usually a {@link #scalar}. */
    default void setting(Event.Position at, String turn, String name, double value) {
        scalar(at, turn, name, value);
    }

    /**
     * Records a mean since the last number of that name, at a time that a clock chose. It makes the curve of a slow run
     * finer and is ignored when runs are compared. Usually dropped.
     */
    default void interim(Event.Position at, String turn, String name, double value) {}

    /** Records images (count, channels, height, width) in -1..1. */
    void images(Event.Position at, String name, Tensor images);

    /** Records a line of text. */
    void text(Event.Position at, String name, String text);

    /** Flushes all that was recorded so far to the disk or another destination. */
    default void flush() {}

    /**
     * Forces all flushed data to the storage device, so that no checkpoint is newer than what was recorded before it.
     * Any thread; others may record meanwhile.
     *
     * @throws java.io.UncheckedIOException if writing or flushing fails, or failed before
     */
    default void force() {}
}
