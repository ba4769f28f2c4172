package hocket.workbench.live;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The connections of a server: not too many, and none whose client lets it wait. A drop now and then does not help a slow
 * client, for what counts is when a request is whole. On the server's thread.
 */
final class Connections {
    private static final long NONE = -1;

    private final Vertx vertx;
    private final Limits limits;
    private final Map<HttpConnection, Long> timers = new HashMap<>();

    /**
     * How much patience there is.
     *
     * @param most connections at a time
     * @param head from the beginning of a connection until its first request has come, to the end of its headers
     * @param body from there to the end of its body
     * @param kept from an answer until the headers of the next request have come
     */
    record Limits(int most, Duration head, Duration body, Duration kept) {
        /**
         * A browser opens six connections and a WebSocket for each page, and sends at once what it sends; it opens a new
         * connection where it finds the old one closed.
         */
        static final Limits USUAL =
                new Limits(256, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    Connections(Vertx vertx, Limits limits) {
        this.vertx = vertx;
        this.limits = limits;
    }

    void opened(HttpConnection connection) {
        if (timers.size() >= limits.most()) {
            connection.close();
            return;
        }
        timers.put(connection, NONE);
        connection.closeHandler(gone -> {
            Long timer = timers.remove(connection);
            if (timer != null) {
                vertx.cancelTimer(timer);
            }
        });
        awaitRequest(connection, limits.head());
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
        request.response().endHandler(ended -> {
            if (request.isEnded()) { // or the rest of it is passed over, and takes its time
                vertx.cancelTimer(body);
            }
            awaitRequest(connection, limits.kept());
        });
    }
}
