package hocket.schedulers.runs;

import hocket.schedulers.Event;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.CheckpointPolicy.IfRefused;
import hocket.schedulers.checkpoint.CheckpointWriter;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.state.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * Writes checkpoints one at a time on a separate thread while training continues, so that there is at most one copy of
 * a state. All but the writing happens on the training thread, which receives the outcome.
 */
public final class Saving {
    private record Place(Path folder, CheckpointPolicy policy, CheckpointWriter writer) {}

    private record Pending(Event.Position at, Place place, boolean mayGoOn, Future<Optional<String>> written) {}

    private final Consumer<Event> heard;
    private final List<Runnable> before = new ArrayList<>();
    private @Nullable Place place;

    /** The folder whose checkpoints belong to this run: it has written there, or resumed from one of them. */
    private @Nullable Path own;

    private @Nullable ExecutorService thread;
    private @Nullable Pending pending;
    private Optional<String> unwritten = Optional.empty();

    public Saving(Consumer<Event> heard) {
        this.heard = heard;
    }

    /** Sets the folder and the options. Throws as {@link #close}. */
    public void to(Path folder, CheckpointPolicy policy) {
        close();
        place = new Place(folder, policy, new CheckpointWriter(folder, policy));
    }

    /** Adds code that the writing thread runs before each checkpoint. */
    public void after(Runnable what) {
        before.add(what);
    }

    /** Returns the folder; empty where none is set. */
    public Optional<Path> folder() {
        return Optional.ofNullable(place).map(Place::folder);
    }

    /** Marks a folder as this run's, since it resumed from a checkpoint there. */
    public void owns(Path folder) {
        own = absolute(folder);
    }

    private static Path absolute(Path folder) {
        return folder.toAbsolutePath().normalize();
    }

    /**
     * Writes a state.
     *
     * @param state copies it, once the one before is written
     * @param mayGoOn whether training continues meanwhile, and after a failed write
     * @throws IllegalStateException if no folder is set, or it holds checkpoints of another run
     * @throws UncheckedIOException if writing this checkpoint or the one before it failed
     */
    public void write(Event.Position at, Supplier<State> state, boolean mayGoOn) {
        Place into = place;
        if (into == null) {
            throw new IllegalStateException("no folder is set: call scheduler.saveTo(folder) first");
        }
        requireOwn();
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
        List<Runnable> first = List.copyOf(before);
        pending = new Pending(at, into, mayGoOn, thread.submit(() -> {
            first.forEach(Runnable::run);
            return into.writer().write(at.step(), copy);
        }));
        if (!(mayGoOn && into.policy().background())) {
            settle();
        }
    }

    /** @throws IllegalStateException if the folder holds checkpoints from none of which this run has resumed */
    void requireOwn() {
        if (place == null || absolute(place.folder()).equals(own)) {
            return;
        }
        Path into = place.folder();
        FileWork.run(into + " cannot be listed", () -> {
            List<Long> there = Checkpoints.numbers(into);
            if (!there.isEmpty()) {
                throw new IllegalStateException(into + " holds checkpoints of another run, " + there
                        + ": resume from one by resumeFrom, or save to another folder");
            }
        });
        owns(into);
    }

    /** Receives the outcome of finished writes. Throws as {@link #settle}. */
    void look() {
        if (pending != null && pending.written().isDone()) {
            settle();
        }
    }

    /**
     * Waits until all checkpoints are written.
     *
     * @return why the last one was not, where the run continues without it
     * @throws UncheckedIOException if a write failed and the run stops on such a failure
     */
    public Optional<String> settle() {
        Pending last = pending;
        if (last == null) {
            return unwritten;
        }
        pending = null;
        unwritten = Optional.empty();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    Optional<String> untidy = last.written().get();
                    heard.accept(new Event.Saved(last.at(), last.place().folder()));
                    untidy.ifPresent(why -> heard.accept(new Event.Noted(last.at(), "saving", why)));
                    return unwritten;
                } catch (InterruptedException e) {
                    interrupted = true; // nothing of it is to be lost
                }
            }
        } catch (ExecutionException e) {
            failed(last, e.getCause());
            return unwritten;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void failed(Pending last, @Nullable Throwable why) {
        if (why instanceof UncheckedIOException refused) {
            refused(last, String.valueOf(refused.getMessage()), refused.getCause());
        } else if (why instanceof Error error) {
            throw error;
        } else {
            throw new IllegalStateException("a checkpoint could not be written: " + why, why);
        }
    }

    /** A failed write at the end is not retried; it stops the run in any case. */
    private void refused(Pending last, String why, @Nullable IOException cause) {
        if (last.mayGoOn() && last.place().policy().ifRefused() == IfRefused.GO_ON) {
            unwritten = Optional.of(why);
            heard.accept(new Event.NotSaved(last.at(), last.place().folder(), why));
            return;
        }
        throw new UncheckedIOException(why, cause == null ? new IOException(why) : cause);
    }

    /** Waits, and ends the thread. Throws as {@link #settle}, after the thread has ended. */
    public void close() {
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
