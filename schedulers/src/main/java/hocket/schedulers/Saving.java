package hocket.schedulers;

import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.CheckpointPolicy.IfRefused;
import hocket.schedulers.checkpoint.CheckpointWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints on their way to the disk, one at a time, by a thread of their own while training goes on: there is never more than
 * one copy of a state. All but the writing happens on the training thread, which hears of the outcome.
 */
final class Saving {
    private record Pending(Event.Position at, Future<?> written) {}

    private final Path folder;
    private final CheckpointPolicy policy;
    private final CheckpointWriter writer;
    private final Consumer<Event> heard;
    private @Nullable ExecutorService thread;
    private @Nullable Pending pending;

    Saving(Path folder, CheckpointPolicy policy, Consumer<Event> heard) {
        this.folder = folder;
        this.policy = policy;
        this.writer = new CheckpointWriter(folder, policy);
        this.heard = heard;
    }

    Path folder() {
        return folder;
    }

    /**
     * Writes a state.
     *
     * @param state copies it, once the one before is written
     * @param mayGoOn whether training goes on meanwhile
     * @throws UncheckedIOException if the disk refuses this one, or refused the one before
     */
    void write(Event.Position at, Supplier<State> state, boolean mayGoOn) {
        settle();
        State copy = state.get();
        if (thread == null) {
            thread = Executors.newSingleThreadExecutor(work -> {
                Thread writing = new Thread(work, "hocket-checkpoints");
                writing.setDaemon(true);
                return writing;
            });
        }
        pending = new Pending(at, thread.submit(() -> writer.write(at.step(), copy)));
        if (!(mayGoOn && policy.background())) {
            settle();
        }
    }

    /** Hears of what has been written meanwhile. Throws as {@link #settle}. */
    void look() {
        if (pending != null && pending.written().isDone()) {
            settle();
        }
    }

    /**
     * Waits until all is written.
     *
     * @throws UncheckedIOException if the disk refused, and the run is to stop then
     */
    void settle() {
        Pending last = pending;
        if (last == null) {
            return;
        }
        pending = null;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    last.written().get();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true; // nothing of it is to be lost
                }
            }
            heard.accept(new Event.Saved(last.at(), folder));
        } catch (ExecutionException e) {
            refused(last, e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void refused(Pending last, @Nullable Throwable why) {
        if (why instanceof UncheckedIOException refused) {
            if (policy.ifRefused() == IfRefused.GO_ON) {
                heard.accept(new Event.NotSaved(last.at(), folder, String.valueOf(refused.getMessage())));
                return;
            }
            throw new UncheckedIOException(refused.getMessage(), refused.getCause());
        } else if (why instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException("a checkpoint could not be written: " + why, why);
    }

    /** Waits, and ends the thread. Throws likewise, and has ended it then. */
    void close() {
        try {
            settle();
        } finally {
            if (thread != null) {
                thread.shutdown();
                thread = null;
            }
        }
    }
}
