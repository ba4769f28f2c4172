package hocket.workbench.live;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Why a request is not answered, by the status that says so. Nothing has changed. */
final class Denial extends RuntimeException {
    private static final int WRONG = 400;
    private static final int MISSING = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;

    private final int status;
    private final @Nullable String key;

    private Denial(int status, @Nullable String key, String message) {
        super(message);
        this.status = status;
        this.key = key;
    }

    /** A parameter, or a key of a body, is not as it must be. */
    static Denial wrong(String key, String rule) {
        return new Denial(WRONG, key, key + ": " + rule);
    }

    /** What is read of a body. Where that is not as it must be, the message opens with the key, if there is one. */
    static <T> T unless(Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalArgumentException e) {
            throw ofBody(e);
        }
    }

    private static Denial ofBody(IllegalArgumentException refused) {
        String message = String.valueOf(refused.getMessage());
        int end = message.indexOf(':');
        boolean isKeyed = end > 0 && message.substring(0, end).matches("[a-z_]+");
        return new Denial(WRONG, isKeyed ? message.substring(0, end) : null, message);
    }

    /** There is no such thing. */
    static Denial missing(String message) {
        return new Denial(MISSING, null, message);
    }

    /** It does not fit how the run is. */
    static Denial conflict(String message) {
        return new Denial(CONFLICT, null, message);
    }

    /** One client asks too much. */
    static Denial tooMany(String message) {
        return new Denial(TOO_MANY, null, message);
    }

    /** It cannot be said now, for no fault of who asks. */
    static Denial unavailable(String message) {
        return new Denial(UNAVAILABLE, null, message);
    }

    int status() {
        return status;
    }

    /** What of the request is wrong. */
    @Nullable
    String key() {
        return key;
    }

    /** Whether the same may be asked again, soon. */
    boolean passes() {
        return status == TOO_MANY || status == UNAVAILABLE;
    }
}
