package hocket.workbench.live;

import hocket.schedulers.Command;
import hocket.schedulers.Event;
import hocket.schedulers.Steering;
import hocket.schedulers.Writes;
import hocket.scopes.Declaration;
import hocket.scopes.Path;
import hocket.scopes.Tensor;
import hocket.workbench.json.CommandLines;
import hocket.workbench.json.JsonDocument;
import hocket.workbench.plans.ExplainFacts;
import hocket.workbench.plans.PlanFacts;
import hocket.workbench.runs.Fork;
import hocket.workbench.runs.Journal;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What can be asked of runs over HTTP, as {@code openapi.json} says: answers are records, in JSON. */
final class Api {
    /** Where commands go. */
    static final String COMMANDS = "/api/runs/:run/commands";

    private static final int USUAL_POINTS = 1000;
    private static final int MOST_POINTS = 10_000;
    private static final int MOST_SERIES = 100;
    private static final int MOST_BINS = 1000;
    private static final int MOST_LINES = 10_000;
    private static final long MOST_LOG_BYTES = 1 << 20;
    private static final int IDS = 10_000;
    private static final int COMMANDS_A_SECOND = 20;
    private static final long ANSWER_SECONDS = 20;
    private static final Pattern PICTURE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{8,64}");

    private final Vertx vertx;
    private final Supplier<List<? extends ServedRun>> runs;
    private final Set<String> ids = new HashSet<>();
    private final Deque<String> oldestIds = new ArrayDeque<>();
    private final Deque<Long> lately = new ArrayDeque<>();

    Api(Vertx vertx, Supplier<List<? extends ServedRun>> runs) {
        this.vertx = vertx;
        this.runs = runs;
    }

    /** Something that is not there. */
    static final class MissingException extends RuntimeException {
        MissingException(String message) {
            super(message);
        }
    }

    /** Too much at once. */
    private static final class BusyException extends RuntimeException {
        BusyException(String message) {
            super(message);
        }
    }

    void routes(Router router) {
        router.get("/api/runs")
                .handler(answering(context -> new RunFacts.All(
                        runs.get().stream().map(ServedRun::facts).toList())));
        get(router, "", (run, context) -> run.facts());
        get(router, "/plan", (run, context) -> plan(run.experiment()));
        get(router, "/explain", (run, context) -> explain(run.experiment()));
        get(router, "/experiment", (run, context) -> experiment(run));
        get(router, "/series", (run, context) -> series(run));
        get(router, "/metrics", Api::metrics);
        get(
                router,
                "/samples",
                (run, context) -> new Pictures(pictures(run.folder().samples(), ".png")));
        get(
                router,
                "/films",
                (run, context) -> new Films(pictures(run.folder().path().resolve("films"), ".gif")));
        get(router, "/parameters", (run, context) -> parameters(run));
        get(router, "/histogram", Api::histogram);
        get(router, "/checkpoints", (run, context) -> checkpoints(run.folder()));
        get(router, "/log", Api::log);
        get(
                router,
                "/journal",
                (run, context) ->
                        new RunFacts.Commands(Journal.read(run.folder().journal()).stream()
                                .map(RunFacts.Entry::of)
                                .toList()));
        router.get("/api/runs/:run/samples/:name")
                .handler(context -> picture(context, run -> run.folder().samples(), ".png", "image/png"));
        router.get("/api/runs/:run/films/:name")
                .handler(context -> picture(context, run -> run.folder().path().resolve("films"), ".gif", "image/gif"));
        router.post(COMMANDS).handler(this::command);
    }

    private interface Question {
        Record answer(ServedRun run, RoutingContext context);
    }

    private void get(Router router, String path, Question question) {
        router.get("/api/runs/:run" + path).handler(answering(context -> question.answer(run(context), context)));
    }

    private io.vertx.core.Handler<RoutingContext> answering(Function<RoutingContext, Record> question) {
        return context ->
                answer(context, vertx.executeBlocking(() -> JsonDocument.line(question.apply(context)), false));
    }

