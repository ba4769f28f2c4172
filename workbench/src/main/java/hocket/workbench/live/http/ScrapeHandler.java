package hocket.workbench.live.http;

import hocket.workbench.live.views.LiveView;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers Prometheus: {@code GET /metrics}, to who knows the token. What it is answered by is made when it asks first, so that
 * nobody else waits for that.
 */
final class ScrapeHandler {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final BlockingWork work;
    private final IntSupplier watching;
    private final Map<Integer, LongAdder> answered = new ConcurrentHashMap<>();
    private volatile @Nullable LiveView run;
    private @Nullable Meters meters;
    private boolean isClosed;

    /** @param watching by WebSocket, on the server's thread */
    ScrapeHandler(BlockingWork work, IntSupplier watching) {
        this.work = work;
        this.watching = watching;
    }

    /** Counts what is answered, by its status. */
    void counting(HttpServerResponse response) {
        response.headersEndHandler(sent -> answered.computeIfAbsent(response.getStatusCode(), status -> new LongAdder())
                .increment());
    }

    /** Sets which run trains here. */
    void of(LiveView trains) {
        run = trains;
    }

    void routes(Routes routes) {
        routes.on("scrape", (context, query) -> {
            int now = watching.getAsInt();
            work.run(() -> text(now))
                    .onSuccess(text ->
                            context.response().putHeader("Content-Type", TEXT).end(text))
                    .onFailure(context::fail);
        });
    }

    private synchronized String text(int now) {
        if (isClosed) {
            throw HttpError.unavailable("the run has ended");
        }
        Meters made = meters;
        if (made == null) {
            made = new Meters();
            meters = made;
        }
        return made.scrape(run, now, answered);
    }

    synchronized void close() {
        isClosed = true;
        if (meters != null) {
            meters.close();
        }
    }
}
