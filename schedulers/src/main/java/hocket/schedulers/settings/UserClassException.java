package hocket.schedulers.settings;

/** A user-written class failed or returned an invalid result. The message names it and the position in the run. */
public final class UserClassException extends IllegalStateException {
    public UserClassException(String message) {
        super(message);
    }

    public UserClassException(String message, Throwable cause) {
        super(message, cause);
    }
}
