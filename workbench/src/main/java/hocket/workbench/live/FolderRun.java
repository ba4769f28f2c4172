package hocket.workbench.live;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.State;
import hocket.schedulers.Steering;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.scopes.Snapshot;
import hocket.workbench.processes.Start;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import hocket.workbench.runs.SavedRun;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A run that is over, or trains in another process, as its folder tells. */
final class FolderRun implements ServedRun {
    private final Workplace workplace;
    private final RunFolder folder;
    private final Coalesced<Moment> copies = new Coalesced<>(this::copied);
    private @Nullable Selected experiment;
    private @Nullable Curves curves;
    private @Nullable FileTime read;
    private @Nullable FileTime written;
    private State saved = State.empty();
    private @Nullable FileTime savedAt;

    FolderRun(Workplace workplace, RunFolder folder) {
        this.workplace = workplace;
        this.folder = folder;
    }

    @Override
    public RunFolder folder() {
        return folder;
    }

    /** Read again where the file has changed. */
    @Override
    public synchronized Curves curves() {
        ShownFiles.requireNoLink(folder.metrics());
        FileTime changed = changed(folder.metrics());
        Curves known = curves;
        if (known == null || !changed.equals(read)) {
            known = Curves.of(folder.metrics());
            curves = known;
            read = changed;
        }
        return known;
    }

    /** When a file was; the beginning of time where there is none. */
    private static FileTime changed(Path file) {
        try {
            return Files.exists(file) ? Files.getLastModifiedTime(file) : FileTime.fromMillis(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Read again likewise: a run may go on with another budget. */
    @Override
    public synchronized Selected experiment() {
        ShownFiles.requireNoLink(folder.experiment());
        FileTime changed = changed(folder.experiment());
        Selected made = experiment;
        if (made == null || !changed.equals(written)) {
            made = new SavedRun(folder, State.empty()).selected(workplace); // needs no checkpoint
            experiment = made;
            written = changed;
        }
        return made;
    }

    @Override
    public CompletableFuture<Moment> parameters() {
        return copies.ask();
    }

    private CompletableFuture<Moment> copied() {
        return CompletableFuture.supplyAsync(() -> {
            ShownFiles.requireNoFolderLink(folder.checkpoints());
            long began = System.nanoTime();
            SavedRun saved = SavedRun.open(folder, OptionalLong.empty());
            Snapshot snapshot = saved.state().state("parameters").snapshot();
            return new Moment(at(saved), snapshot, System.nanoTime() - began);
        });
    }

    private static Event.Position at(SavedRun saved) {
        return new Event.Position(saved.step(), saved.state().whole("round"), 0);
    }

    @Override
    public Optional<Steering> steering() {
        return Optional.empty();
    }

    /** What is damaged hides no other run: it is shown as that, with the reason. */
    @Override
    public RunFacts facts() {
        Optional<Start> start = Start.unfinished(folder);
        if (start.isPresent()) {
            Start it = start.get();
            return it.isAlive()
                    ? RunFacts.unread(this, Status.STARTING, null)
                    : RunFacts.unread(this, Status.FAILED, it.reason());
        }
        try {
            return read();
        } catch (RuntimeException e) {
            return RunFacts.unread(
                    this, Status.DAMAGED, Terminal.inOneLine(e.getMessage() == null ? e.toString() : e.getMessage()));
        }
    }

    /** The newest readable checkpoint without its arrays; empty where there is none. */
    private synchronized State saved() {
        ShownFiles.requireNoFolderLink(folder.checkpoints());
        FileTime changed = changed(folder.checkpoints().resolve(Checkpoints.LATEST));
        if (!changed.equals(savedAt)) {
            try {
                saved = Checkpoints.outline(folder.checkpoints()).orElse(State.empty());
                savedAt = changed;
            } catch (IOException e) {
                // it is read again next time; resuming the run reports the reason
            }
        }
        return saved;
    }

    private RunFacts read() {
        Selected what = experiment();
        Standing standing = new Standing(what.setup(), curves(), saved());
        Event.Position at = standing.at();
        Budget budget = what.setup().phases().get(0).budget();
        double done = done(budget, at);
        Status status = status(done >= 1 && what.setup().phases().size() == 1);
        return new RunFacts(
                RunFacts.Identity.of(this, what),
                new RunFacts.State(status.word(), null, false),
                new RunFacts.Progress(
                        at, "", what.setup().phases().get(0).name(), status == Status.ENDED ? 1 : done, null, null),
                Attended.words(budget),
                standing.settings(),
                RunFacts.TurnName.of(what),
                standing.plan(),
                RunFacts.Abilities.of(what, false, status == Status.STOPPED),
                List.of());
    }

    /** How much of its budget, as far as its figures tell. */
    private static double done(Budget budget, Event.Position at) {
        double taken = budget.fold(rounds -> (double) at.round(), turns -> (double) at.step(), epochs -> at.epoch());
        return budget.count() > 0 ? Math.min(1, taken / budget.count()) : 0;
    }

    /**
     * One that another process serves, or writes, is trained there, once it has recorded something; one that was started, and does not
     * write yet, is about to begin. One that is not judged has ended where that can be seen otherwise.
     */
    private Status status(boolean isDone) {
        if (LiveAddress.found(folder).isPresent()) {
            return Status.TRAINING;
        }
        if (isDone || folder.isJudged()) {
            return Status.ENDED;
        }
        Start start = Start.of(folder);
        Optional<RunLock.Holder> writing = folder.holder().filter(Start::isRunning);
        if (writing.isPresent()) {
            if (start.wasServed()) {
                return Status.STOPPING;
            }
            Instant recorded = changed(folder.metrics()).toInstant();
            return recorded.isBefore(writing.get().since()) ? Status.STARTING : Status.TRAINING;
        }
        return start.isBeginning() ? Status.STARTING : Status.STOPPED;
    }
}
