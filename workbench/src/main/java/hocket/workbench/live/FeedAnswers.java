package hocket.workbench.live;

import hocket.workbench.json.JsonDocument;
import hocket.workbench.online.Batch;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.MalformedException;
import hocket.workbench.online.NotStoredException;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Rows for the feeds of a run that trains: {@code POST /api/runs/RUN/feeds/FEED/rows?client=NAME&sequence=N} with JSON lines or
 * one of NumPy's files. An answer of 200 says that they outlive the process. Who numbers its rows may send a batch again where
 * an answer was lost: it is there once.
 */
final class FeedAnswers {
    private static final String FEEDS = "/api/runs/:run/feeds";
    private static final String ROWS = FEEDS + "/:feed/rows";

    /** By then some of what waits has been trained on, as a rule. */
    private static final String AGAIN_SECONDS = "1";

    private final Vertx vertx;
    private final Function<RoutingContext, ServedRun> runs;

    /** @param runs gives the run of an address, or throws a {@link Denial} */
    FeedAnswers(Vertx vertx, Function<RoutingContext, ServedRun> runs) {
        this.vertx = vertx;
        this.runs = runs;
    }

    /**
     * A feed.
     *
     * @param waiting rows that were not trained on yet
     * @param capacity rows that may wait
     * @param came rows that have come since the beginning
     * @param columns what a row consists of, for people
     */
    private record Feed(String name, long waiting, long capacity, long came, String columns) {}

    private record Feeds(List<Feed> feeds) {}

    /** Where a client goes on. */
    private record Next(String client, long next) {}

    void routes(Router router) {
        router.get(FEEDS).handler(context -> answer(context, Set.of(), query -> feeds(runs.apply(context))));
        router.get(ROWS)
                .handler(context -> answer(context, Set.of("client"), query -> {
                    String client = query.one("client");
                    return new Next(client, queue(context).next(client));
                }));
        router.post(ROWS).handler(RowBodies::require);
        router.post(ROWS).handler(BodyHandler.create(false).setBodyLimit(RowBodies.MOST_BYTES));
        router.post(ROWS).handler(this::rows);
    }

    private void answer(RoutingContext context, Set<String> known, Function<Query, Record> question) {
        Query query = new Query(context.queryParams(), known);
        vertx.executeBlocking(() -> JsonDocument.line(question.apply(query)), false)
                .onSuccess(json -> Answers.answer(context, json))
                .onFailure(context::fail);
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
        Map<String, DurableQueue> feeds = runs.apply(context).feeds();
        String name = String.valueOf(context.pathParam("feed"));
        DurableQueue queue = feeds.get(name);
        if (queue == null) {
            throw Denial.missing("the run takes no rows for a feed " + Guard.shown(name)
                    + (feeds.isEmpty() ? "" : "; there is " + feeds.keySet()));
        }
        return queue;
    }

    private void rows(RoutingContext context) {
        Query query = new Query(context.queryParams(), Set.of("client", "sequence"));
        boolean isNumbered =
                !query.all("client").isEmpty() || !query.all("sequence").isEmpty();
        String client = isNumbered ? query.one("client") : DurableQueue.NOBODY;
        long sequence = isNumbered ? sequence(query.one("sequence")) : 0;
        if (isNumbered && client.isEmpty()) {
            throw Denial.wrong("client", "must be a name, was empty");
        }
        byte[] bytes = RowBodies.bytes(context);
        String type = RowBodies.type(context);
        vertx.executeBlocking(
                        () -> {
                            DurableQueue queue = queue(context);
                            Batch rows = RowBodies.read(queue.format(), type, bytes);
                            return JsonDocument.line(queue.append(client, sequence, rows));
                        },
                        false)
                .onSuccess(json -> Answers.answer(context, json))
                .onFailure(failure -> notStored(context, failure));
    }

    private static long sequence(String text) {
        if (!text.matches("\\d{1,18}")) {
            throw Denial.wrong("sequence", "must be a whole number from 0 on, was " + Guard.shown(text));
        }
        return Long.parseLong(text);
    }

    private static void notStored(RoutingContext context, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof MalformedException wrong) {
            RowBodies.refuse(context, 400, RowBodies.NotTaken.Why.of(wrong));
        } else if (failure instanceof NotStoredException.Full full) {
            context.response().putHeader("Retry-After", AGAIN_SECONDS);
            RowBodies.refuse(
                    context,
                    429,
                    new RowBodies.NotTaken.Why(message, null, null, null, null, full.waiting(), full.capacity()));
        } else if (failure instanceof NotStoredException.TooManyClients) {
            context.response().putHeader("Retry-After", AGAIN_SECONDS);
            RowBodies.refuse(context, 429, RowBodies.NotTaken.Why.of(message));
        } else if (failure instanceof NotStoredException.Gap gap) {
            RowBodies.refuse(
                    context,
                    409,
                    new RowBodies.NotTaken.Why(message, "sequence", null, null, gap.expected(), null, null));
        } else if (failure instanceof NotStoredException) {
            RowBodies.refuse(context, 400, RowBodies.NotTaken.Why.of(message));
        } else {
            context.fail(failure);
        }
    }
}
