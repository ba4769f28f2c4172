package hocket.schedulers.exchange;

/** Another process of the run has left, or does not answer. */
public final class PeerLostException extends IllegalStateException {
    /** @param message names the process and says what happened */
    public PeerLostException(String message) {
        super(message);
    }
}
