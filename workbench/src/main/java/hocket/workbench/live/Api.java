package hocket.workbench.live;

import hocket.workbench.json.JsonDocument;
import hocket.workbench.plans.ExplainFacts;
import hocket.workbench.runs.Selected;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** What can be asked of runs over HTTP, as {@code openapi.json} says: which address is answered by whom. */
final class Api {
    /** Shorter than browsers wait; a turn may take longer. */
    private static final long WAIT_SECONDS = 20;

    private static final String RUN = "/api/runs/:run";
    private static final String COMMANDS = RUN + "/commands";
    private static final String ABOUT = RUN + "/about";

    private final BlockingWork work;
    private final Supplier<List<? extends ServedRun>> runs;
    private final Supplier<Optional<Starts>> starts;
    private final Relay relay;
    private final CommandAnswers commands = new CommandAnswers();

    /** @param starts what starts runs of a folder; empty where the run trains in this process */
    Api(BlockingWork work, Supplier<List<? extends ServedRun>> runs, Supplier<Optional<Starts>> starts) {
        this.work = work;
        this.runs = runs;
        this.starts = starts;
        relay = new Relay(work, context -> working(() -> run(context)));
    }

    /** Of a run. */
    private interface Question {
        Record answer(ServedRun run, Query query);
    }

    /** Of a run's parameters. */
    private interface Look {
        Record answer(ServedRun run, ServedRun.Moment moment, Query query);
    }

    void routes(Router router) {
        router.get("/api/runs").handler(context -> {
            new Query(context.queryParams(), Set.of());
            answer(context, all().compose(all -> working(() -> JsonDocument.line(all))));
        });
        for (String path : List.of(RUN, RUN + "/*")) {
            router.route(path).handler(this::elsewhere);
        }
        new StartAnswers(work, starts, this::run).routes(router);
        get(router, "", Set.of(), (run, query) -> run.facts());
        get(router, "/plan", Set.of(), (run, query) -> run.experiment().plan());
        get(router, "/explain", Set.of(), (run, query) -> explain(run.experiment()));
        get(router, "/experiment", Set.of(), (run, query) -> FolderAnswers.experiment(run));
        get(router, "/about", Set.of(), (run, query) -> FolderAnswers.about(run));
        get(router, "/series", Set.of(), (run, query) -> SeriesAnswers.all(run));
        get(router, "/metrics", Set.of("series", "from", "to", "points"), SeriesAnswers::metrics);
        get(router, "/samples", Set.of(), (run, query) -> FolderAnswers.samples(run));
        get(router, "/films", Set.of(), (run, query) -> FolderAnswers.films(run));
        get(router, "/checkpoints", Set.of(), (run, query) -> FolderAnswers.checkpoints(run));
        get(router, "/log", Set.of("lines"), FolderAnswers::log);
        get(router, "/journal", Set.of(), (run, query) -> FolderAnswers.journal(run));
        look(router, "/parameters", Set.of(), (run, moment, query) -> ParameterAnswers.parameters(run, moment));
        look(
                router,
                "/histogram",
                Set.of("path", "bins"),
                (run, moment, query) -> ParameterAnswers.histogram(moment, query));
        for (FolderAnswers.Kind kind : FolderAnswers.Kind.values()) {
            router.get(RUN + "/" + kind.word() + "/:name").handler(context -> picture(context, kind));
        }
        router.post(COMMANDS).handler(Guard::requireJson);
        router.post(COMMANDS).handler(this::command);
        router.post(ABOUT).handler(Guard::requireJson);
        router.post(ABOUT).handler(context -> {
            new Query(context.queryParams(), Set.of());
            String body = body(context);
            answer(context, working(() -> JsonDocument.line(FolderAnswers.note(run(context), body))));
        });
    }

    /** Runs of a folder may train in other processes, which are asked all but to start. */
    private void elsewhere(RoutingContext context) {
        if (starts.get().isPresent() && !context.normalizedPath().matches("/api/runs/[^/]+/start")) {
            relay.pass(context);
        } else {
            context.next();
        }
    }

    /** Closes the WebSockets that are passed on. Gives whether there was one. */
    boolean end() {
        return relay.end();
    }