    private static void answer(RoutingContext context, Future<String> text) {
        text.onSuccess(json -> context.response()
                        .putHeader("Content-Type", "application/json")
                        .end(json))
                .onFailure(context::fail);
    }

    /** @throws MissingException if there is none of that id */
    ServedRun run(RoutingContext context) {
        String id = context.pathParam("run");
        return runs.get().stream()
                .filter(run -> run.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new MissingException("there is no run " + Guard.shown(String.valueOf(id))));
    }

    /** What a failure says, and by which status. */
    static void failed(RoutingContext context) {
        Throwable failure = context.failure();
        while (failure instanceof CompletionException && failure.getCause() != null) {
            failure = failure.getCause();
        }
        int status = context.statusCode();
        if (failure instanceof MissingException) {
            Guard.refuse(context, 404, String.valueOf(failure.getMessage()));
        } else if (failure instanceof BusyException) {
            context.response().putHeader("Retry-After", "1");
            Guard.refuse(context, 429, String.valueOf(failure.getMessage()));
        } else if (failure instanceof IllegalArgumentException) {
            Guard.refuse(context, 400, String.valueOf(failure.getMessage()));
        } else if (failure instanceof IllegalStateException || failure instanceof Refusal) {
            Guard.refuse(context, 409, String.valueOf(failure.getMessage()));
        } else if (failure instanceof UncheckedIOException) {
            Guard.refuse(context, 503, String.valueOf(failure.getMessage()));
        } else if (status >= 400 && status < 500) {
            Guard.refuse(context, status, status == 413 ? "the body is too long" : "cannot be understood");
        } else {
            Guard.refuse(context, 500, "this should not have happened");
        }
    }

    // What is known without asking the training thread.

    private static PlanFacts plan(Selected selected) {
        return PlanFacts.of(
                selected.name(),
                selected.summary(),
                selected.seed(),
                selected.file().settings(),
                selected.setup().turnsByName().keySet(),
                selected.setup(),
                selected.further());
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

    private record Experiment(String yaml, Map<String, String> settings) {}

    private static Experiment experiment(ServedRun run) {
        return new Experiment(
                text(run.folder().experiment()), run.experiment().file().settings());
    }

    private record SeriesList(List<Known> series) {
        record Known(String name, long count, double last) {}
    }

    private static SeriesList series(ServedRun run) {
        List<SeriesList.Known> known = new ArrayList<>();
        run.curves()
                .byName()
                .forEach((name, curve) -> known.add(new SeriesList.Known(name, curve.count(), curve.last())));
        return new SeriesList(known);
    }

    private record Metrics(Map<String, Curve.Points> series) {}

    private static Metrics metrics(ServedRun run, RoutingContext context) {
        List<String> names = context.queryParam("series");
        if (names.isEmpty() || names.size() > MOST_SERIES) {
            throw new IllegalArgumentException(
                    "series: must be named, 1 to " + MOST_SERIES + " of them, were " + names.size());
        }
        double from = number(context, "from", 0);
        double to = number(context, "to", Double.MAX_VALUE);
        int points = (int) whole(context, "points", USUAL_POINTS, 3, MOST_POINTS);
        Map<String, Curve> known = run.curves().byName();
        Map<String, Curve.Points> found = new LinkedHashMap<>();
        for (String name : names) {
            Curve curve = known.get(name);
            found.put(
                    name,
                    curve == null
                            ? new Curve.Points(new double[0], new double[0], 0)
                            : curve.between(from, to).thinned(points));
        }
        return new Metrics(found);
    }

    private static double number(RoutingContext context, String key, double usually) {
        List<String> given = context.queryParam(key);
        if (given.isEmpty()) {
            return usually;
        }
        try {
            double number = Double.parseDouble(given.get(0));
            if (given.size() == 1 && Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(key + ": must be one finite number, was " + Guard.shown(given.toString()));
    }

    private static long whole(RoutingContext context, String key, long usually, long least, long most) {
        double number = number(context, key, usually);
        if (number != Math.rint(number) || number < least || number > most) {
            throw new IllegalArgumentException(
                    key + ": must be a whole number from " + least + " to " + most + ", was " + number);
        }
        return (long) number;
    }

    // Files.

    private record Picture(String name, @Nullable Long step, double time) {}

    private record Pictures(List<Picture> samples) {}

    private record Films(List<Picture> films) {}

    private static List<Picture> pictures(java.nio.file.Path folder, String ending) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<java.nio.file.Path> files = Files.list(folder)) {
            List<Picture> found = new ArrayList<>();
            for (java.nio.file.Path file : files.sorted().toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(ending)
                        && !name.equals("latest.png")
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(new Picture(
                            name.substring(0, name.length() - ending.length()),
                            null,
                            Files.getLastModifiedTime(file).toMillis() / 1000.0));
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("the pictures cannot be listed", e);
        }
    }

    private void picture(
            RoutingContext context, Function<ServedRun, java.nio.file.Path> folder, String ending, String type) {
        vertx.executeBlocking(() -> bytes(folder.apply(run(context)), context.pathParam("name"), ending), false)
                .onSuccess(bytes ->
                        context.response().putHeader("Content-Type", type).end(Buffer.buffer(bytes)))
                .onFailure(context::fail);
    }

    /** By a plain name of a plain file: nothing leads out of the folder. */
    private static byte[] bytes(java.nio.file.Path folder, @Nullable String name, String ending) {
        if (name == null || !PICTURE.matcher(name).matches()) {
            throw new MissingException("there is no picture of that name");
        }
        java.nio.file.Path file = folder.resolve(name + ending);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new MissingException("there is no picture " + name);
        }
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new MissingException("there is no picture " + name);
        } catch (IOException e) {
            throw new UncheckedIOException("the picture cannot be read", e);
        }
    }

