package hocket.workbench.live.peers;

import hocket.workbench.live.http.HttpError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Starts processes that train, up to a number that lives at a time. Used by any thread. */
public final class ProcessLimit {
    /** The number of runs that a machine with some cores trains without slowing them down. */
    public static final int USUAL = 4;

    private final int most;
    private final List<Process> running = new ArrayList<>();

    /** @param most the largest number of processes */
    public ProcessLimit(int most) {
        this.most = most;
    }

    /** @throws HttpError if as many processes live already */
    public synchronized void requireRoom() {
        running.removeIf(process -> !process.isAlive());
        if (running.size() >= most) {
            throw HttpError.conflict(most + " runs are training already: stop one, or wait until one ends");
        }
    }

    /**
     * Starts a process.
     *
     * @throws HttpError if as many processes live already
     */
    public synchronized Process start(Supplier<Process> starting) {
        requireRoom();
        Process process = starting.get();
        running.add(process);
        return process;
    }
}