    private Future<RunFacts.All> all() {
        Optional<Starts> folder = starts.get();
        return working(() -> List.copyOf(runs.get()))
                .compose(found -> Future.all(found.stream()
                        .map(run -> folder.isPresent() ? nearest(run) : working(run::facts))
                        .toList()))
                .map(facts -> new RunFacts.All(
                        facts.list(),
                        folder.map(starting -> starting.isOfNew() ? "runs" : "run")
                                .orElse("process")));
    }

    /** What its process says of it, or else its folder. */
    private Future<RunFacts> nearest(ServedRun run) {
        return relay.neighbours()
                .soon(run)
                .compose(found ->
                        found.isPresent() ? Future.succeededFuture(found.get().facts()) : working(run::facts));
    }

    private void get(Router router, String path, Set<String> parameters, Question question) {
        router.get(RUN + path).handler(context -> {
            Query query = new Query(context.queryParams(), parameters);
            answer(context, working(() -> JsonDocument.line(question.answer(run(context), query))));
        });
    }

    /** The parameters are awaited without a thread: a turn may be long, and others ask meanwhile. */
    private void look(Router router, String path, Set<String> parameters, Look look) {
        router.get(RUN + path).handler(context -> {
            Query query = new Query(context.queryParams(), parameters);
            answer(
                    context,
                    working(() -> run(context))
                            .compose(run -> moment(run, context)
                                    .compose(moment ->
                                            working(() -> JsonDocument.line(look.answer(run, moment, query))))));
        });
    }

    /** The parameters of now. A client that is gone, or has waited {@link #WAIT_SECONDS}, withdraws its question. */
    private Future<ServedRun.Moment> moment(ServedRun run, RoutingContext context) {
        CompletableFuture<ServedRun.Moment> asked = run.parameters();
        context.response().closeHandler(gone -> asked.cancel(false));
        return Future.fromCompletionStage(
                        asked.orTimeout(WAIT_SECONDS, TimeUnit.SECONDS),
                        work.vertx().getOrCreateContext())
                .recover(failure -> Future.failedFuture(
                        failure instanceof TimeoutException
                                ? Denial.unavailable("the run takes a long turn: ask again")
                                : failure));
    }

    private <T> Future<T> working(Callable<T> asked) {
        return work.run(asked);
    }

    private static void answer(RoutingContext context, Future<String> json) {
        json.onSuccess(text -> Answers.answer(context, text)).onFailure(context::fail);
    }

    /** @throws Denial if there is none of that id */
    ServedRun run(RoutingContext context) {
        String id = String.valueOf(context.pathParam("run"));
        return runs.get().stream()
                .filter(run -> run.id().equals(id))
                .findFirst()
                .orElseThrow(() -> Denial.missing("there is no run " + Guard.shown(id)));
    }

    private static ExplainFacts explain(Selected selected) {
        return ExplainFacts.of(
                selected.name(),
                selected.summary(),
                selected.setup(),
                selected.further(),
                Optional.empty(),
                selected.file().threads());
    }

    private void picture(RoutingContext context, FolderAnswers.Kind kind) {
        new Query(context.queryParams(), Set.of());
        String name = String.valueOf(context.pathParam("name"));
        working(() -> FolderAnswers.picture(run(context), kind, name))
                .onSuccess(bytes -> context.response()
                        .putHeader("Content-Type", kind.type())
                        .end(Buffer.buffer(bytes)))
                .onFailure(context::fail);
    }

    private static String body(RoutingContext context) {
        Buffer sent = context.body().buffer();
        return sent == null ? "" : sent.toString(StandardCharsets.UTF_8);
    }

    private void command(RoutingContext context) {
        new Query(context.queryParams(), Set.of());
        String body = body(context);
        String by = (context.request().getHeader("Origin") != null ? "page" : "api") + " at "
                + context.request().remoteAddress().hostAddress();
        answer(
                context,
                working(() -> commands.take(run(context), body, by))
                        .compose(taken -> Future.fromCompletionStage(
                                        CommandAnswers.give(taken), work.vertx().getOrCreateContext())
                                .compose(given ->
                                        working(() -> JsonDocument.line(CommandAnswers.finish(taken, given))))));
    }
}
