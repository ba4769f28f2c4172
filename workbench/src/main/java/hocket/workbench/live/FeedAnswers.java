package hocket.workbench.live;

import hocket.workbench.json.JsonDocument;
import hocket.workbench.json.RowLines;
import hocket.workbench.online.Batch;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.MalformedException;
import hocket.workbench.online.NotStoredException;
import hocket.workbench.online.NumpyRows;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rows for the feeds of a run that trains: {@code POST /api/runs/RUN/feeds/FEED/rows?client=NAME&sequence=N} with JSON lines or
 * one of NumPy's files. An answer of 200 says that they outlive the process. Who numbers its rows may send a batch again where
 * an answer was lost: it is there once.
 */
final class FeedAnswers {
    private static final String FEEDS = "/api/runs/:run/feeds";
    private static final String ROWS = FEEDS + "/:feed/rows";

    /** A batch is held whole: all of it is stored, or nothing. */
    private static final long MOST_BODY_BYTES = Batch.MOST_BYTES;

    private static final String LINES = "application/x-ndjson";
    private static final String NPY = "application/x-npy";

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

    /**
     * Why rows were not stored; what does not apply is null.
     *
     * @param line of the body, from 1 on
     * @param expected sequence number
     */
    private record NotStored(Why error) {
        record Why(
                String message,
                @Nullable String key,
                @Nullable Long line,
                @Nullable String column,
                @Nullable Long expected,
                @Nullable Long waiting,
                @Nullable Long capacity) {
            static Why of(String message) {
                return new Why(message, null, null, null, null, null, null);
            }
        }
    }

    void routes(Router router) {
        router.get(FEEDS).handler(context -> answer(context, Set.of(), query -> feeds(runs.apply(context))));
        router.get(ROWS)
                .handler(context -> answer(context, Set.of("client"), query -> {
                    String client = query.one("client");
                    return new Next(client, queue(context).next(client));
                }));
        router.post(ROWS).handler(FeedAnswers::requireRows);
        router.post(ROWS).handler(BodyHandler.create(false).setBodyLimit(MOST_BODY_BYTES));
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

    private static void requireRows(RoutingContext context) {
        if (context.request().getHeader("Content-Encoding") != null) {
            Answers.refuse(context, 415, "a body must not be encoded");
        } else if (!Set.of(LINES, NPY).contains(type(context))) {
            Answers.refuse(context, 415, "rows must be of type " + LINES + ", an object a line, or " + NPY);
        } else {
            context.next();
        }
    }

    private static String type(RoutingContext context) {
        List<String> types = context.request().headers().getAll("Content-Type");
        return types.size() == 1 ? types.get(0).strip().toLowerCase(Locale.ROOT) : "";
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
        Buffer body = context.body().buffer();
        byte[] bytes = body == null ? new byte[0] : body.getBytes();
        boolean isText = type(context).equals(LINES);
        vertx.executeBlocking(
                        () -> {
                            DurableQueue queue = queue(context);
                            Batch rows = isText
                                    ? RowLines.read(queue.format(), bytes)
                                    : NumpyRows.npy(queue.format(), ByteBuffer.wrap(bytes));
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
            Long line = wrong.line() == MalformedException.NO_LINE ? null : (Long) wrong.line();
            String column = wrong.column().isEmpty() ? null : wrong.column();
            say(context, 400, new NotStored.Why(message, null, line, column, null, null, null));
        } else if (failure instanceof NotStoredException.Full full) {
            context.response().putHeader("Retry-After", AGAIN_SECONDS);
            say(context, 429, new NotStored.Why(message, null, null, null, null, full.waiting(), full.capacity()));
        } else if (failure instanceof NotStoredException.TooManyClients) {
            context.response().putHeader("Retry-After", AGAIN_SECONDS);
            say(context, 429, NotStored.Why.of(message));
        } else if (failure instanceof NotStoredException.Gap gap) {
            say(context, 409, new NotStored.Why(message, "sequence", null, null, gap.expected(), null, null));
        } else if (failure instanceof NotStoredException) {
            say(context, 400, NotStored.Why.of(message));
        } else {
            context.fail(failure);
        }
    }

    private static void say(RoutingContext context, int status, NotStored.Why why) {
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", Answers.JSON)
                .end(JsonDocument.line(new NotStored(why)));
    }
}
