package hocket.schedulers.feeds;

/**
 * Java that acts waited for something that will not come any more, such as rows of processes that are lost, and has changed
 * nothing that is saved. The run fails with it, and can be saved where it stands: that turn is the first that is taken again.
 */
public final class WaitFailedException extends IllegalStateException {
    /** @param message what was lost, and why */
    public WaitFailedException(String message) {
        super(message);
    }
}
