package hocket.schedulers;

import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.CheckpointPolicy.IfRefused;
import hocket.schedulers.checkpoint.CheckpointWriter;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
    private record Place(Path folder, CheckpointPolicy policy, CheckpointWriter writer) {}

    private record Pending(Event.Position at, Place place, Future<?> written) {}

    private final Consumer<Event> heard;
    private @Nullable Place place;

    /** Whether checkpoints in the folder are this run's: it has written there, or went back to some. */
    private boolean isOwn;

    private @Nullable ExecutorService thread;
    private @Nullable Pending pending;

    Saving(Consumer<Event> heard) {
        this.heard = heard;
    }

    /** Sets where, and how. Throws as {@link #close}. */
    void to(Path folder, CheckpointPolicy policy) {
        close();
        isOwn &= place == null || place.folder().equals(folder);
        place = new Place(folder, policy, new CheckpointWriter(folder, policy));
    }

    /** Where; empty where that was not said. */
    Optional<Path> folder() {
        return Optional.ofNullable(place).map(Place::folder);
    }

    /** The run went back to a state: what is in the folder is its own. */
    void isOwn() {
        isOwn = true;
    }

    /**
     * Writes a state.
     *
     * @param state copies it, once the one before is written
     * @param mayGoOn whether training goes on meanwhile
     * @throws IllegalStateException if there is nowhere to save, or the folder holds checkpoints of another run
     * @throws UncheckedIOException if the disk refuses this one, or refused the one before
     */
    void write(Event.Position at, Supplier<State> state, boolean mayGoOn) {
        Place into = place;
        if (into == null) {
            throw new IllegalStateException("there is nowhere to save: call scheduler.saveTo(folder) first");
        }
        requireOwn(into.folder());
        heard.accept(new Event.Saving(at));
        settle();
        State copy = state.get();
        if (thread == null) {
            thread = Executors.newSingleThreadExecutor(work -> {
                Thread writing = new Thread(work, "hocket-checkpoints");
                writing.setDaemon(true);
                return writing;
            });
        }
        pending = new Pending(at, into, thread.submit(() -> into.writer().write(at.step(), copy)));
        if (!(mayGoOn && into.policy().background())) {
            settle();
        }
    }

    private void requireOwn(Path into) {
        if (isOwn) {
            return;
        }
        try {
            List<Long> there = Checkpoints.numbers(into);
            if (!there.isEmpty()) {
                throw new IllegalStateException(into + " holds checkpoints of another run, " + there
                        + ": go on from them by resumeFrom, or save to another folder");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(into + " cannot be listed: " + Reason.of(e), e);
        }
        isOwn = true;
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
            heard.accept(new Event.Saved(last.at(), last.place().folder()));
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
            if (last.place().policy().ifRefused() == IfRefused.GO_ON) {
                heard.accept(
                        new Event.NotSaved(last.at(), last.place().folder(), String.valueOf(refused.getMessage())));
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
