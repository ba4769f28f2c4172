package hocket.schedulers.feeds;

import hocket.schedulers.Run;

/**
 * A source waited for rows, and was asked to end before they came. A run by a plan pauses there as by {@link Run#pause}, before
 * the turn that asked for them, and goes on from there; a turn that is taken by hand fails with it, having changed nothing. Java
 * that acts may throw it, too, where it waits for something and has changed nothing that is saved.
 */
public final class WaitCancelledException extends RuntimeException {
    /** @param source the name of the source */
    public WaitCancelledException(String source) {
        super("source " + source + " was asked to end while it waited for rows");
    }
}
