package hocket.workbench.live;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.http.WebSockets;
import hocket.workbench.live.views.LiveView;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.live.views.RunStatus;
import hocket.workbench.live.views.Tick;
import hocket.workbench.live.views.TickBuilder;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The WebSockets of those who watch a run. All receive the same tick; one that has not taken the previous tick is
 * skipped, and notices by the number of the next. Used by the server's thread.
 */
public final class WatcherSockets {
    /** The largest number of watchers: below the limit of connections, so that they can still send requests. */
    private static final int MOST = 100;
    /** The limit for some seconds of ticks; a watcher that lags further is skipped. */
    private static final int MOST_WAITING_BYTES = 256 << 10;

    private static final short TOO_MANY = 1013;

    private final LiveView run;
    private final TickBuilder tickBuilder;
    private final Set<ServerWebSocket> sockets = new LinkedHashSet<>();

    WatcherSockets(LiveView run) {
        this.run = run;
        this.tickBuilder = new TickBuilder(run);
    }

    void join(RoutingContext context) {
        WebSockets.upgraded(context, sockets::remove).onSuccess(socket -> {
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
