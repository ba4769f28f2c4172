package hocket.workbench.live.handlers;

import hocket.schedulers.Source.Column;
import hocket.schedulers.formats.Npy;
import hocket.scopes.Tensor;
import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.JsonResponses;
import hocket.workbench.live.http.Query;
import hocket.workbench.live.http.Routes;
import hocket.workbench.live.http.RowBodies;
import hocket.workbench.live.inference.BusyException;
import hocket.workbench.live.inference.InferenceResult;
import hocket.workbench.live.inference.ModelServer;
import hocket.workbench.live.inference.ParameterCopy;
import hocket.workbench.live.inference.Servable;
import hocket.workbench.live.json.ResultLines;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.online.MalformedRowsException;
import hocket.workbench.online.RowBatch;
import hocket.workbench.online.RowFormat;
import hocket.workbench.runs.SelectedExperiment;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Runs a run's programs on rows: {@code POST /api/runs/RUN/infer/PROGRAM} takes JSON lines or a NumPy file and answers
 * in the same format; the header {@value JsonResponses#STEP} is the turn of the parameters.
 */
public final class InferHandler {

    /** A limit, so that one large request does not delay the others. */
    private static final int MOST_ROWS = 1000;
    /** The limit of numbers: some megabytes in binary, tens of megabytes as text. */
    private static final long MOST_NUMBERS = 1 << 20;
    /** The number of runs whose parameters are kept in memory. */
    private static final int MOST_RUNS = 4;

    private final BlockingWork work;
    private final Function<RoutingContext, ServedRun> runs;
    private final Map<ServedRun, Model> models = new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;

    /** @param runs returns the run of an address, or throws a {@link HttpError} */
    public InferHandler(BlockingWork work, Function<RoutingContext, ServedRun> runs) {
        this.work = work;
        this.runs = runs;
    }

    private record Input(String name, List<Integer> shape, String type, boolean noise) {}

    private record Output(String name, List<Integer> shape, String type) {}

    private record Asked(String name, List<Input> inputs, List<Output> outputs) {}

    private record All(List<Asked> programs) {}

    public void routes(Routes routes) {
        routes.onRecord("programs", (context, query) -> all(runs.apply(context)));
        routes.on("infer", this::infer);
    }

    private static All all(ServedRun run) {
        return new All(Servable.all(run.experiment().setup()).stream()
                .map(each -> new Asked(
                        each.name(),
                        each.inputs().stream()
                                .map(column -> new Input(
                                        column.name(),
                                        extents(column),
                                        type(column),
                                        each.noises().contains(column.name())))
                                .toList(),
                        each.outputs().stream()
                                .map(column -> new Output(column.name(), extents(column), type(column)))
                                .toList()))
                .toList());
    }

    private static List<Integer> extents(Column column) {
        return Arrays.stream(column.shape().extents()).boxed().toList();
    }

    private static String type(Column column) {
        return column.type().toString().toLowerCase(Locale.ROOT);
    }

    /** The predictor of a run and the experiment that it was built from; a changed experiment gets a new one. */
    private static final class Model {
        private final SelectedExperiment selectedExperiment;
        private final ModelServer server;

        Model(ServedRun run, SelectedExperiment selectedExperiment) {
            this.selectedExperiment = selectedExperiment;
            this.server = new ModelServer(selectedExperiment.setup(), selectedExperiment.seed(), () -> copy(run));
        }

        /** Returns the answer; cancelling it withdraws the request. */
        private static CompletableFuture<ParameterCopy> copy(ServedRun run) {
            CompletableFuture<ServedRun.Moment> asked = run.parameters();
            CompletableFuture<ParameterCopy> copy =
                    asked.thenApply(moment -> new ParameterCopy(moment.at().step(), moment.snapshot(), moment.nanos()));
            copy.whenComplete((answer, failure) -> asked.cancel(false));
            return copy;
        }
    }

    private ModelServer of(ServedRun run) {
        SelectedExperiment selectedExperiment = run.experiment(); // may take its time, and holds up nobody else
        synchronized (models) {
            Model known = models.get(run);
            if (known != null && known.selectedExperiment != selectedExperiment) {
                known.server.close();
                models.remove(run);
                known = null;
            }
            if (known == null) {
                makeRoom();
                known = new Model(run, selectedExperiment);
                models.put(run, known);
            }
            return known.server;
        }
    }

    /** Closes those that were used longest ago and have no open request. */
    private void makeRoom() {
        Iterator<Model> eldest = models.values().iterator();
        while (models.size() >= MOST_RUNS && eldest.hasNext()) {
            Model model = eldest.next();
            if (model.server.isIdle()) {
                model.server.close();
                eldest.remove();
            }
        }
        if (closed || models.size() >= MOST_RUNS) {
            throw HttpError.unavailable(
                    closed ? "the server is closing" : MOST_RUNS + " runs are in use already: try again");
        }
    }

    /** Asks the current predictor; never one that was closed meanwhile. */
    private CompletableFuture<InferenceResult> ask(ServedRun run, ModelServer server, Servable.Question question) {
        synchronized (models) {
            Model known = models.get(run);
            if (known == null || known.server != server) {
                throw HttpError.unavailable("the run was restarted: try again");
            }
            return server.ask(question);
        }
    }

    private void infer(RoutingContext context, Query query) {
        String type = RowBodies.type(context);
        byte[] bytes = RowBodies.bytes(context);
        boolean asNumpy = type.equals(RowBodies.NPY)
                || RowBodies.NPY.equals(context.request().getHeader("Accept"));
        work.run(() -> {
                    ServedRun run = runs.apply(context);
                    ModelServer by = of(run);
                    Servable servable = servable(by, context.pathParam("program"));
                    List<Column> all = servable.outputs();
                    List<String> names = all.stream().map(Column::name).toList();
                    int first = names.indexOf(query.word("output", names));
                    boolean isOne = asNumpy || query.has("output");
                    return ask(run, by, question(servable, query, type, bytes))
                            .thenApply(inferenceResult -> new Given(
                                    inferenceResult.step(),
                                    isOne ? all.subList(first, first + 1) : all,
                                    isOne
                                            ? inferenceResult.outputs().subList(first, first + 1)
                                            : inferenceResult.outputs()));
                })
                .compose(answer ->
                        Future.fromCompletionStage(answer, work.vertx().getOrCreateContext()))
                .compose(given -> work.run(() -> given.body(asNumpy))
                        .onSuccess(body -> context.response()
                                .putHeader("Content-Type", asNumpy ? RowBodies.NPY : RowBodies.LINES)
                                .putHeader(JsonResponses.STEP, Long.toString(given.step()))
                                .end(body)))
                .onFailure(failure -> refused(context, failure));
    }

    private static Servable servable(ModelServer by, String name) {
        try {
            return by.servable(name);
        } catch (IllegalArgumentException e) {
            throw HttpError.missing(String.valueOf(e.getMessage()));
        }
    }

    private static Servable.Question question(Servable servable, Query query, String type, byte[] bytes)
            throws MalformedRowsException {
        long seed = query.whole("seed");
        Optional<RowFormat> format = servable.format(query.word("noise").equals("given"));
        int rows;
        Servable.Question question;
        if (format.isEmpty()) {
            if (bytes.length > 0) {
                throw HttpError.wrong(
                        "rows",
                        "nothing is given to " + servable.name() + " except the number of rows:"
                                + " omit the body, or set noise=given to send its noise");
            }
            rows = query.has("rows") ? query.whole("rows") : 1;
            question = servable.question(rows, seed);
        } else {
            if (query.has("rows")) {
                throw HttpError.wrong("rows", "must be omitted: the body has the rows");
            }
            if (!RowBodies.TYPES.contains(type)) { // where nothing came, it was not looked at
                throw HttpError.wrong("body", "must contain rows of " + format.get());
            }
            RowBatch given = RowBodies.read(format.get(), type, bytes);
            rows = given.rows();
            if (rows > MOST_ROWS) {
                throw HttpError.wrong("rows", "must be at most " + MOST_ROWS + " at a time, were " + rows);
            }
            question = HttpError.unless(() -> servable.question(given, seed));
        }
        long values = 0;
        for (Column output : servable.outputs()) {
            values += (long) rows * output.shape().size();
        }
        if (values > MOST_NUMBERS) {
            throw HttpError.wrong(
                    "rows",
                    "give " + values + " numbers, at most " + MOST_NUMBERS + " are allowed at a time: request fewer");
        }
        return question;
    }

    /** The content of an answer. */
    private record Given(long step, List<Column> columns, List<Tensor> values) {
        Buffer body(boolean asNumpy) {
            if (!asNumpy) {
                return Buffer.buffer(ResultLines.of(columns, values));
            }
            Buffer file = Buffer.buffer();
            for (ByteBuffer part : Npy.parts(values.get(0))) {
                byte[] bytes = new byte[part.remaining()];
                part.get(bytes);
                file.appendBytes(bytes);
            }
            return file;
        }
    }

    private static void refused(RoutingContext context, Throwable failure) {
        if (failure instanceof MalformedRowsException wrong) {
            RowBodies.refuse(context, 400, RowBodies.NotTaken.Why.of(wrong));
        } else if (failure instanceof BusyException) {
            context.fail(HttpError.tooMany(String.valueOf(failure.getMessage())));
        } else if (failure instanceof TimeoutException) {
            context.fail(HttpError.unavailable("the run is in a long turn: try again"));
        } else {
            context.fail(failure);
        }
    }

    /** Answers no more. */
    public void close() {
        synchronized (models) {
            closed = true;
            models.values().forEach(model -> model.server.close());
            models.clear();
        }
    }
}
