package hocket.workbench.live.handlers;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.WebSockets;
import hocket.workbench.live.peers.ReverseProxy;
import hocket.workbench.online.DurableQueue;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/** The clients that send rows by WebSocket. Used by the server's thread. */
final class RowSockets {
    /** The limit of clients: below the limit of connections, including those that watch. */
    static final int MOST = 100;
    /** Rows may be rare, but {@link ReverseProxy} takes a silent connection for a dead one. */
    private static final long PING_MILLIS = 3000;

    private final BlockingWork work;
    private final Set<RowSocket> open = new LinkedHashSet<>();

    RowSockets(BlockingWork work) {
        this.work = work;
        work.vertx().setPeriodic(PING_MILLIS, now -> open.forEach(RowSocket::ping));
    }

    /**
     * Upgrades the request to a WebSocket, tells the client the next sequence number, and reads.
     *
     * @param queues returns the queue, or throws a {@link HttpError}
     */
    void join(RoutingContext context, String client, Supplier<DurableQueue> queues) {
        WebSockets.requireHandshake(context.request());
        if (open.size() >= MOST) {
            throw HttpError.unavailable(MOST + " clients are connected by WebSocket already");
        }
        context.request().pause(); // until it is one
        work.run(() -> {
                    DurableQueue queue = queues.get();
                    return new Opening(queue, JsonDocument.line(FeedHandler.Next.of(client, queue)));
                })
                .onComplete(opening -> join(context, client, opening), refused -> {
                    context.request().resume();
                    context.fail(refused);
                });
    }

    /** Returns the greeting of a client. */
    private record Opening(DurableQueue queue, String greeting) {}

    private void join(RoutingContext context, String client, Opening opening) {
        WebSockets.upgraded(context).onSuccess(socket -> {
            RowSocket joined = RowSocket.open(work, socket, opening.queue(), client, opening.greeting());
            open.add(joined);
            socket.closeHandler(gone -> open.remove(joined));
        });
    }

    /** Closes all clients and returns whether there were any. */
    boolean end() {
        boolean isHeard = !open.isEmpty();
        Set.copyOf(open).forEach(RowSocket::end);
        open.clear();
        return isHeard;
    }
}
