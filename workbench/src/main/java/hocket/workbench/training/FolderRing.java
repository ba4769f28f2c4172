package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.schedulers.Steering;
import hocket.schedulers.flow.FlowContext;
import hocket.workbench.runs.Journal;
import hocket.workbench.runs.LostCheckpoints;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import hocket.workbench.training.RunRequest.ResumeCommand;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Locks a run's folder. One that is resumed is locked before its checkpoint is read, as nobody may take that away meanwhile;
 * any other once everything has been checked.
 */
final class FolderRing implements RunRing {
    private @Nullable RunLock lock;

    @Override
    public RunLayer layer() {
        return RunLayer.FOLDER;
    }

    @Override
    public void run(RunContext run, Rest rest) {
        try {
            if (run.request().beginning().resumed()) {
                RunFolder folder = run.request().folder();
                lock = folder.goOn();
                if (!folder.hasAnyCheckpoint()) {
                    LostCheckpoints.refuse(folder);
                    run.startAnew();
                }
            }
            rest.go();
        } finally {
            if (lock != null) {
                lock.close();
            }
        }
    }

    @Override
    public void write(RunContext run, Rest rest) {
        RunFolder folder = locked(run.request(), run.flow());
        Journal journal = new Journal(folder, InstantSource.system());
        run.give(RunFolder.class, folder);
        run.give(Journal.class, journal);
        run.give(ResumeCommand.class, ResumeCommand.of(folder));
        run.give(
                Steering.class,
                new Steering(journal, run.stop()::isRequested)
                        .replaying(run.request().beginning().replayed()));
        rest.go();
    }

    /** Takes the folder, unless it has been taken: a step may have chosen another one. */
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
