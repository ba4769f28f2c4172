package hocket.workbench.live.http;

import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.terminal.Terminal;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Answers requests in JSON: records, and one record for all errors. */
public final class JsonResponses {
    /** The header that gives the turn of the parameters which an answer is of. */
    public static final String STEP = "Hocket-Step";

    public static final String JSON = "application/json";
    private static final String AGAIN_SECONDS = "1";

    private JsonResponses() {}

    /** A refusal or failure. */
    private record Wrong(Why error) {
        record Why(String message, @Nullable String key) {}
    }

    public static void answer(RoutingContext context, String json) {
        context.response().putHeader("Content-Type", JSON).end(json);
    }

    /** Answers with a refusal. */
    public static void refuse(RoutingContext context, int status, String message) {
        refuse(context.response(), status, message, null);
    }

    private static void refuse(HttpServerResponse response, int status, String message, @Nullable String key) {
        if (!response.ended()) {
            response.setStatusCode(status)
                    .putHeader("Content-Type", JSON)
                    .end(JsonDocument.line(new Wrong(new Wrong.Why(Terminal.inOneLine(message), key))));
        }
    }

    /** Answers that the server is closing, and closes the connection. */
    public static void ending(HttpServerRequest request) {
        request.response().putHeader("Connection", "close");
        refuse(request.response(), 503, "the run has ended and is no longer served", null);
    }

    /** Answers a malformed or oversized HTTP request, and closes the connection. */
    public static void misunderstood(HttpServerRequest request) {
        Throwable why = request.decoderResult().cause();
        int status =
                why instanceof TooLongHttpLineException ? 414 : why instanceof TooLongHttpHeaderException ? 431 : 400;
        String message =
                why instanceof TooLongFrameException ? "the request is too long" : "this is not an HTTP request";
        request.response().putHeader("Connection", "close");
        refuse(request.response(), status, message, null);
        request.connection().close();
    }

    /** Returns the status and the message of a failure. */
    public static void failed(RoutingContext context) {
        Throwable failure = context.failure();
        while ((failure instanceof CompletionException || failure instanceof ExecutionException)
                && failure.getCause() != null) {
            failure = failure.getCause();
        }
        HttpError httpError = denial(failure);
        int status = context.statusCode();
        if (httpError != null) {
            if (httpError.passes()) {
                context.response().putHeader("Retry-After", AGAIN_SECONDS);
            }
            refuse(context.response(), httpError.status(), String.valueOf(httpError.getMessage()), httpError.key());
        } else if (status >= 400 && status < 500) {
            refuse(context, status, status == 413 ? "the body is too long" : "the request is malformed");
        } else {
            refuse(context, 500, "internal error: " + failure);
        }
    }

    /** An error of the run's own parts is a conflict with the run; an error of the disk may be temporary. */
    private static @Nullable HttpError denial(@Nullable Throwable failure) {
        String message = failure == null ? "" : String.valueOf(failure.getMessage());
        if (failure instanceof HttpError known) {
            return known;
        } else if (failure instanceof UserError
                || failure instanceof IllegalArgumentException
                || failure instanceof IllegalStateException) {
            return HttpError.conflict(message);
        }
        return failure instanceof UncheckedIOException ? HttpError.unavailable(message) : null;
    }
}
