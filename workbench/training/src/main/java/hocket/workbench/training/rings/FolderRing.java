package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.schedulers.commands.Steering;
import hocket.schedulers.flow.FlowContext;
import hocket.workbench.runs.Journal;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import hocket.workbench.runs.verification.MissingCheckpoints;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.RunRequest.Replayed;
import hocket.workbench.training.RunRequest.ResumeCommand;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Locks a run's folder. A resumed run is locked before its checkpoint is read, so that nobody removes it; a new run is
 * locked after all checks.
 */
public final class FolderRing implements RunRing {
    private @Nullable RunLock lock;

    @Override
    public RunRingOrder layer() {
        return RunRingOrder.FOLDER;
    }

    @Override
    public void run(RunContext run, Next rest) {
        try {
            if (run.request().beginning().resumed()) {
                RunFolder folder = run.request().folder();
                lock = folder.resume();
                if (!folder.hasAnyCheckpoint()) {
                    MissingCheckpoints.refuse(folder);
                    run.restart();
                }
            }
            rest.proceed();
        } finally {
            if (lock != null) {
                lock.close();
            }
        }
    }

    @Override
    public void write(RunContext run, Next rest) {
        RunFolder folder = locked(run.request(), run.flow());
        Journal journal = new Journal(folder, InstantSource.system());
        run.give(RunFolder.class, folder);
        run.give(Journal.class, journal);
        run.give(ResumeCommand.class, ResumeCommand.of(folder, run.request().beginning()));
        run.give(
                Steering.class,
                new Steering(journal, run.stop()::isRequested)
                        .replaying(run.request()
                                .beginning()
                                .replayed()
                                .map(Replayed::commands)
                                .orElse(List.of())));
        rest.proceed();
    }

    /** Locks the folder, unless a step has locked another one already. */
    private RunFolder locked(RunRequest request, FlowContext context) {
        RunFolder folder = new RunFolder(context.instance().folder());
        if (lock != null && lock.folder().equals(folder)) {
            return folder;
        }
        RunLock former = lock;
        lock = request.beginning()
                .otherFolder()
                .filter(next -> folder.equals(request.folder()))
                .map(folder::begin)
                .orElseGet(folder::begin);
        if (former != null) {
            former.close();
        }
        context.instance(context.instance().folder(lock.folder().path()));
        return lock.folder();
    }
}
