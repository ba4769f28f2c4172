package hocket.schedulers;

/** A class of a user's own failed, or gave what it must not. The message names it, and where in a run it was, for people. */
public final class OwnClassException extends IllegalStateException {
    public OwnClassException(String message) {
        super(message);
    }

    public OwnClassException(String message, Throwable cause) {
        super(message, cause);
    }
}
