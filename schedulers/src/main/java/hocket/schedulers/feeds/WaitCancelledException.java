package hocket.schedulers.feeds;

import hocket.schedulers.Run;

/**
 * A source was interrupted while it waited for rows. A run by a plan pauses as by {@link Run#pause} before the turn
 * that needs them and can resume there; a turn that is taken by hand fails with it and has changed nothing. A turn of
 * Java may throw it while it waits, if it has changed no saved state.
 */
public final class WaitCancelledException extends RuntimeException {
    /** @param source the name of the source */
    public WaitCancelledException(String source) {
        super("source " + source + " was asked to end while it waited for rows");
    }
}
