package hocket.workbench.live.handlers;

import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.RowBodies;
import hocket.workbench.online.MalformedRowsException;
import hocket.workbench.online.NotStoredException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a feed that were rejected: none of them is stored, and nothing else has changed.
 *
 * @param status of HTTP: 400 for rows that must not be sent again, 409 for a number that is too high, 429 and 503 for
 *     rows that may be sent again later
 * @param retryAfter seconds until then; null if they would be rejected again
 */
record RejectedRows(int status, @Nullable Long retryAfter, RowBodies.NotTaken.Why error) {
    /** After that time some of the waiting rows have usually been trained on. */
    private static final Long AGAIN_SECONDS = 1L;

    /** Returns the error of a queue or its rows; empty for any other failure. */
    static Optional<RejectedRows> of(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof MalformedRowsException wrong) {
            return Optional.of(new RejectedRows(400, null, RowBodies.NotTaken.Why.of(wrong)));
        } else if (failure instanceof NotStoredException.Full full) {
            return Optional.of(new RejectedRows(
                    429,
                    AGAIN_SECONDS,
                    new RowBodies.NotTaken.Why(message, null, null, null, null, full.waiting(), full.capacity())));
        } else if (failure instanceof NotStoredException.TooManyClients) {
            return Optional.of(new RejectedRows(409, null, RowBodies.NotTaken.Why.of(message)));
        } else if (failure instanceof NotStoredException.Gap gap) {
            return Optional.of(new RejectedRows(
                    409,
                    null,
                    new RowBodies.NotTaken.Why(message, "sequence", null, null, gap.expected(), null, null)));
        }
        return failure instanceof NotStoredException
                ? Optional.of(new RejectedRows(400, null, RowBodies.NotTaken.Why.of(message)))
                : Optional.empty();
    }

    /** Returns the error of a request that was rejected before its rows were read. */
    static RejectedRows of(HttpError httpError) {
        return new RejectedRows(
                httpError.status(),
                httpError.passes() ? AGAIN_SECONDS : null,
                new RowBodies.NotTaken.Why(
                        String.valueOf(httpError.getMessage()), httpError.key(), null, null, null, null, null));
    }
}
