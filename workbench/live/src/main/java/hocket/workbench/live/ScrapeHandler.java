package hocket.workbench.live;

import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.Routes;
import hocket.workbench.live.views.LiveView;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers Prometheus: {@code GET /metrics}, to clients with the token. The meters are made at its first request, so
 * that no other client waits for them.
 */
final class ScrapeHandler {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final BlockingWork work;
    private final IntSupplier watching;
    private final Map<Integer, LongAdder> answered = new ConcurrentHashMap<>();
    private volatile @Nullable LiveView run;
    private @Nullable Meters meters;
    private boolean isClosed;

    /** @param watching the number of WebSocket watchers, read on the server's thread */
    ScrapeHandler(BlockingWork work, IntSupplier watching) {
        this.work = work;
        this.watching = watching;
    }

    /** Counts answers by status. */
    void counting(HttpServerResponse response) {
        response.headersEndHandler(sent -> answered.computeIfAbsent(response.getStatusCode(), status -> new LongAdder())
                .increment());
    }

    /** Sets the run that trains here. */
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
