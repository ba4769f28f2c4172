package hocket.workbench.live;

import hocket.workbench.json.JsonDocument;
import hocket.workbench.terminal.Refusal;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Shows runs over HTTP: the page, the interface that {@code openapi.json} describes, and ticks by WebSocket. It listens where
 * it was told to, answers only those who know its token, and holds to limits in everything that it takes.
 */
final class LiveServer implements Attended.Server {
    private static final int MOST_BODY_BYTES = 64 << 10;
    private static final int MOST_HEADER_BYTES = 16 << 10;
    private static final int MOST_LINE_BYTES = 8 << 10;
    private static final int MOST_FRAME_BYTES = 4 << 10;
    private static final int MOST_CONNECTIONS = 256;
    private static final long TICK_MILLIS = 100;
    private static final long REQUEST_MILLIS = 10_000;
    private static final int IDLE_SECONDS = 120;
    private static final long END_SECONDS = 3;
    private static final String PAGE = "/hocket/workbench/live/page/";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "json", "application/json",
            "LICENSE", "text/plain; charset=utf-8");

    private final Vertx vertx;
    private final HttpServer server;
    private final String token;
    private final String address;
    private final Map<String, Sockets> sockets = new LinkedHashMap<>();
    private final Set<HttpConnection> connections = new HashSet<>();

    /** Opens. Called by any thread but the server's own; when it returns, the server answers. */
    private LiveServer(Listening at, Supplier<List<? extends ServedRun>> runs) {
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(4)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        token = UUID.randomUUID().toString().replace("-", "")
                + UUID.randomUUID().toString().replace("-", "");
        HttpServerOptions options = new HttpServerOptions()
                .setHost(at.host())
                .setPort(at.port())
                .setMaxHeaderSize(MOST_HEADER_BYTES)
                .setMaxInitialLineLength(MOST_LINE_BYTES)
                .setMaxWebSocketFrameSize(MOST_FRAME_BYTES)
                .setMaxWebSocketMessageSize(MOST_FRAME_BYTES)
                .setWebSocketSubProtocols(List.of("hocket.v1"))
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS);
        if (at.isSecure()) {
            options.setSsl(true)
                    .setKeyCertOptions(new PemKeyCertOptions()
                            .setCertPath(at.certificate())
                            .setKeyPath(at.key()));
        }
        server = vertx.createHttpServer(options);
        Set<String> hosts = new HashSet<>();
        Router router = router(new Guard(token, () -> hosts, at.isSecure()), runs);
        server.connectionHandler(this::connected).requestHandler(request -> {
            begun(request);
            router.handle(request);
        });
        try {
            server.listen().toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            vertx.close();
            throw new Refusal("--serve: " + at.host() + " port " + at.port() + " cannot be listened at: "
                    + String.valueOf(e.getMessage()).replaceFirst("^.*Exception: ", ""));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a server was opened", e);
        }
        int port = server.actualPort();
        for (String host : List.of(at.host(), "127.0.0.1", "localhost", "[::1]")) {
            hosts.add((host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host).toLowerCase(Locale.ROOT)
                    + ":" + port);
        }
        address = (at.isSecure() ? "https://" : "http://")
                + (at.host().contains(":") ? "[" + at.host() + "]" : at.host()) + ":" + port;
    }

    /**
     * Where to listen.
     *
     * @param certificate a file in PEM; empty for plain HTTP
     * @param key of it, likewise
     */
    record Listening(String host, int port, String certificate, String key) {
        boolean isSecure() {
            return !certificate.isEmpty();
        }
    }

    /**
     * Serves one run that trains in this process.
     *
     * @throws Refusal if the address is taken
     */
    static LiveServer of(Listening at, Attended run) {
        LiveServer live = new LiveServer(at, () -> List.of(run));
        CompletableFuture<Void> ready = new CompletableFuture<>();
        live.vertx.runOnContext(go -> {
            Sockets watching = new Sockets(run);
            live.sockets.put(run.id(), watching);
            live.vertx.setPeriodic(TICK_MILLIS, tick -> watching.tick());
            ready.complete(null);
        });
        ready.join();
        return live;
    }

    /** Serves runs that do not train here. Throws likewise. */
    static LiveServer of(Listening at, Supplier<List<? extends ServedRun>> runs) {
        return new LiveServer(at, runs);
    }

    /** Such as {@code http://127.0.0.1:41233}. */
    String address() {
        return address;
    }

    String token() {
        return token;
    }

    /** What a person opens. */
    String page() {
        return address + "/#token=" + token;
    }

    private Router router(Guard guard, Supplier<List<? extends ServedRun>> runs) {
        Router router = Router.router(vertx);
        router.route().handler(guard::admit);
        router.get("/openapi.json").handler(context -> file(context, "/hocket/workbench/live/openapi.json", "json"));
        router.get("/").handler(context -> page(context, "index.html"));
        router.getWithRegex("/([A-Za-z0-9][A-Za-z0-9.]*)")
                .handler(context -> page(context, context.pathParam("param0")));
        router.route("/api/*").handler(guard::identify);
        Api api = new Api(vertx, runs);
        router.post(Api.COMMANDS).handler(LiveServer::requirePlainBody);
        router.post(Api.COMMANDS).handler(BodyHandler.create(false).setBodyLimit(MOST_BODY_BYTES));
        api.routes(router);
        router.get("/api/runs/:run/live").handler(context -> live(context, api));
        router.route().failureHandler(Api::failed);
        router.errorHandler(404, context -> Guard.refuse(context, 404, "there is nothing here"));
        router.errorHandler(405, context -> Guard.refuse(context, 405, "the method is not used here"));
        return router;
    }

    /** Nothing is unpacked: a small body stays small. */
    private static void requirePlainBody(RoutingContext context) {
        if (context.request().getHeader("Content-Encoding") != null) {
            Guard.refuse(context, 415, "a body must not be encoded");
        } else {
            context.next();
        }
    }

    private void live(RoutingContext context, Api api) {
        ServedRun run = api.run(context);
        if (!"websocket".equalsIgnoreCase(context.request().getHeader("Upgrade"))) {
            Guard.refuse(context, 426, "this is a WebSocket");
            return;
        }
        Sockets watching = sockets.get(run.id());
        if (watching != null) {
            watching.join(context);
            return;
        }
        context.request()
                .toWebSocket()
                .onSuccess(socket -> vertx.executeBlocking(run::facts, false)
                        .onComplete(
                                facts -> {
                                    socket.writeTextMessage(JsonDocument.line(new RunFacts.Hello("hello", facts)));
                                    socket.writeTextMessage(JsonDocument.line(new RunFacts.End(
                                            "end", facts.status(), "the run is not being trained here")));
                                    socket.close();
                                },
                                failure -> socket.close((short) 1011)));
    }

    private void page(RoutingContext context, String name) {
        int dot = name.lastIndexOf('.');
        file(context, PAGE + name, name.substring(dot + 1));
    }

    /** A file of the jar; names have no separators. */
    private void file(RoutingContext context, String resource, String ending) {
        String type = TYPES.get(ending);
        try (InputStream in = type == null ? null : LiveServer.class.getResourceAsStream(resource)) {
            if (type == null || in == null) {
                Guard.refuse(context, 404, "there is nothing here");
                return;
            }
            context.response()
                    .putHeader("Content-Type", type)
                    .end(io.vertx.core.buffer.Buffer.buffer(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // Connections that take too long, or are too many.

    private void connected(HttpConnection connection) {
        if (connections.size() >= MOST_CONNECTIONS) {
            connection.close();
            return;
        }
        connections.add(connection);
        long timer = vertx.setTimer(REQUEST_MILLIS, late -> {
            if (waiting.remove(connection) != null) {
                connection.close();
            }
        });
        waiting.put(connection, timer);
        connection.closeHandler(gone -> {
            connections.remove(connection);
            Long left = waiting.remove(connection);
            if (left != null) {
                vertx.cancelTimer(left);
            }
        });
    }

    /** Connections whose first request has not come whole, with the timer that closes them. */
    private final Map<HttpConnection, Long> waiting = new java.util.HashMap<>();

    private void begun(HttpServerRequest request) {
        Long timer = waiting.remove(request.connection());
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
        long body = vertx.setTimer(REQUEST_MILLIS, late -> {
            if (!request.isEnded()) {
                request.connection().close();
            }
        });
        request.response().endHandler(ended -> vertx.cancelTimer(body));
    }

    @Override
    public void close() {
        CountDownLatch said = new CountDownLatch(1);
        vertx.runOnContext(go -> {
            sockets.values().forEach(Sockets::end);
            vertx.setTimer(TICK_MILLIS, later -> said.countDown()); // what was sent goes out
        });
        try {
            boolean isSaid = said.await(END_SECONDS, TimeUnit.SECONDS);
            vertx.close().toCompletionStage().toCompletableFuture().get(isSaid ? END_SECONDS : 1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // the process ends all the same
        }
    }
}
