package hocket.schedulers.settings;

/** A class of a user's own failed, or gave what it must not. The message names it, and where in a run it was, for people. */
public final class UserClassException extends IllegalStateException {
    public UserClassException(String message) {
        super(message);
    }

    public UserClassException(String message, Throwable cause) {
        super(message, cause);
    }
}
