package hocket.workbench.live;

import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.handlers.FeedHandler;
import hocket.workbench.live.handlers.InferHandler;
import hocket.workbench.live.handlers.RowSocket;
import hocket.workbench.live.http.AccessGuard;
import hocket.workbench.live.http.AllowedHosts;
import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.http.Connections;
import hocket.workbench.live.http.JsonResponses;
import hocket.workbench.live.http.PageFiles;
import hocket.workbench.live.http.Routes;
import hocket.workbench.live.http.WebSockets;
import hocket.workbench.live.peers.RunLauncher;
import hocket.workbench.live.views.FolderRuns;
import hocket.workbench.live.views.LiveView;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.live.views.Tick;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.BindException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves runs over HTTP: the page, the API that {@code openapi.json} describes, and ticks and rows by WebSocket. It
 * listens on the configured address, answers only clients with its token, and limits all input.
 */
public final class LiveServer implements LiveView.Server {
    /** A browser sends about one kilobyte. */
    private static final int MOST_HEADER_BYTES = 16 << 10;
    /** A request that names a hundred metrics. */
    private static final int MOST_LINE_BYTES = 8 << 10;
    /** A client that neither sends nor receives is gone. */
    private static final int IDLE_SECONDS = 120;
    /** The limit of the TLS handshake; until then the connection is not counted. */
    private static final int HANDSHAKE_SECONDS = 5;
    /** The limit of a closing handshake, after which the connection is closed. */
    private static final int CLOSING_SECONDS = 1;
    /** Ten ticks a second is as fast as people see. */
    private static final long TICK_MILLIS = 100;
    /** The time that a finished run waits for those who watch. */
    private static final long END_SECONDS = 3;

    private static final long LOOK_MILLIS = 5;
    /** The only protocol version: HTTP/1.1 suffices for a page and has a smaller attack surface. */
    private static final boolean IS_HTTP2 = false;

    private final Vertx vertx;
    private final BlockingWork work;
    private final Connections connections;
    private final Api api;
    private final InferHandler infer;
    private final FeedHandler feeds;
    private final Router router;
    private final ScrapeHandler scrapeHandler;
    private final Listening at;
    private final String token;
    private final String address;
    private final Map<String, WatcherSockets> watcherSockets = new ConcurrentHashMap<>();
    private volatile Supplier<List<? extends ServedRun>> runs = List::of;
    private volatile Optional<RunLauncher> runLauncher = Optional.empty();
    private volatile AllowedHosts allowedHosts = AllowedHosts.NONE;
    private boolean isClosed;
    /** Whether new requests are rejected. */
    private volatile boolean isEnding;

    private LiveServer(Listening at, Connections.Limits limits) {
        this.at = at;
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(4)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        token = UUID.randomUUID().toString().replace("-", "")
                + UUID.randomUUID().toString().replace("-", "");
        HttpServer server = vertx.createHttpServer(options());
        work = new BlockingWork(vertx);
        connections = new Connections(vertx, limits);
        scrapeHandler = new ScrapeHandler(
                work,
                () -> watcherSockets.values().stream()
                        .mapToInt(WatcherSockets::watching)
                        .sum());
        api = new Api(work, () -> runs.get(), () -> runLauncher);
        infer = new InferHandler(work, api::run);
        feeds = new FeedHandler(work, api::run);
        router = router(new AccessGuard(token, () -> allowedHosts, connections::identified));
        server.connectionHandler(connections::opened)
                .invalidRequestHandler(request -> {
                    scrapeHandler.counting(request.response());
                    JsonResponses.misunderstood(request);
                })
                .requestHandler(request -> {
                    connections.begun(request);
                    scrapeHandler.counting(request.response());
                    if (isEnding) {
                        JsonResponses.ending(request);
                    } else {
                        router.handle(request);
                    }
                });
        listen(server);
        allowedHosts = AllowedHosts.of(at.host(), !at.tls().isEmpty(), server.actualPort());
        address = allowedHosts.origin(at.host());
    }

