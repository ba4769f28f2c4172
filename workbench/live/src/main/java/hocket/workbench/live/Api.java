package hocket.workbench.live;

import hocket.workbench.live.handlers.CommandHandler;
import hocket.workbench.live.handlers.FolderHandler;
import hocket.workbench.live.handlers.MetricHandler;
import hocket.workbench.live.handlers.ParameterHandler;
import hocket.workbench.live.handlers.StartHandler;
import hocket.workbench.live.http.AccessGuard;
import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.Query;
import hocket.workbench.live.http.Routes;
import hocket.workbench.live.http.RowBodies;
import hocket.workbench.live.peers.ProcessLimit;
import hocket.workbench.live.peers.ReverseProxy;
import hocket.workbench.live.peers.RunLauncher;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.plans.ExplainFacts;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** The HTTP API of runs: maps the operations of {@code openapi.json} to handlers. */
final class Api {
    /** Shorter than browsers wait; a turn may take longer. */
    private static final long WAIT_SECONDS = 20;

    private final BlockingWork work;
    private final Supplier<List<? extends ServedRun>> runs;
    private final Supplier<Optional<RunLauncher>> starts;
    private final ReverseProxy reverseProxy;
    private final CommandHandler commands = new CommandHandler(new ProcessLimit(ProcessLimit.USUAL));

    /** @param starts starts runs of a folder; empty if the server shows the run of its own process */
    Api(BlockingWork work, Supplier<List<? extends ServedRun>> runs, Supplier<Optional<RunLauncher>> starts) {
        this.work = work;
        this.runs = runs;
        this.starts = starts;
        reverseProxy = new ReverseProxy(work, context -> working(() -> run(context)));
    }

    /** A request about a run. */
    private interface Question {
        Record answer(ServedRun run, Query query);
    }

    /** A request about a run's parameters. */
    private interface RunQuestion {
        Record answer(ServedRun run, ServedRun.Moment moment, Query query);
    }

    void routes(Routes routes) {
        routes.on("runs", (context, query) -> routes.answer(context, all()));
        new StartHandler(work, starts, this::run).routes(routes);
        ask(routes, "run", (run, query) -> run.facts());
        ask(routes, "plan", (run, query) -> run.experiment().plan());
        ask(routes, "explain", (run, query) -> explain(run.experiment()));
        ask(routes, "experiment", (run, query) -> FolderHandler.experiment(run));
        ask(routes, "about", (run, query) -> FolderHandler.about(run));
        ask(routes, "series", (run, query) -> MetricHandler.all(run));
        ask(routes, "metrics", MetricHandler::metrics);
        ask(routes, "samples", (run, query) -> FolderHandler.samples(run));
        ask(routes, "films", (run, query) -> FolderHandler.films(run));
        ask(routes, "checkpoints", (run, query) -> FolderHandler.checkpoints(run));
        ask(routes, "log", FolderHandler::log);
        ask(routes, "journal", (run, query) -> FolderHandler.journal(run));
        look(routes, "parameters", (run, moment, query) -> ParameterHandler.parameters(run, moment));
        look(routes, "histogram", (run, moment, query) -> ParameterHandler.histogram(moment, query));
        routes.on("sample", (context, query) -> picture(context, FolderHandler.Kind.SAMPLE));
        routes.on("film", (context, query) -> picture(context, FolderHandler.Kind.FILM));
        routes.on("command", (context, query) -> routes.answer(context, command(context)));
        routes.onRecord("note", (context, query) -> FolderHandler.note(run(context), RowBodies.text(context)));
    }

    /** Runs of a folder may train in other processes, which answer all requests but starts. */
    void elsewhere(RoutingContext context) {
        if (starts.get().isPresent() && !Routes.isOf("goOn", context.normalizedPath())) {
            reverseProxy.pass(context);
        } else {
            context.next();
        }
    }

    /** Closes the WebSockets that are passed on. Returns whether there was one. */
    boolean end() {
        return reverseProxy.end();
    }

    private Future<RunFacts.All> all() {
        Optional<RunLauncher> folder = starts.get();
        return working(() -> List.copyOf(runs.get()))
                .compose(found -> Future.all(found.stream()
                        .map(run -> folder.isPresent() ? nearest(run) : working(run::facts))
                        .toList()))
                .map(facts -> new RunFacts.All(
                        facts.list(),
                        folder.map(starting -> starting.isOfNew() ? "runs" : "run")
                                .orElse("process")));
    }

    /** Returns the answer of the run's process, or else of its folder. */
    private Future<RunFacts> nearest(ServedRun run) {
        return reverseProxy
                .peers()
                .soon(run)
                .compose(found ->
                        found.isPresent() ? Future.succeededFuture(found.get().facts()) : working(run::facts));
    }

    private void ask(Routes routes, String operation, Question question) {
        routes.onRecord(operation, (context, query) -> question.answer(run(context), query));
    }

    /** Waiting for parameters holds no thread: a turn may be long, and other requests arrive meanwhile. */
    private void look(Routes routes, String operation, RunQuestion look) {
        routes.on(
                operation,
                (context, query) -> routes.answer(
                        context,
                        working(() -> run(context))
                                .compose(run -> moment(run, context)
                                        .compose(moment -> working(() -> look.answer(run, moment, query))))));
    }

    /**
     * Returns the current parameters. A client that is gone, or has waited {@link #WAIT_SECONDS}, withdraws its
     * request.
     */
    private Future<ServedRun.Moment> moment(ServedRun run, RoutingContext context) {
        CompletableFuture<ServedRun.Moment> asked = run.parameters();
        context.response().closeHandler(gone -> asked.cancel(false));
        return Future.fromCompletionStage(
                        asked.orTimeout(WAIT_SECONDS, TimeUnit.SECONDS),
                        work.vertx().getOrCreateContext())
                .recover(failure -> Future.failedFuture(
                        failure instanceof TimeoutException
                                ? HttpError.unavailable("the run is in a long turn: try again")
                                : failure));
    }

    private <T> Future<T> working(Callable<T> asked) {
        return work.run(asked);
    }

    /** @throws HttpError if there is no run of that id */
    ServedRun run(RoutingContext context) {
        String id = String.valueOf(context.pathParam("run"));
        return runs.get().stream()
                .filter(run -> run.id().equals(id))
                .findFirst()
                .orElseThrow(() -> HttpError.missing("there is no run " + AccessGuard.shown(id)));
    }

    private static ExplainFacts explain(SelectedExperiment selectedExperiment) {
        return ExplainFacts.of(
                selectedExperiment.name(),
                selectedExperiment.summary(),
                selectedExperiment.setup(),
                selectedExperiment.further(),
                Optional.empty(),
                selectedExperiment.file().threads());
    }

    private void picture(RoutingContext context, FolderHandler.Kind kind) {
        String name = String.valueOf(context.pathParam("name"));
        working(() -> FolderHandler.picture(run(context), kind, name))
                .onSuccess(bytes -> context.response()
                        .putHeader("Content-Type", kind.type())
                        .end(Buffer.buffer(bytes)))
                .onFailure(context::fail);
    }

    private Future<CommandHandler.Done> command(RoutingContext context) {
        String body = RowBodies.text(context);
        String by = (context.request().getHeader("Origin") != null ? "page" : "api") + " at "
                + context.request().remoteAddress().hostAddress();
        return working(() -> commands.take(run(context), body, by))
                .compose(taken -> Future.fromCompletionStage(
                                commands.give(taken), work.vertx().getOrCreateContext())
                        .compose(given -> working(() -> commands.finish(taken, given))));
    }
}
