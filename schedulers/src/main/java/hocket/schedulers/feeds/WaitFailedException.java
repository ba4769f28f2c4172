package hocket.schedulers.feeds;

/**
 * A turn of Java waited for something that cannot arrive any more, such as rows of lost processes, and has changed no
 * saved state. The run fails and can be saved at its position; when resumed, it takes that turn first.
 */
public final class WaitFailedException extends IllegalStateException {
    /** @param message the loss and its reason */
    public WaitFailedException(String message) {
        super(message);
    }
}
