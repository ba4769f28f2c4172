package hocket.workbench.live.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Why a request is not answered, by the status that says so. Nothing has changed. */
public final class HttpError extends RuntimeException {
    private static final int WRONG = 400;
    private static final int MISSING = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;

    private final int status;
    private final @Nullable String key;

    private HttpError(int status, @Nullable String key, String message) {
        super(message);
        this.status = status;
        this.key = key;
    }

    /** A parameter, or a key of a body, is not as it must be. */
    public static HttpError wrong(String key, String rule) {
        return new HttpError(WRONG, key, key + ": " + rule);
    }

    /** What is read of a body. Where that is not as it must be, the message opens with the key, if there is one. */
    public static <T> T unless(Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalArgumentException e) {
            throw ofBody(e);
        }
    }

    private static HttpError ofBody(IllegalArgumentException refused) {
        String message = String.valueOf(refused.getMessage());
        int end = message.indexOf(':');
        boolean isKeyed = end > 0 && message.substring(0, end).matches("[a-z_]+");
        return new HttpError(WRONG, isKeyed ? message.substring(0, end) : null, message);
    }

    /** There is no such thing. */
    public static HttpError missing(String message) {
        return new HttpError(MISSING, null, message);
    }

    /** It does not fit how the run is. */
    public static HttpError conflict(String message) {
        return new HttpError(CONFLICT, null, message);
    }

    /** One client asks too much. */
    public static HttpError tooMany(String message) {
        return new HttpError(TOO_MANY, null, message);
    }

    /** It cannot be said now, for no fault of who asks. */
    public static HttpError unavailable(String message) {
        return new HttpError(UNAVAILABLE, null, message);
    }

    public int status() {
        return status;
    }

    /** What of the request is wrong. */
    @Nullable
    public String key() {
        return key;
    }

    /** Whether the same may be asked again, soon. */
    public boolean passes() {
        return status == TOO_MANY || status == UNAVAILABLE;
    }
}
