package hocket.workbench.training.processes;

/** A run that trains in another process, in parallel with others: its progress and its result. Used by any thread. */
final class ChildProcess {
    private static final int FAILED = 1;
    private static final ParentProcess.ProgressReport NOTHING = new ParentProcess.ProgressReport(0, "starting");

    private final SideBySide.Job job;
    private final long began = System.nanoTime();
    private volatile ParentProcess.ProgressReport first = NOTHING;
    private volatile ParentProcess.ProgressReport last = NOTHING;

    ChildProcess(SideBySide.Job job) {
        this.job = job;
    }

    /** Sets the progress that its process reported; called by one thread. */
    void hear(ParentProcess.ProgressReport told) {
        first = last == NOTHING ? told : first;
        last = told;
    }

    SideBySide.Job job() {
        return job;
    }

    /** Returns the last reported progress. */
    String line() {
        return last.line();
    }

    /** Returns the completed fraction of its run, from 0 to 1. */
    double done() {
        return last.done();
    }

    /** Returns the fraction that this process completed. */
    double doneHere() {
        return last.done() - first.done();
    }

    private double seconds() {
        return (System.nanoTime() - began) * 1e-9;
    }

    /** Returns its result after it is done. */
    SideBySide.Ended whenDone() {
        return ended(0, "");
    }

    /** Returns its result after its process has ended too early. */
    SideBySide.Ended whenOver(int status) {
        String reason = ChildExitStatus.isOfSignal(status)
                ? "its process was " + ChildExitStatus.words(status)
                : StartRecord.of(job.folder()).reason();
        return ended(status == 0 ? FAILED : status, reason);
    }

    private SideBySide.Ended ended(int status, String reason) {
        job.folder().dropSaid();
        job.folder().dropStart();
        return new SideBySide.Ended(job, status, reason, seconds());
    }
}