    private static String text(java.nio.file.Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new MissingException("there is no " + file.getFileName());
        }
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.getFileName() + " cannot be read", e);
        }
    }

    private record Log(List<String> lines) {}

    private static Log log(ServedRun run, RoutingContext context) {
        int most = (int) whole(context, "lines", 200, 1, MOST_LINES);
        java.nio.file.Path file = run.folder().log();
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return new Log(List.of());
        }
        try (java.io.RandomAccessFile in = new java.io.RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, in.length() - MOST_LOG_BYTES);
            byte[] end = new byte[(int) (in.length() - from)];
            in.seek(from);
            in.readFully(end);
            List<String> lines = new String(end, java.nio.charset.StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return new Log(lines.subList(Math.max(from == 0 ? 0 : 1, lines.size() - most), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException("the log cannot be read", e);
        }
    }

    private record Checkpoint(long step, double time, long bytes, boolean best) {}

    private record CheckpointList(List<Checkpoint> checkpoints) {}

    private static CheckpointList checkpoints(RunFolder folder) {
        List<Checkpoint> found = new ArrayList<>();
        for (java.nio.file.Path parent : List.of(folder.checkpoints(), folder.best())) {
            if (!Files.isDirectory(parent)) {
                continue;
            }
            try (Stream<java.nio.file.Path> entries = Files.list(parent)) {
                for (java.nio.file.Path entry : entries.sorted().toList()) {
                    Matcher name = Pattern.compile("\\d{8,18}").matcher(String.valueOf(entry.getFileName()));
                    if (name.matches() && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                        found.add(new Checkpoint(
                                Long.parseLong(name.group()),
                                Files.getLastModifiedTime(entry).toMillis() / 1000.0,
                                bytes(entry),
                                parent.equals(folder.best())));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("the checkpoints cannot be listed", e);
            }
        }
        return new CheckpointList(found);
    }

    private static long bytes(java.nio.file.Path folder) throws IOException {
        long sum = 0;
        try (Stream<java.nio.file.Path> files = Files.list(folder)) {
            for (java.nio.file.Path file : files.toList()) {
                sum += Files.size(file);
            }
        }
        return sum;
    }

    // Parameters, of snapshots.

    private record ParameterFacts(
            String path,
            List<Integer> shape,
            String type,
            String kind,
            long count,
            double norm,
            double mean,
            double smallest,
            double largest,
            List<String> writtenBy) {}

    private record ParameterList(Event.Position at, List<ParameterFacts> parameters) {}

    private static ServedRun.Moment moment(ServedRun run) {
        try {
            return run.parameters().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new BusyException("the run takes a long turn: ask again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BusyException("interrupted");
        } catch (java.util.concurrent.ExecutionException e) {
            throw e.getCause() instanceof RuntimeException refused ? refused : new IllegalStateException(e.getCause());
        }
    }

    private static ParameterList parameters(ServedRun run) {
        ServedRun.Moment moment = moment(run);
        Selected selected = run.experiment();
        Map<Path, Declaration> declared = new LinkedHashMap<>();
        selected.setup().declarations().forEach(each -> declared.put(each.path(), each));
        Map<Path, List<String>> writers = Writes.of(
                        selected.setup().turnsByName().values(),
                        selected.setup().declarations())
                .byPath();
        List<ParameterFacts> all = new ArrayList<>();
        moment.snapshot().tensors().forEach((path, tensor) -> {
            Declaration declaration = declared.get(path);
            all.add(parameter(path, tensor, declaration, writers.getOrDefault(path, List.of())));
        });
        return new ParameterList(moment.at(), all);
    }

    private static ParameterFacts parameter(
            Path path, Tensor tensor, @Nullable Declaration declaration, List<String> writtenBy) {
        double[] values = tensor.doubles();
        double squares = 0;
        double sum = 0;
        double smallest = Double.POSITIVE_INFINITY;
        double largest = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            squares += value * value;
            sum += value;
            smallest = Math.min(smallest, value);
            largest = Math.max(largest, value);
        }
        List<Integer> shape = new ArrayList<>();
        for (int i = 0; i < tensor.shape().rank(); i++) {
            shape.add(tensor.shape().get(i));
        }
        return new ParameterFacts(
                path.text(),
                shape,
                tensor.type().toString().toLowerCase(java.util.Locale.ROOT),
                declaration != null && declaration.kind() == Declaration.Kind.RUNNING_STATISTIC
                        ? "statistic"
                        : "weight",
                values.length,
                Math.sqrt(squares),
                values.length == 0 ? 0 : sum / values.length,
                smallest,
                largest,
                writtenBy);
    }

    private record Histogram(String path, Event.Position at, double[] edges, long[] counts) {}

    private static Histogram histogram(ServedRun run, RoutingContext context) {
        int bins = (int) whole(context, "bins", 40, 1, MOST_BINS);
        List<String> paths = context.queryParam("path");
        if (paths.size() != 1) {
            throw new IllegalArgumentException("path: must be named once");
        }
        ServedRun.Moment moment = moment(run);
        double[] values = java.util.Arrays.stream(
                        moment.snapshot().tensor(paths.get(0)).doubles())
                .filter(Double::isFinite)
                .toArray();
        double low = java.util.Arrays.stream(values).min().orElse(0);
        double high = java.util.Arrays.stream(values).max().orElse(0);
        double width = high > low ? (high - low) / bins : 1.0 / bins;
        double[] edges = new double[bins + 1];
        for (int i = 0; i <= bins; i++) {
            edges[i] = low + i * width;
        }
        long[] counts = new long[bins];
        for (double value : values) {
            counts[(int) Math.min(bins - 1, (value - low) / width)]++;
        }
        return new Histogram(paths.get(0), moment.at(), edges, counts);
    }

    // Commands.

    private record Done(
            @Nullable Long number,
            String command,
            long step,
            long round,
            String message,
            @Nullable String folder,
            @Nullable String run) {}

    private void command(RoutingContext context) {
        String type = context.request().getHeader("Content-Type");
        if (type == null || !type.strip().matches("application/json(;\\s*charset=utf-8)?")) {
            Guard.refuse(context, 415, "a command must be of type application/json");
            return;
        }
        String body = context.body().asString("UTF-8");
        String by = (context.request().getHeader("Origin") != null ? "page" : "api") + " at "
                + context.request().remoteAddress().host();
        answer(
                context,
                vertx.executeBlocking(
                        () -> JsonDocument.line(command(run(context), body == null ? "" : body, by)), false));
    }

    private Done command(ServedRun run, String body, String by) {
        CommandLines.Asked asked = CommandLines.read(body);
        if (!ID.matcher(asked.id()).matches()) {
            throw new IllegalArgumentException(
                    "id: must be 8 to 64 letters, digits or -, fresh for each command, such as a UUID");
        }
        Steering steering = run.steering()
                .orElseThrow(() ->
                        new IllegalStateException(run.id() + " is not being trained here: nobody takes commands"));
        admit(asked.id());
        Command command = asked.command();
        RunFolder into = null;
        if (command instanceof Command.Fork) {
            into = into(run, asked.name());
            command = new Command.Fork(String.valueOf(into.path().getFileName()));
        } else if (command instanceof Command.Start) {
            command = new Command.Resume();
        }
        if (into != null && asked.checkpoint().isPresent()) {
            return forked(
                    run, into, asked, asked.checkpoint().getAsLong(), new Done(null, "fork", 0, 0, "", null, null));
        }
        Done done = await(steering.ask(command, by), command);
        return into == null || done.number() == null ? done : forked(run, into, asked, done.step(), done);
    }

    private static Done forked(ServedRun run, RunFolder into, CommandLines.Asked asked, long step, Done done) {
        Fork.of(run.folder(), step, into);
        if (asked.start()) {
            Launch.resume(into);
        }
        return new Done(
                done.number(),
                "fork",
                step,
                done.round(),
                asked.start()
                        ? "forked, and being trained in a process of its own"
                        : "forked; it goes on by " + Workplace.command("run", into, "--resume"),
                into.path().toString(),
                String.valueOf(into.path().getFileName()));
    }

    private static RunFolder into(ServedRun run, String name) {
        java.nio.file.Path runs =
                run.folder().path().toAbsolutePath().normalize().getParent();
        if (runs == null) {
            throw new IllegalStateException("there is no folder beside that of the run");
        }
        if (name.isEmpty()) {
            return RunFolder.free(runs, run.id() + "-fork");
        }
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw new IllegalArgumentException("name: must be letters, digits, ., _ or -, was " + Guard.shown(name));
        }
        RunFolder into = new RunFolder(runs.resolve(name));
        into.requireFree();
        return into;
    }

    /** Each once, and not too many. */
    private synchronized void admit(String id) {
        long now = System.nanoTime();
        while (!lately.isEmpty() && now - lately.element() > 1_000_000_000L) {
            lately.remove();
        }
        if (lately.size() >= COMMANDS_A_SECOND) {
            throw new BusyException("at most " + COMMANDS_A_SECOND + " commands a second");
        }
        if (!ids.add(id)) {
            throw new IllegalStateException("id: a command with it came before");
        }
        lately.add(now);
        oldestIds.add(id);
        if (oldestIds.size() > IDS) {
            ids.remove(oldestIds.remove());
        }
    }

    private static Done await(CompletableFuture<Steering.Outcome> answer, Command command) {
        String name = CommandLines.name(command);
        try {
            Steering.Outcome outcome = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            Optional<Steering.Applied> applied = outcome.applied();
            return new Done(
                    applied.map(Steering.Applied::number).orElse(null),
                    name,
                    applied.map(one -> one.at().step()).orElse(0L),
                    applied.map(one -> one.at().round()).orElse(0L),
                    outcome.message(),
                    null,
                    null);
        } catch (TimeoutException e) {
            return new Done(null, name, 0, 0, "the run takes a long turn; it is done after that", null, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BusyException("interrupted");
        } catch (java.util.concurrent.ExecutionException e) {
            Throwable why = e.getCause();
            throw why instanceof IllegalArgumentException || why instanceof IllegalStateException
                    ? new IllegalStateException(
                            why.getMessage(), why) // it does not fit the run, which is no fault of its form
                    : why instanceof RuntimeException failed ? failed : new IllegalStateException(why);
        }
    }
}
