package hocket.workbench.live.http;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.json.ApiDocument;
import hocket.workbench.live.json.ApiDocument.Operation;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The routes of the server. {@code openapi.json} alone defines the operations and their parameters; code adds a handler
 * for each operation id. A server with an unhandled operation does not start.
 */
public final class Routes {
    private static final String RESOURCE = "/hocket/workbench/live/openapi.json";
    private static final String API = "/api/";
    private static final String RUN = API + "runs/:run";

    public static final ApiDocument DOCUMENT = read();

    private final BlockingWork work;
    private final Map<String, BiConsumer<RoutingContext, Query>> answers = new HashMap<>();

    public Routes(BlockingWork work) {
        this.work = work;
    }

    private static ApiDocument read() {
        try (InputStream in = Routes.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing");
            }
            return ApiDocument.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds the handler of an operation.
     *
     * @param by runs on the server's thread; its exceptions are answered as errors
     */
    public void on(String operation, BiConsumer<RoutingContext, Query> by) {
        if (answers.put(operation, by) != null) {
            throw new IllegalStateException("operation " + operation + " has two handlers");
        }
    }

    /** Adds a handler that computes a record in parallel. */
    public void onRecord(String operation, Question question) {
        on(operation, (context, query) -> answer(context, work.run(() -> question.answer(context, query))));
    }

    /** Finds an answer. */
    public interface Question {
        Record answer(RoutingContext context, Query query) throws Exception;
    }

    /** Adds a handler that answers with a record after its future completes. */
    public void answer(RoutingContext context, Future<? extends Record> found) {
        found.compose(answer -> work.run(() -> JsonDocument.line(answer)))
                .onSuccess(json -> JsonResponses.answer(context, json))
                .onFailure(context::fail);
    }

    /**
     * Sets up the routes.
     *
     * @param elsewhere handles requests of a run before the run's own routes
     */
    public void mount(Router router, AccessGuard accessGuard, Handler<RoutingContext> elsewhere) {
        Set<String> known = DOCUMENT.operations().stream().map(Operation::id).collect(Collectors.toSet());
        if (!known.equals(answers.keySet())) {
            throw new IllegalStateException("openapi.json has operations " + new TreeSet<>(known) + ", the code "
                    + new TreeSet<>(answers.keySet()));
        }
        List<Operation> plainFirst = DOCUMENT.operations().stream()
                .sorted(Comparator.comparing(each -> each.path().contains("{")))
                .toList();
        plainFirst.stream().filter(each -> !isOfApi(each)).forEach(each -> mount(router, accessGuard, each));
        router.route(API + "*").handler(accessGuard::identify).handler(AccessGuard::readBody);
        for (String path : List.of(RUN, RUN + "/*")) {
            router.route(path).handler(elsewhere);
        }
        plainFirst.stream().filter(Routes::isOfApi).forEach(each -> mount(router, accessGuard, each));
    }

    private static boolean isOfApi(Operation operation) {
        return operation.path().startsWith(API);
    }

    private void mount(Router router, AccessGuard accessGuard, Operation operation) {
        HttpMethod method = HttpMethod.valueOf(operation.method());
        boolean isFile = !isOfApi(operation) && operation.path().contains("{");
        Route route = isFile
                ? router.routeWithRegex(method, operation.requests().pattern())
                : router.route(method, operation.path().replaceAll("\\{([a-z]+)}", ":$1"));
        if (!operation.isOpen() && !isOfApi(operation)) {
            route.handler(accessGuard::identify);
        }
        if (!operation.bodies().isEmpty()) {
            route.handler(context -> AccessGuard.requireBody(context, operation));
        }
        BiConsumer<RoutingContext, Query> by = Objects.requireNonNull(answers.get(operation.id()));
        route.handler(context -> by.accept(context, new Query(context.queryParams(), operation)));
    }

    /** Returns the operations of a request's path, for all methods. */
    static Stream<Operation> of(String path) {
        return DOCUMENT.operations().stream()
                .filter(each -> each.requests().matcher(path).matches());
    }

    /** Returns whether a request's path belongs to an operation. */
    public static boolean isOf(String operation, String path) {
        return of(path).anyMatch(each -> each.id().equals(operation));
    }
}
