package hocket.workbench.live.http;

import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketBase;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;

/** Upgrades requests to WebSockets. */
public final class WebSockets {
    private static final short POLICY = 1008;

    private WebSockets() {}

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
    public static Future<ServerWebSocket> upgraded(RoutingContext context, Consumer<ServerWebSocket> leaving) {
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
}