    private HttpServerOptions options() {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(at.host())
                .setPort(at.port())
                .setMaxHeaderSize(MOST_HEADER_BYTES)
                .setMaxInitialLineLength(MOST_LINE_BYTES)
                .setMaxWebSocketFrameSize(RowSocket.MOST_BYTES)
                .setMaxWebSocketMessageSize(RowSocket.MOST_BYTES)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setWebSocketClosingTimeout(CLOSING_SECONDS)
                .setWebSocketSubProtocols(List.of("hocket.v1"))
                .setHttp2ClearTextEnabled(IS_HTTP2)
                .setUseAlpn(IS_HTTP2)
                .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS);
        return at.tls().isEmpty()
                ? options
                : options.setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertValue(Buffer.buffer(at.tls().get(0)))
                                .setKeyValue(Buffer.buffer(at.tls().get(1))));
    }

    private void listen(HttpServer server) {
        try {
            server.listen().toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            vertx.close();
            if (!at.tls().isEmpty() && !(e.getCause() instanceof BindException)) {
                throw new UserError("--certificate and --key: cannot be used: " + reason(e));
            }
            throw new UserError("--serve: " + at.host() + " port " + at.port() + " is not available: " + reason(e));
        } catch (InterruptedException e) {
            vertx.close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a server was opened", e);
        }
    }

    private static String reason(ExecutionException e) {
        return String.valueOf(e.getMessage()).replaceFirst("^.*Exception: ", "");
    }

    /**
     * The address to listen at.
     *
     * @param tls certificate and key in PEM; empty for plain HTTP
     */
    public record Listening(String host, int port, List<byte[]> tls) {}

    /**
     * Starts to listen, without a run as yet. Called by any thread but the server's own; the server answers when this
     * returns.
     *
     * @throws UserError if the address is in use, or certificate and key do not match
     */
    public static LiveServer open(Listening at) {
        return open(at, Connections.Limits.USUAL);
    }

    public static LiveServer open(Listening at, Connections.Limits limits) {
        return new LiveServer(at, limits);
    }

    /** Shows one run, which trains in this process. */
    public LiveServer show(LiveView run) {
        WatcherSockets watching = new WatcherSockets(run);
        watcherSockets.put(run.id(), watching);
        scrapeHandler.of(run);
        vertx.setPeriodic(TICK_MILLIS, tick -> watching.tick());
        return show(() -> List.of(run));
    }

    /** Sends the latest changes to all who watch, soon, like the clock does. */
    public Future<Void> tick() {
        Promise<Void> done = Promise.promise();
        vertx.runOnContext(go -> {
            watcherSockets.values().forEach(WatcherSockets::tick);
            done.complete();
        });
        return done.future();
    }

    /** Shows the runs of a folder, in whichever process they train, and starts others. */
    public LiveServer show(FolderRuns all, RunLauncher starting) {
        runLauncher = Optional.of(starting);
        return show(all);
    }

    /** Shows runs that do not train here. */
    public LiveServer show(Supplier<List<? extends ServedRun>> all) {
        runs = all;
        return this;
    }

    /** Returns the routes of the server. */
    public List<Route> routes() {
        return router.getRoutes();
    }

    /** Returns the address, such as {@code http://127.0.0.1:41233}. */
    public String address() {
        return address;
    }

    public String token() {
        return token;
    }

    /** Returns its certificate in PEM; null without TLS. */
    @Nullable
    public String certificate() {
        return at.tls().isEmpty() ? null : new String(at.tls().get(0), StandardCharsets.US_ASCII);
    }

    /** Returns the address of the page. */
    public String page() {
        return address + "/#token=" + token;
    }

    /**
     * Returns the command by which another machine reaches it; empty if none is needed.
     *
     * @param on the name by which that machine reaches this one; empty for this machine
     */
    public Optional<String> tunnel(String on) {
        int port = URI.create(address).getPort();
        return on.isEmpty() || !AllowedHosts.isLoopback(at.host())
                ? Optional.empty()
                : Optional.of("ssh -L " + port + ":" + at.host() + ":" + port + " " + on);
    }

    private Router router(AccessGuard accessGuard) {
        Router router = Router.router(vertx);
        router.route().handler(accessGuard::admit);
        Routes routes = new Routes(work);
        scrapeHandler.routes(routes);
        PageFiles.routes(routes);
        api.routes(routes);
        feeds.routes(routes);
        infer.routes(routes);
        routes.on("live", (context, query) -> live(context));
        routes.mount(router, accessGuard, api::elsewhere);
        router.route().failureHandler(JsonResponses::failed);
        router.errorHandler(400, context -> JsonResponses.refuse(context, 400, "the address is malformed"));
        router.errorHandler(404, context -> JsonResponses.refuse(context, 404, "not found"));
        router.errorHandler(405, AccessGuard::refuseMethod);
        return router;
    }

    private void live(RoutingContext context) {
        ServedRun run = api.run(context);
        if (!WebSockets.isAsked(context.request())) {
            context.response().putHeader("Upgrade", "websocket");
            JsonResponses.refuse(context, 426, "this address is a WebSocket");
            return;
        }
        WatcherSockets watching = watcherSockets.get(run.id());
        if (watching != null) {
            watching.join(context);
        } else {
            WebSockets.upgraded(context, socket -> {})
                    .onSuccess(socket -> work.run(run::facts)
                            .onComplete(
                                    facts -> {
                                        socket.writeTextMessage(JsonDocument.line(new Tick.Hello(facts)));
                                        socket.writeTextMessage(JsonDocument.line(
                                                new Tick.End(facts.status(), "the run is not training here")));
                                        socket.close();
                                    },
                                    failure -> socket.close((short) 1011)));
        }
    }

    /** Closes all WebSockets and stops to listen; a second call does nothing. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        infer.close();
        CountDownLatch said = new CountDownLatch(1);
        vertx.runOnContext(go -> {
            isEnding = true;
            watcherSockets.values().forEach(WatcherSockets::end);
            boolean isHeard = feeds.end() | api.end() | !watcherSockets.isEmpty();
            vertx.setTimer(isHeard ? TICK_MILLIS : 1, later -> endWhenAnswered(said)); // what was sent goes out
        });
        try {
            boolean isSaid = said.await(END_SECONDS, TimeUnit.SECONDS);
            vertx.close().toCompletionStage().toCompletableFuture().get(isSaid ? END_SECONDS : 1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // the process exits all the same
        }
        scrapeHandler.close();
    }

    /** Waits until all requests are answered, including the command that ended the run. */
    private void endWhenAnswered(CountDownLatch said) {
        if (connections.isAnswering() || work.isUnderWay()) {
            vertx.setTimer(LOOK_MILLIS, later -> endWhenAnswered(said));
        } else {
            said.countDown();
        }
    }
}
