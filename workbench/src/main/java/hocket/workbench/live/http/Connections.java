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
 * The connections of a server: not too many, and none whose client lets it wait. A drop now and then does not help a slow
 * client, for what counts is when a request is whole. On the server's thread.
 */
public final class Connections {
    private static final long NONE = -1;

    private final Vertx vertx;
    private final Limits limits;
    private final Map<HttpConnection, Long> timers = new HashMap<>();
    /** How many requests of each are not answered yet; those for a WebSocket do not count. */
    private final Map<HttpConnection, Integer> answering = new HashMap<>();

    /** Those that have not shown the token, in the order in which they came. */
    private final Set<HttpConnection> strangers = new LinkedHashSet<>();

    /**
     * How much patience there is.
     *
     * @param most connections at a time
     * @param strangers of these may not have shown the token; beyond that the one that came first is closed, so that the others
     *     are kept for who knows it
     * @param head from the beginning of a connection until its first request has come, to the end of its headers
     * @param body from there to the end of its body
     * @param kept from an answer until the headers of the next request have come
     */
    public record Limits(int most, int strangers, Duration head, Duration body, Duration kept) {
        /**
         * A browser opens six connections and a WebSocket for each page, and sends at once what it sends; it opens a new
         * connection where it finds the old one closed.
         */
        public static final Limits USUAL =
                new Limits(256, 64, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    Connections(Vertx vertx, Limits limits) {
        this.vertx = vertx;
        this.limits = limits;
    }

    void opened(HttpConnection connection) {
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

    /** One has shown the token. */
    void identified(HttpConnection connection) {
        strangers.remove(connection);
    }

    private void close(HttpConnection connection) {
        forget(connection); // it counts no longer, however long it takes
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

    void begun(HttpServerRequest request) {
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
        boolean isAsked = !WatcherSockets.isAsked(request);
        if (isAsked) {
            answering.merge(connection, 1, Integer::sum);
        }
        request.response().endHandler(ended -> {
            if (isAsked) {
                answering.computeIfPresent(connection, (same, open) -> open > 1 ? open - 1 : null);
            }
            if (request.isEnded()) { // or the rest of it is passed over, and takes its time
                vertx.cancelTimer(body);
            }
            awaitRequest(connection, limits.kept());
        });
    }

    /** Whether somebody waits for an answer. */
    boolean isAnswering() {
        return !answering.isEmpty();
    }
}
