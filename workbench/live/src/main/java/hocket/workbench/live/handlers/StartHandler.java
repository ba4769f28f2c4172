package hocket.workbench.live.handlers;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.JsonResponses;
import hocket.workbench.live.http.Routes;
import hocket.workbench.live.http.RowBodies;
import hocket.workbench.live.json.StartLines;
import hocket.workbench.live.peers.RunLauncher;
import hocket.workbench.live.peers.StartableExperiments;
import hocket.workbench.live.views.ServedRun;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Starts runs: new ones by {@code POST /api/runs}, stopped ones by {@code POST /api/runs/RUN/start}. The answer is sent
 * when the run can be watched, or when it has failed to start.
 */
public record StartHandler(
        BlockingWork work, Supplier<Optional<RunLauncher>> starts, Function<RoutingContext, ServedRun> runs) {
    /** A JVM takes one, some data take more. */
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long LOOK_MILLIS = 100;
    private static final int CREATED = 201;
    private static final int ACCEPTED = 202;

    /**
     * The outcome of a start.
     *
     * @param run its id
     */
    private record Answer(String run, String folder, String message) {}

    private record Outcome(int status, String message) {}

    public void routes(Routes routes) {
        routes.onRecord("experiments", (context, query) -> experiments());
        start(routes, "start", (context, body) -> {
            StartLines.Asked asked =
                    HttpError.unless(() -> StartLines.read(body)); // what is wrong with it is said first
            return starting().begin(asked);
        });
        start(routes, "goOn", (context, body) -> {
            requireEmpty(body);
            return starting().resume(runs.apply(context));
        });
    }

    private StartableExperiments.All experiments() {
        return new StartableExperiments.All(
                starts.get().map(RunLauncher::experiments).orElse(List.of()));
    }

    private RunLauncher starting() {
        return starts.get()
                .orElseThrow(
                        () -> HttpError.conflict(
                                "this server serves one run and ends with it: use hocket serve on the folder of runs to start others"));
    }

    private static void requireEmpty(String body) {
        if (!body.strip().matches("\\{\\s*\\}")) {
            throw HttpError.wrong("body", "must be {}: a run is resumed with its own settings");
        }
    }

    /** A way to start a run. */
    private interface Way {
        RunLauncher.Started start(RoutingContext context, String body);
    }

    private void start(Routes routes, String operation, Way way) {
        routes.on(operation, (context, query) -> {
            String body = RowBodies.text(context);
            work.run(() -> way.start(context, body))
                    .compose(started -> outcome(started, System.nanoTime() + WAIT_NANOS)
                            .onSuccess(outcome -> answer(context, started, outcome)))
                    .onFailure(context::fail);
        });
    }

    private static void answer(RoutingContext context, RunLauncher.Started started, Outcome outcome) {
        String id = String.valueOf(started.folder().path().getFileName());
        context.response().setStatusCode(outcome.status());
        JsonResponses.answer(
                context,
                JsonDocument.line(new Answer(
                        id, started.folder().path().toAbsolutePath().normalize().toString(), outcome.message())));
    }

    /** Polls at intervals and holds no thread meanwhile. */
    private Future<Outcome> outcome(RunLauncher.Started started, long until) {
        return work.run(seen(started)).compose(seen -> {
            if (seen.isPresent()) {
                return Future.succeededFuture(seen.get());
            } else if (System.nanoTime() > until) {
                return Future.succeededFuture(new Outcome(ACCEPTED, "is being started"));
            }
            Promise<Void> later = Promise.promise();
            work.vertx().setTimer(LOOK_MILLIS, timer -> later.complete());
            return later.future().compose(waited -> outcome(started, until));
        });
    }

    /** Throws a {@link HttpError} if the start has failed. */
    private static Callable<Optional<Outcome>> seen(RunLauncher.Started started) {
        return () -> {
            boolean isAlive = started.process().isAlive();
            if (started.isServed()) {
                return Optional.of(new Outcome(CREATED, "is being trained in a process of its own"));
            } else if (isAlive) {
                return Optional.empty();
            } else if (started.process().exitValue() == 0) {
                return Optional.of(new Outcome(CREATED, "has ended already"));
            }
            throw started.failed();
        };
    }
}
