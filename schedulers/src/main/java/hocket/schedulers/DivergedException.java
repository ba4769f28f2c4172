package hocket.schedulers;

/** A loss or gradient is not finite. The turn wrote nothing. */
public final class DivergedException extends RuntimeException {
    public DivergedException(String message) {
        super(message);
    }
}
