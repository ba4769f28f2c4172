package hocket.workbench.live.handlers;

import hocket.schedulers.Setup;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.http.AccessGuard;
import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.JsonResponses;
import hocket.workbench.live.http.Query;
import hocket.workbench.live.http.Routes;
import hocket.workbench.live.http.RowBodies;
import hocket.workbench.live.http.WebSockets;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.OnlineSource;
import hocket.workbench.online.RowBatch;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Rows for the feeds of a run that trains: {@code POST /api/runs/RUN/feeds/FEED/rows?client=NAME&sequence=N} with JSON
 * lines or one of NumPy's files, or by WebSocket at the same address. An answer of 200 says that the rows are on the
 * disk. A client that numbers its rows may send a batch again after a lost answer: it is stored once.
 */
public final class FeedHandler {
    private final BlockingWork work;
    private final Function<RoutingContext, ServedRun> runs;
    private final RowSockets sockets;

    /** @param runs returns the run of an address, or throws a {@link HttpError} */
    public FeedHandler(BlockingWork work, Function<RoutingContext, ServedRun> runs) {
        this.work = work;
        this.runs = runs;
        sockets = new RowSockets(work);
    }

    /**
     * A feed.
     *
     * @param waiting rows that have not been trained on yet
     * @param capacity largest number of waiting rows
     * @param came rows received since the beginning
     * @param columns columns of a row, for people
     */
    private record Feed(String name, long waiting, long capacity, long came, String columns) {}

    private record Feeds(List<Feed> feeds) {}

    /** The next row number of a client. */
    public record Next(String client, long next) {
        static Next of(String client, DurableQueue queue) {
            return new Next(client, queue.next(client));
        }
    }

    public void routes(Routes routes) {
        routes.onRecord("feeds", (context, query) -> feeds(runs.apply(context)));
        routes.on("nextRow", (context, query) -> {
            if (WebSockets.isAsked(context.request())) {
                sockets.join(context, named(query.one("client")), () -> queue(context));
            } else {
                routes.answer(context, work.run(() -> Next.of(query.one("client"), queue(context))));
            }
        });
        routes.on("rows", this::rows);
    }

    private static Feeds feeds(ServedRun run) {
        return new Feeds(run.feeds().entrySet().stream()
                .map(entry -> new Feed(
                        entry.getKey(),
                        entry.getValue().waiting(),
                        entry.getValue().capacity(),
                        entry.getValue().end(),
                        entry.getValue().format().toString()))
                .toList());
    }

    private DurableQueue queue(RoutingContext context) {
        ServedRun run = runs.apply(context);
        Map<String, DurableQueue> feeds = run.feeds();
        String name = String.valueOf(context.pathParam("feed"));
        DurableQueue queue = feeds.get(name);
        if (queue == null) {
            if (feeds.isEmpty() && isDeclared(run, name)) {
                throw HttpError.unavailable(
                        "the run is not training: it accepts rows for feed " + name + " after it is resumed");
            }
            throw HttpError.missing("the run has no feed for rows from outside named " + AccessGuard.shown(name)
                    + (feeds.isEmpty() ? "" : "; there is " + feeds.keySet()));
        }
        return queue;
    }

    /** Returns whether the experiment declares this feed but has not opened it. */
    private static boolean isDeclared(ServedRun run, String name) {
        return run.experiment().setup().feeds().stream()
                .map(Setup.Feed::source)
                .anyMatch(source ->
                        source instanceof OnlineSource && source.name().equals(name));
    }

    private static String named(String client) {
        if (client.isEmpty()) {
            throw HttpError.wrong("client", "must be a name, was empty");
        }
        return client;
    }

    /** Tells WebSocket clients that the run has ended; returns whether there are any. Used by the server's thread. */
    public boolean end() {
        return sockets.end();
    }

    private void rows(RoutingContext context, Query query) {
        boolean isNumbered = query.has("client") || query.has("sequence");
        String client = isNumbered ? named(query.one("client")) : DurableQueue.NOBODY;
        long sequence = isNumbered ? sequence(query.one("sequence")) : 0;
        byte[] bytes = RowBodies.bytes(context);
        String type = RowBodies.type(context);
        work.run(() -> {
                    DurableQueue queue = queue(context);
                    RowBatch rows = RowBodies.read(queue.format(), type, bytes);
                    return JsonDocument.line(queue.append(client, sequence, rows));
                })
                .onSuccess(json -> JsonResponses.answer(context, json))
                .onFailure(failure -> notStored(context, failure));
    }

    private static long sequence(String text) {
        if (!text.matches("\\d{1,18}")) {
            throw HttpError.wrong("sequence", "must be an integer of at least 0, was " + AccessGuard.shown(text));
        }
        return Long.parseLong(text);
    }

    private static void notStored(RoutingContext context, Throwable failure) {
        RejectedRows.of(failure)
                .ifPresentOrElse(
                        refused -> {
                            if (refused.retryAfter() != null) {
                                context.response().putHeader("Retry-After", String.valueOf(refused.retryAfter()));
                            }
                            RowBodies.refuse(context, refused.status(), refused.error());
                        },
                        () -> context.fail(failure));
    }
}
