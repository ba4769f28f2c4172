package hocket.workbench.live.peers;

import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.JsonResponses;
import hocket.workbench.live.http.Routes;
import hocket.workbench.live.http.RowBodies;
import hocket.workbench.live.http.WebSockets;
import hocket.workbench.live.views.ServedRun;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketBase;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.streams.Pipe;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Forwards requests to the process that serves a run, with that process's token, and returns its answers as they
 * arrive; WebSockets are forwarded in both directions. If that process does not answer, the next routes answer from the
 * run's folder. Used by the server's thread.
 */
public final class ReverseProxy {
    /** Longer than a run's own server waits for the end of a turn. */
    private static final long LONGEST_MILLIS = 30_000;
    /** Shorter than a run's own server keeps an idle connection. */
    private static final int KEPT_SECONDS = 5;
    /** Ticks come ten times a second, and senders of rows are pinged: a silent process is taken for dead. */
    private static final int SILENT_SECONDS = 10;
    /** A browser opens six connections for a page. */
    private static final int MOST_CONNECTIONS = 64;
    /** Separate connections for status requests, which no slow answer delays. */
    private static final int MOST_LOOKS = 8;

    private static final int MOST_WAITING = 256;
    private static final int MOST_WATCHING = 200;
    /** The largest message: it may hold all events since the last tick. */
    private static final int MOST_MESSAGE_BYTES = 16 << 20;
    /** The limit for some seconds of ticks; if a client lags further, the other side is not read. */
    private static final int MOST_UNSENT_BYTES = 256 << 10;

    private static final short NORMAL = 1000;
    private static final short GONE = 1001;
    /** The status of a connection that was closed without a status. */
    private static final short LOST = 1006;

    private static final String STRANGER = "the server is not the run's";

    private static final List<String> ASKED = List.of("Accept", "Content-Type", "Content-Encoding", "Content-Length");
    private static final List<String> ANSWERED =
            List.of("Content-Type", "Content-Length", "Retry-After", "Allow", "Upgrade", JsonResponses.STEP);
    private static final Set<String> TYPES =
            Set.of(JsonResponses.JSON, "image/png", "image/gif", RowBodies.LINES, RowBodies.NPY);
    /** The statuses of a server that does not serve the run. */
    private static final Set<Integer> STRANGE = Set.of(401, 403, 421);

    private final Function<RoutingContext, Future<ServedRun>> runs;
    private final PeerRunners peerRunners;
    private final HttpClient client;
    private final WebSocketClient sockets;
    /** Both sides of every forwarded WebSocket. */
    private final Set<WebSocketBase> joined = new HashSet<>();

    /** @param runs returns the run of an address, or fails with a {@link HttpError} */
    public ReverseProxy(BlockingWork work, Function<RoutingContext, Future<ServedRun>> runs) {
        this.runs = runs;
        client = client(work.vertx(), MOST_CONNECTIONS);
        sockets = work.vertx()
                .createWebSocketClient(new WebSocketClientOptions()
                        .setMaxConnections(MOST_WATCHING)
                        .setMaxFrameSize(MOST_MESSAGE_BYTES)
                        .setMaxMessageSize(MOST_MESSAGE_BYTES)
                        .setIdleTimeout(SILENT_SECONDS));
        peerRunners = new PeerRunners(work, client(work.vertx(), MOST_LOOKS));
    }

    private static HttpClient client(Vertx vertx, int connections) {
        return vertx.httpClientBuilder()
                .with(new HttpClientOptions().setKeepAliveTimeout(KEPT_SECONDS).setDecompressionSupported(false))
                .with(new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(MOST_WAITING))
                .withConnectHandler(connection -> connection.exceptionHandler(broken -> {})) // the client gets it
                .build();
    }

    public PeerRunners peers() {
        return peerRunners;
    }

    /** Forwards a request to the process that serves the run, or calls the next route. */
    public void pass(RoutingContext context) {
        HttpServerRequest asked = context.request();
        asked.pause(); // until it is known which handler reads its body
        runs.apply(context)
                .compose(run -> peerRunners.of(run).compose(found -> {
                    if (found.isEmpty()) {
                        return here(context);
                    }
                    Peer at = found.get().at();
                    return (WebSockets.isAsked(asked) ? connect(context, at) : ask(context, at)).recover(failure -> {
                        peerRunners.forget(run);
                        return failure instanceof HttpError ? Future.failedFuture(failure) : here(context);
                    });
                }))
                .onFailure(failure -> {
                    asked.resume();
                    context.fail(failure);
                });
    }

    private static Future<Void> here(RoutingContext context) {
        context.request().resume();
        context.next();
        return Future.succeededFuture();
    }

    /**
     * Forwards a request that the folder can also answer: if the process fails, the error is not a {@link HttpError}.
     */
    private Future<Void> ask(RoutingContext context, Peer at) {
        HttpServerRequest asked = context.request();
        RequestOptions options = at.request(asked.method(), rest(context)).setIdleTimeout(LONGEST_MILLIS);
        boolean isRead = asked.method().equals(HttpMethod.GET);
        if (isRead) {
            asked.resume(); // it has no body that is read
        } else {
            ASKED.forEach(name -> {
                String value = asked.getHeader(name);
                if (value != null) {
                    options.putHeader(name, value);
                }
            });
            if (asked.getHeader("Origin") != null) { // which was looked at here
                options.putHeader("Origin", at.origin().toString());
            }
        }
        return client.request(options)
                .compose(request -> isRead
                        ? request.send().compose(answer -> answered(context, answer))
                        : told(request, context)
                                .compose(answer -> answered(context, answer)
                                        .recover(stranger -> Future.failedFuture(HttpError.unavailable(
                                                "another process answered for the run: try again")))));
    }

