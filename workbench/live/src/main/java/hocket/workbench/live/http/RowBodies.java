package hocket.workbench.live.http;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.online.MalformedRowsException;
import hocket.workbench.online.NumpyRows;
import hocket.workbench.online.RowBatch;
import hocket.workbench.online.RowFormat;
import hocket.workbench.online.json.RowLines;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads rows from requests: JSON lines or a NumPy file. */
public final class RowBodies {
    /** A body is held in memory as a whole. */
    public static final long MOST_BYTES = RowBatch.MOST_BYTES;

    public static final String LINES = "application/x-ndjson";
    public static final String NPY = "application/x-npy";

    /** The accepted types. */
    public static final Set<String> TYPES = Set.of(LINES, NPY);

    /** The message for a body of another type. */
    public static final String RULE = "rows must be of type " + LINES + ", an object a line, or " + NPY;

    private RowBodies() {}

    public static boolean isRows(RoutingContext context) {
        return TYPES.contains(type(context));
    }

    /** Returns whether the body is empty or has no declared type. */
    public static boolean isMissing(RoutingContext context) {
        String length = context.request().getHeader("Content-Length");
        boolean isEmpty =
                length == null ? context.request().getHeader("Transfer-Encoding") == null : length.matches("0+");
        return isEmpty || context.request().getHeader("Content-Type") == null;
    }

    /** Returns a received body as text. */
    public static String text(RoutingContext context) {
        return new String(bytes(context), StandardCharsets.UTF_8);
    }

    /** Returns the declared type of the body; empty if there is none or there are two. */
    public static String type(RoutingContext context) {
        List<String> types = context.request().headers().getAll("Content-Type");
        return types.size() == 1 ? types.get(0).strip().toLowerCase(Locale.ROOT) : "";
    }

    /** Returns the rows of a received body. */
    public static byte[] bytes(RoutingContext context) {
        Buffer body = context.body().buffer();
        return body == null ? new byte[0] : body.getBytes();
    }

    /**
     * Reads the rows of a body.
     *
     * @param type a result of {@link #type}
     * @throws MalformedRowsException if they do not match the feed, naming line and column
     */
    public static RowBatch read(RowFormat format, String type, byte[] bytes) throws MalformedRowsException {
        return type.equals(NPY) ? NumpyRows.npy(format, ByteBuffer.wrap(bytes)) : RowLines.read(format, bytes);
    }

    /** Why rows were not taken. */
    public record NotTaken(Why error) {
        /**
         * Fields that do not apply are null.
         *
         * @param line line of the body, from 1
         * @param expected sequence number
         */
        public record Why(
                String message,
                @Nullable String key,
                @Nullable Long line,
                @Nullable String column,
                @Nullable Long expected,
                @Nullable Long waiting,
                @Nullable Long capacity) {
            public static Why of(String message) {
                return new Why(message, null, null, null, null, null, null);
            }

            public static Why of(MalformedRowsException wrong) {
                Long line = wrong.line() == MalformedRowsException.NO_LINE ? null : (Long) wrong.line();
                String column = wrong.column().isEmpty() ? null : wrong.column();
                return new Why(String.valueOf(wrong.getMessage()), null, line, column, null, null, null);
            }
        }
    }

    public static void refuse(RoutingContext context, int status, NotTaken.Why why) {
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", JsonResponses.JSON)
                .end(JsonDocument.line(new NotTaken(why)));
    }
}
