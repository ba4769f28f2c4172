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
 * Checkpoints on their way to the disk, one at a time, by a thread of their own while training goes on: there is never more than
 * one copy of a state. All but the writing happens on the training thread, which hears of the outcome.
 */
public final class Saving {
    private record Place(Path folder, CheckpointPolicy policy, CheckpointWriter writer) {}

    private record Pending(Event.Position at, Place place, boolean mayGoOn, Future<Optional<String>> written) {}

    private final Consumer<Event> heard;
    private final List<Runnable> before = new ArrayList<>();
    private @Nullable Place place;

    /** The folder whose checkpoints are this run's: it has written there, or goes on from one of them. */
    private @Nullable Path own;

    private @Nullable ExecutorService thread;
    private @Nullable Pending pending;

    public Saving(Consumer<Event> heard) {
        this.heard = heard;
    }

    /** Sets where, and how. Throws as {@link #close}. */
    public void to(Path folder, CheckpointPolicy policy) {
        close();
        place = new Place(folder, policy, new CheckpointWriter(folder, policy));
    }

    /** Adds something that is done before each checkpoint is written, by the thread that writes it. */
    public void after(Runnable what) {
        before.add(what);
    }

    /** Where; empty where that was not said. */
    public Optional<Path> folder() {
        return Optional.ofNullable(place).map(Place::folder);
    }

    /** The run goes on from a checkpoint in a folder: what is there is its own. */
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
     * @param mayGoOn whether training goes on, meanwhile and where it is refused
     * @throws IllegalStateException if there is nowhere to save, or the folder holds checkpoints of another run
     * @throws UncheckedIOException if the disk refuses this one, or refused the one before
     */
    public void write(Event.Position at, Supplier<State> state, boolean mayGoOn) {
        Place into = place;
        if (into == null) {
            throw new IllegalStateException("there is nowhere to save: call scheduler.saveTo(folder) first");
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

    /** @throws IllegalStateException if the folder holds checkpoints of another run: this one has gone on from none of them */
    void requireOwn() {
        if (place == null || absolute(place.folder()).equals(own)) {
            return;
        }
        Path into = place.folder();
        FileWork.run(into + " cannot be listed", () -> {
            List<Long> there = Checkpoints.numbers(into);
            if (!there.isEmpty()) {
                throw new IllegalStateException(into + " holds checkpoints of another run, " + there
                        + ": go on from them by resumeFrom, or save to another folder");
            }
        });
        owns(into);
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
    public void settle() {
        Pending last = pending;
        if (last == null) {
            return;
        }
        pending = null;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    Optional<String> untidy = last.written().get();
                    heard.accept(new Event.Saved(last.at(), last.place().folder()));
                    untidy.ifPresent(why -> refused(last, why, null));
                    break;
                } catch (InterruptedException e) {
                    interrupted = true; // nothing of it is to be lost
                }
            }
        } catch (ExecutionException e) {
            failed(last, e.getCause());
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

    /** What is saved at the end is not tried again: there the disk stops the run in any case. */
    private void refused(Pending last, String why, @Nullable IOException cause) {
        if (last.mayGoOn() && last.place().policy().ifRefused() == IfRefused.GO_ON) {
            heard.accept(new Event.NotSaved(last.at(), last.place().folder(), why));
            return;
        }
        throw new UncheckedIOException(why, cause == null ? new IOException(why) : cause);
    }

    /** Waits, and ends the thread. Throws likewise, and has ended it then. */
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
