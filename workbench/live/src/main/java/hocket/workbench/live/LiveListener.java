package hocket.workbench.live;

import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.live.views.LiveView;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.RunObserver;

/** A server that listens, and shows a run after the run has begun. It must be closed even if no run has begun. */
public final class LiveListener implements AutoCloseable {
    private final LiveServer server;

    LiveListener(LiveServer server) {
        this.server = server;
    }

    /**
     * Returns the observer that shows a run while it trains in this process.
     *
     * @param terminal receives the address of the page
     * @param on the name by which the person's machine reaches this one; empty if it is the same machine
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
            server.tunnel(on)
                    .ifPresent(by -> terminal.remark("         on " + on + ": " + by + " forwards it to this machine"));
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
