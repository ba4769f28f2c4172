package hocket.workbench.live.http;

import hocket.workbench.json.JsonDocument;
import hocket.workbench.live.views.LiveView;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.live.views.RunStatus;
import hocket.workbench.live.views.Tick;
import hocket.workbench.live.views.TickBuilder;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketBase;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The WebSockets of those who watch a run. All receive the same tick; one that has not taken the previous tick is
 * skipped, and notices by the number of the next. Used by the server's thread.
 */
public final class WatcherSockets {
    /** The largest number of watchers: below the limit of connections, so that they can still send requests. */
    private static final int MOST = 100;
    /** Some seconds of ticks; a watcher that lags further is skipped. */
    private static final int MOST_WAITING_BYTES = 256 << 10;

    private static final short TOO_MANY = 1013;
    private static final short POLICY = 1008;

    private final LiveView run;
    private final TickBuilder tickBuilder;
    private final Set<ServerWebSocket> sockets = new LinkedHashSet<>();

    WatcherSockets(LiveView run) {
        this.run = run;
        this.tickBuilder = new TickBuilder(run);
    }

    /** Returns whether the request asks for a WebSocket. */
    public static boolean isAsked(HttpServerRequest request) {
        return "websocket".equalsIgnoreCase(request.getHeader("Upgrade"));
    }

    /** Upgrades the request to a WebSocket. An invalid request is answered with an error. */
    public static Future<ServerWebSocket> upgraded(RoutingContext context) {
        HttpServerRequest request = context.request();
        requireHandshake(request);
        return request.toWebSocket()
                .onSuccess(socket -> socket.exceptionHandler(failure -> closeMalformed(socket, failure)))
                .onFailure(refused -> JsonResponses.refuse(context, 400, "this is not a WebSocket handshake"));
    }

    /**
     * Upgrades the request to a WebSocket that only sends.
     *
     * @param leaving runs before a client that sends a message is closed: nothing may be sent to it afterwards
     */
    static Future<ServerWebSocket> upgraded(RoutingContext context, Consumer<ServerWebSocket> leaving) {
        return upgraded(context)
                .onSuccess(socket -> socket.exceptionHandler(failure -> {
                            leaving.accept(socket);
                            closeMalformed(socket, failure);
                        })
                        .frameHandler(frame -> {
                            if (!frame.isClose() && !frame.isPing()) {
                                leaving.accept(socket);
                                socket.close(POLICY, "this WebSocket takes no messages");
                            }
                        }));
    }

    /**
     * Closes a WebSocket that received a malformed frame with the status of RFC 6455, section 7.4.1: 1002, or 1009 if
     * it is too long. After any other failure Vert.x closes it.
     */
    public static void closeMalformed(WebSocketBase socket, Throwable failure) {
        if (failure instanceof CorruptedWebSocketFrameException malformed) {
            socket.close((short) malformed.closeStatus().code(), malformed.getMessage());
        }
    }

    /** @throws HttpError if the request is invalid */
    public static void requireHandshake(HttpServerRequest request) {
        boolean isHandshake = "13".equals(request.getHeader("Sec-WebSocket-Version"))
                && request.getHeader("Sec-WebSocket-Key") != null;
        if (!isHandshake) {
            throw HttpError.wrong("Sec-WebSocket-Version", "must be 13, with a Sec-WebSocket-Key");
        }
    }

    void join(RoutingContext context) {
        upgraded(context, sockets::remove).onSuccess(socket -> {
            if (sockets.size() >= MOST) {
                socket.close(TOO_MANY, "too many watchers");
                return;
            }
            socket.setWriteQueueMaxSize(MOST_WAITING_BYTES);
            socket.closeHandler(gone -> sockets.remove(socket));
            sockets.add(socket);
            send(socket, JsonDocument.line(new Tick.Hello(run.facts())));
        });
    }

    /** Returns the number of watchers. */
    int watching() {
        return sockets.size();
    }

    /** Sends what is new. */
    void tick() {
        Tick tick = tickBuilder.next(); // also without watchers, so that memory is bounded
        if (sockets.isEmpty()) {
            return;
        }
        String text = JsonDocument.line(tick);
        Set.copyOf(sockets).forEach(socket -> send(socket, text));
    }

    /** Sends a tick, unless the watcher has not taken the previous one or has gone. */
    private void send(ServerWebSocket socket, String text) {
        try {
            if (socket.isClosed()) {
                sockets.remove(socket);
            } else if (!socket.writeQueueFull()) {
                socket.writeTextMessage(text);
            }
        } catch (IllegalStateException e) { // it was closed just now
            sockets.remove(socket);
        }
    }

    /** Sends the last tick; no tick follows, even if the watcher takes long to close. */
    void end() {
        tick();
        RunFacts facts = run.facts();
        String failure = facts.state().failure();
        String text = JsonDocument.line(
                new Tick.End(facts.status(), failure == null ? "the run has " + ended(facts.status()) : failure));
        Set<ServerWebSocket> told = Set.copyOf(sockets);
        sockets.clear();
        for (ServerWebSocket socket : told) {
            send(socket, text);
            socket.close();
        }
    }

    private static String ended(String status) {
        return status.equals(RunStatus.STOPPED.word()) ? "stopped; continue with --resume" : status;
    }
}
