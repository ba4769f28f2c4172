package hocket.workbench.live;

import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.Attendant;

/** A server that listens, and shows a run once that begins. To be closed, whether it began or not. */
public final class Listener implements AutoCloseable {
    private final LiveServer server;

    Listener(LiveServer server) {
        this.server = server;
    }

    /**
     * What shows a run while it trains in this process.
     *
     * @param terminal is told the address of the page
     * @param on by what name the person's machine reaches this one; empty where it is the same
     */
    public Attendant attending(Terminal terminal, String on) {
        Attended[] attended = new Attended[1];
        attended[0] = new Attended(run -> {
            server.show(attended[0]);
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
        return attended[0];
    }

    @Override
    public void close() {
        server.close();
    }
}
