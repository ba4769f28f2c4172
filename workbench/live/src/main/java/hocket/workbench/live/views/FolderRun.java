package hocket.workbench.live.views;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.commands.Steering;
import hocket.schedulers.state.State;
import hocket.scopes.Snapshot;
import hocket.workbench.live.http.CoalescedQuery;
import hocket.workbench.live.http.PublicFiles;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.processes.StartRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A run that is over, or trains in another process, as read from its folder. */
public final class FolderRun implements ServedRun {
    private final CommandContext commandContext;
    private final RunFolder folder;
    private final CoalescedQuery<Moment> copies = new CoalescedQuery<>(this::copied);
    private @Nullable SelectedExperiment experiment;
    private @Nullable LiveCurves liveCurves;
    private @Nullable BasicFileAttributes read;
    private List<FileTime> written = List.of();
    private State saved = State.empty();
    private @Nullable FileTime savedAt;

    public FolderRun(CommandContext commandContext, RunFolder folder) {
        this.commandContext = commandContext;
        this.folder = folder;
    }

    @Override
    public RunFolder folder() {
        return folder;
    }

    /** Returns the metrics; reads what their file has gained since, or all of it if it is another file. */
    @Override
    public synchronized LiveCurves curves() {
        Path metrics = folder.metrics();
        PublicFiles.requireNoLink(metrics);
        LiveCurves known = liveCurves;
        if (!Files.exists(metrics)) {
            return renewed(metrics, null);
        }
        BasicFileAttributes now = FileWork.get(
                metrics + " could not be read", () -> Files.readAttributes(metrics, BasicFileAttributes.class));
        BasicFileAttributes before = read;
        if (known == null || before == null) {
            return renewed(metrics, now);
        }
        if (now.lastModifiedTime().equals(before.lastModifiedTime()) && now.size() == before.size()) {
            return known;
        }
        if (now.fileKey() == null || !now.fileKey().equals(before.fileKey()) || now.size() < known.read()) {
            return renewed(metrics, now); // a resumed run has dropped lines
        }
        known.extend(metrics);
        read = now;
        return known;
    }

    private LiveCurves renewed(Path metrics, @Nullable BasicFileAttributes now) {
        LiveCurves all = LiveCurves.of(metrics);
        liveCurves = all;
        read = now;
        return all;
    }

    /** Returns when a file was written; 1970 if there is none. */
    private static FileTime changed(Path file) {
        try {
            return Files.exists(file) ? Files.getLastModifiedTime(file) : FileTime.fromMillis(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the experiment; reads it again if its file has changed, as after a resume with another budget, or if what
     * the run describes of its data has: that is written after the file.
     */
    @Override
    public synchronized SelectedExperiment experiment() {
        PublicFiles.requireNoLink(folder.experiment());
        List<FileTime> changed = List.of(changed(folder.experiment()), changed(folder.provenance()));
        SelectedExperiment made = experiment;
        if (made == null || !changed.equals(written)) {
            made = new CheckpointedRun(folder, State.empty()).selected(commandContext); // needs no checkpoint
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
            PublicFiles.requireNoFolderLink(folder.checkpoints());
            long began = System.nanoTime();
            CheckpointedRun saved = CheckpointedRun.open(folder, OptionalLong.empty());
            Snapshot snapshot = saved.state().state("parameters").snapshot();
            return new Moment(at(saved), snapshot, System.nanoTime() - began);
        });
    }

    private static Event.Position at(CheckpointedRun saved) {
        return new Event.Position(saved.step(), saved.state().whole("round"), 0);
    }

    @Override
    public Optional<Steering> steering() {
        return Optional.empty();
    }

    /** A damaged run does not hide other runs: it is shown as damaged, with the reason. */
    @Override
    public RunFacts facts() {
        Optional<StartRecord> startRecord = StartRecord.unfinished(folder);
        if (startRecord.isPresent()) {
            StartRecord it = startRecord.get();
            return it.isAlive()
                    ? RunFacts.unread(this, RunStatus.STARTING, null)
                    : RunFacts.unread(this, RunStatus.FAILED, it.reason());
        }
        try {
            return read();
        } catch (RuntimeException e) {
            return RunFacts.unread(this, RunStatus.DAMAGED, Terminal.inOneLine(CommandFailure.words(e)));
        }
    }

    /** Returns the newest readable checkpoint without its arrays; empty if there is none. */
    private synchronized State saved() {
        PublicFiles.requireNoFolderLink(folder.checkpoints());
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
        SelectedExperiment what = experiment();
        RunPosition runPosition = new RunPosition(what.setup(), curves(), saved());
        Event.Position at = runPosition.at();
        Budget budget = what.setup().phases().get(0).budget();
        double done = done(budget, at);
        RunStatus runStatus = status(done >= 1 && what.setup().phases().size() == 1);
        return new RunFacts(
                RunFacts.Identity.of(this, what),
                new RunFacts.State(runStatus.word(), null, false),
                new RunFacts.Progress(
                        at,
                        "",
                        what.setup().phases().get(0).name(),
                        runStatus == RunStatus.ENDED ? 1 : done,
                        null,
                        null),
                LiveView.words(budget),
                runPosition.settings(),
                RunFacts.TurnName.of(what),
                runPosition.plan(),
                RunFacts.Abilities.of(what, false, runStatus == RunStatus.STOPPED),
                List.of());
    }

    /** Returns the fraction of its budget, as far as its metrics tell. */
    private static double done(Budget budget, Event.Position at) {
        double taken = budget.fold(rounds -> (double) at.round(), turns -> (double) at.step(), epochs -> at.epoch());
        return budget.count() > 0 ? Math.min(1, taken / budget.count()) : 0;
    }

    /**
     * Returns the status: a run that another process serves or writes is training after its first record, and about to
     * begin before it. A run without an evaluation has ended if its files show it otherwise.
     */
    private RunStatus status(boolean isDone) {
        if (LiveAddress.found(folder).isPresent()) {
            return RunStatus.TRAINING;
        }
        if (isDone || folder.isJudged()) {
            return RunStatus.ENDED;
        }
        StartRecord startRecord = StartRecord.of(folder);
        Optional<RunLock.Holder> writing = folder.holder().filter(StartRecord::isRunning);
        if (writing.isPresent()) {
            if (startRecord.wasServed()) {
                return RunStatus.STOPPING;
            }
            Instant recorded = changed(folder.metrics()).toInstant();
            return recorded.isBefore(writing.get().since()) ? RunStatus.STARTING : RunStatus.TRAINING;
        }
        return startRecord.isBeginning() ? RunStatus.STARTING : RunStatus.STOPPED;
    }
}