    /** Forwards a request whose body may be lost on failure: the error is a {@link HttpError}. */
    private static Future<HttpClientResponse> told(HttpClientRequest request, RoutingContext context) {
        Buffer body = context.body().buffer();
        return request.send(body == null ? Buffer.buffer() : body)
                .recover(failure -> Future.failedFuture(
                        unanswered(String.valueOf(context.request().path()))));
    }

    /** Repeating is safe: commands are in the journal, and each batch of rows is stored once. */
    private static HttpError unanswered(String path) {
        String silent = "the run did not answer: ";
        if (Routes.isOf("command", path)) {
            return HttpError.conflict(silent + "its journal says whether the command was applied");
        }
        return HttpError.unavailable(silent
                + (Routes.isOf("rows", path)
                        ? "send it again; with the same sequence number it is stored once"
                        : "ask again"));
    }

    private static String rest(RoutingContext context) {
        String path = context.normalizedPath();
        int run = path.indexOf('/', "/api/runs/".length());
        String query = context.request().query();
        return (run < 0 ? "" : path.substring(run)) + (query == null ? "" : "?" + query);
    }

    private static Future<Void> answered(RoutingContext context, HttpClientResponse answer) {
        if (isStrange(answer.statusCode(), answer.headers())) {
            answer.exceptionHandler(broken -> {}); // nobody reads the rest
            answer.request().reset();
            return Future.failedFuture(STRANGER);
        }
        HttpServerResponse response =
                passOn(answer.headers(), context.response().setStatusCode(answer.statusCode()));
        Pipe<Buffer> pipe = answer.pipe().endOnFailure(false);
        pipe.to(response).onFailure(broken -> {
            pipe.close(); // messages on their way are dropped
            answer.request().reset();
            context.request().connection().close(); // a partial answer must not look complete
        });
        return Future.succeededFuture();
    }

    private static boolean isStrange(int status, MultiMap headers) {
        return STRANGE.contains(status) || !TYPES.contains(String.valueOf(headers.get("Content-Type")));
    }

    private static HttpServerResponse passOn(MultiMap headers, HttpServerResponse response) {
        ANSWERED.forEach(name -> {
            String value = headers.get(name);
            if (value != null) {
                response.putHeader(name, value);
            }
        });
        return response;
    }

    private Future<Void> connect(RoutingContext context, Peer at) {
        WebSockets.requireHandshake(context.request());
        WebSocketConnectOptions options = at.with(new WebSocketConnectOptions());
        options.setURI(at.run() + rest(context));
        options.setSubProtocols(List.of("hocket.v1", "token." + at.token()));
        options.setAllowOriginHeader(false);
        return sockets.connect(options)
                .compose(source -> {
                    source.pause();
                    return WebSockets.upgraded(context)
                            .onFailure(refused -> source.close())
                            .onSuccess(client -> join(source, client))
                            .<Void>mapEmpty()
                            .otherwiseEmpty(); // it has been answered already
                })
                .recover(failure -> failure instanceof UpgradeRejectedException refused
                        ? refused(context, refused)
                        : Future.failedFuture(failure));
    }

    /** Passes on the answer to a rejected WebSocket upgrade. */
    private static Future<Void> refused(RoutingContext context, UpgradeRejectedException refused) {
        MultiMap headers = refused.getHeaders();
        if (isStrange(refused.getStatus(), headers)) {
            return Future.failedFuture(STRANGER);
        }
        context.request().resume();
        passOn(headers, context.response().setStatusCode(refused.getStatus())).end(refused.getBody());
        return Future.succeededFuture();
    }

    private void join(WebSocket source, ServerWebSocket client) {
        source.exceptionHandler(failure -> WebSockets.closeMalformed(source, failure));
        carry(source, client);
        carry(client, source);
        source.resume();
    }

    /** Closes all WebSockets because the server is closing. Returns whether there were any. */
    public boolean end() {
        Set<WebSocketBase> open = Set.copyOf(joined);
        open.forEach(socket -> socket.close(GONE, "the workbench is closing"));
        return !open.isEmpty();
    }

    /** Forwards messages of one side as fast as the other takes them, and the close message. */
    private void carry(WebSocketBase from, WebSocketBase to) {
        to.setWriteQueueMaxSize(MOST_UNSENT_BYTES);
        to.drainHandler(drained -> from.resume());
        from.frameHandler(frame -> {
            switch (frame.type()) {
                case TEXT, BINARY, CONTINUATION -> {
                    if (!to.isClosed()) {
                        to.writeFrame(frame);
                    }
                }
                case PING -> {
                    if (!to.isClosed() && !isFull(to)) { // a pong may be missed
                        to.writeFrame(frame);
                    }
                }
                case PONG -> {} // each side has its own
                case CLOSE -> to.close(code(frame.closeStatusCode()), frame.closeReason());
            }
            if (isFull(to)) {
                from.pause();
            }
        });
        from.closeHandler(gone -> {
            joined.remove(from);
            if (from.closeStatusCode() == LOST) {
                to.close(GONE, "the other side closed the connection");
            }
        });
        joined.add(from);
    }

    private static boolean isFull(WebSocketBase socket) {
        return !socket.isClosed() && socket.writeQueueFull();
    }

    /** Such as may be sent. */
    private static short code(short received) {
        return WebSocketCloseStatus.isValidStatusCode(received) ? received : NORMAL;
    }
}
