package hocket.workbench.live.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Limits the connections of a server in number and in waiting time. A client that sends a byte now and then is closed
 * as well: only a complete request counts. Used by the server's thread.
 */
public final class Connections {
    private static final long NONE = -1;

    private final Vertx vertx;
    private final Limits limits;
    private final Map<HttpConnection, Long> timers = new HashMap<>();
    /** The number of unanswered requests of each connection; those for a WebSocket do not count. */
    private final Map<HttpConnection, Integer> answering = new HashMap<>();

    /** The connections that have not shown the token, in the order of their opening. */
    private final Set<HttpConnection> strangers = new LinkedHashSet<>();

    /**
     * The limits of number and time.
     *
     * @param most largest number of connections
     * @param strangers largest number of connections without the token; beyond it the oldest is closed, so that the
     *     others stay free for clients with the token
     * @param head time from the opening of a connection to the end of its first request's headers
     * @param body time from there to the end of its body
     * @param kept time from an answer to the end of the next request's headers
     */
    public record Limits(int most, int strangers, Duration head, Duration body, Duration kept) {
        /**
         * A browser opens six connections and a WebSocket for each page and sends its requests at once; it reopens a
         * closed connection.
         */
        public static final Limits USUAL =
                new Limits(256, 64, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    public Connections(Vertx vertx, Limits limits) {
        this.vertx = vertx;
        this.limits = limits;
    }

    public void opened(HttpConnection connection) {
        if (strangers.size() >= limits.strangers()) {
            close(strangers.iterator().next());
        }
        if (timers.size() >= limits.most()) {
            connection.close();
            return;
        }
        strangers.add(connection);
        timers.put(connection, NONE);
        connection.closeHandler(gone -> {
            answering.remove(connection);
            forget(connection);
        });
        awaitRequest(connection, limits.head());
    }

    /** Records that a connection has shown the token. */
    public void identified(HttpConnection connection) {
        strangers.remove(connection);
    }

    private void close(HttpConnection connection) {
        forget(connection); // its duration does not count any longer
        connection.close();
    }

    private void forget(HttpConnection connection) {
        strangers.remove(connection);
        Long timer = timers.remove(connection);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }

    private void awaitRequest(HttpConnection connection, Duration patience) {
        timers.computeIfPresent(connection, (same, former) -> {
            vertx.cancelTimer(former);
            return vertx.setTimer(patience.toMillis(), late -> connection.close());
        });
    }

    public void begun(HttpServerRequest request) {
        HttpConnection connection = request.connection();
        timers.computeIfPresent(connection, (same, timer) -> {
            vertx.cancelTimer(timer);
            return NONE;
        });
        long body = vertx.setTimer(limits.body().toMillis(), late -> {
            if (!request.isEnded()) {
                connection.close();
            }
        });
        boolean isAsked = !WebSockets.isAsked(request);
        if (isAsked) {
            answering.merge(connection, 1, Integer::sum);
        }
        request.response().endHandler(ended -> {
            if (isAsked) {
                answering.computeIfPresent(connection, (same, open) -> open > 1 ? open - 1 : null);
            }
            if (request.isEnded()) { // or the rest of it is discarded
                vertx.cancelTimer(body);
            }
            awaitRequest(connection, limits.kept());
        });
    }

    /** Returns whether a request is unanswered. */
    public boolean isAnswering() {
        return !answering.isEmpty();
    }
}
