package hocket.workbench.live;

import hocket.workbench.live.http.LiveServer;
import hocket.workbench.live.peers.LiveAddress;
import hocket.workbench.live.views.LiveView;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.RunObserver;

/** A server that listens, and shows a run once that begins. To be closed, whether it began or not. */
public final class LiveListener implements AutoCloseable {
    private final LiveServer server;

    LiveListener(LiveServer server) {
        this.server = server;
    }

    /**
     * What shows a run while it trains in this process.
     *
     * @param terminal is told the address of the page
     * @param on by what name the person's machine reaches this one; empty where it is the same
     */
    public RunObserver attending(Terminal terminal, String on) {
        LiveView[] liveView = new LiveView[1];
        liveView[0] = new LiveView(run -> {
            server.show(liveView[0]);
            new LiveAddress(
                            server.address(),
                            server.token(),
                            run.id(),
                            ProcessHandle.current().pid(),
                            server.certificate())
                    .write(run.folder());
            terminal.remark("page     " + server.page());
            server.tunnel(on).ifPresent(by -> terminal.remark("         on " + on + ": " + by + " brings it here"));
            return () -> {
                LiveAddress.remove(run.folder());
                server.close();
            };
        });
        return liveView[0];
    }

    @Override
    public void close() {
        server.close();
    }
}
