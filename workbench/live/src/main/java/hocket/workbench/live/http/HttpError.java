package hocket.workbench.live.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An error of a request, with its HTTP status. The request has changed nothing. */
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

    /** Returns the error of an invalid parameter or key of a body. */
    public static HttpError wrong(String key, String rule) {
        return new HttpError(WRONG, key, key + ": " + rule);
    }

    /** Returns what is read of a body. The error of an invalid one begins with the key, if there is one. */
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

    /** Returns the error for a missing resource. */
    public static HttpError missing(String message) {
        return new HttpError(MISSING, null, message);
    }

    /** Returns the error of a request that does not match the run's state. */
    public static HttpError conflict(String message) {
        return new HttpError(CONFLICT, null, message);
    }

    /** Returns the error of a client that sends too many requests. */
    public static HttpError tooMany(String message) {
        return new HttpError(TOO_MANY, null, message);
    }

    /** Returns the error of a request that cannot be answered now, for no fault of the client. */
    public static HttpError unavailable(String message) {
        return new HttpError(UNAVAILABLE, null, message);
    }

    public int status() {
        return status;
    }

    /** Returns the part of the request that is wrong. */
    @Nullable
    public String key() {
        return key;
    }

    /** Returns whether the same request may be sent again soon. */
    public boolean passes() {
        return status == TOO_MANY || status == UNAVAILABLE;
    }
}
