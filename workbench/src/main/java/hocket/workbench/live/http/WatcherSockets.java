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
 * Who watches a run by WebSocket. All of them are sent the same tick; who has not taken what came before is passed over, and
 * finds out by the number of the next. On the server's thread.
 */
public final class WatcherSockets {
    /** Below the limit of connections, also with those that send rows, so that who watches can still ask. */
    private static final int MOST = 100;
    /** Some seconds of ticks; who is behind by more than that is passed over. */
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

    /** Whether a WebSocket is asked for. */
    public static boolean isAsked(HttpServerRequest request) {
        return "websocket".equalsIgnoreCase(request.getHeader("Upgrade"));
    }

    /** Takes the request for a WebSocket. One that is none is answered. */
    public static Future<ServerWebSocket> upgraded(RoutingContext context) {
        HttpServerRequest request = context.request();
        requireHandshake(request);
        return request.toWebSocket()
                .onSuccess(socket -> socket.exceptionHandler(failure -> closeMalformed(socket, failure)))
                .onFailure(refused -> JsonResponses.refuse(context, 400, "this is no handshake of a WebSocket"));
    }

    /**
     * Takes the request for a WebSocket, in which nothing is asked.
     *
     * @param leaving what to do before one that asks all the same is closed: nothing may be sent to it from then on
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
                                socket.close(POLICY, "nothing is asked here");
                            }
                        }));
    }

    /**
     * Closes a WebSocket that received a malformed frame by the status of RFC 6455, section 7.4.1: 1002, or 1009 where it is too
     * long. After any other failure Vert.x closes it.
     */
    public static void closeMalformed(WebSocketBase socket, Throwable failure) {
        if (failure instanceof CorruptedWebSocketFrameException malformed) {
            socket.close((short) malformed.closeStatus().code(), malformed.getMessage());
        }
    }

    /** @throws HttpError if it is none */
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
                socket.close(TOO_MANY, "too many watch");
                return;
            }
            socket.setWriteQueueMaxSize(MOST_WAITING_BYTES);
            socket.closeHandler(gone -> sockets.remove(socket));
            sockets.add(socket);
            send(socket, JsonDocument.line(new Tick.Hello(run.facts())));
        });
    }

    /** How many watch. */
    int watching() {
        return sockets.size();
    }

    /** Sends what is new. */
    void tick() {
        Tick tick = tickBuilder.next(); // also where nobody watches, so that nothing heaps up
        if (sockets.isEmpty()) {
            return;
        }
        String text = JsonDocument.line(tick);
        Set.copyOf(sockets).forEach(socket -> send(socket, text));
    }

    /** Unless it has not taken what came before, or has gone meanwhile. */
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

    /** Sends the last; who is told to close is sent no tick any more, also where it takes its time to close. */
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
        return status.equals(RunStatus.STOPPED.word()) ? "stopped; it can go on by --resume" : status;
    }
}
