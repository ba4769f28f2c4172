package hocket.workbench.processes;

/** A run that trains in another process, side by side with others: how far it is, and what came of it. Any thread. */
final class Child {
    private static final int FAILED = 1;
    private static final Parent.Told NOTHING = new Parent.Told(0, "starting");

    private final SideBySide.Job job;
    private final long began = System.nanoTime();
    private volatile Parent.Told first = NOTHING;
    private volatile Parent.Told last = NOTHING;

    Child(SideBySide.Job job) {
        this.job = job;
    }

    /** Takes what its process says of it; from one thread. */
    void hear(Parent.Told told) {
        first = last == NOTHING ? told : first;
        last = told;
    }

    SideBySide.Job job() {
        return job;
    }

    /** What was last said of it. */
    String line() {
        return last.line();
    }

    /** How much of its run is done, from 0 to 1. */
    double done() {
        return last.done();
    }

    /** How much of it was done by this process. */
    double doneHere() {
        return last.done() - first.done();
    }

    private double seconds() {
        return (System.nanoTime() - began) * 1e-9;
    }

    /** What came of it, once it is done. */
    SideBySide.Ended whenDone() {
        return ended(0, "");
    }

    /** What came of it, once its process has ended before it was done. */
    SideBySide.Ended whenOver(int status) {
        String reason = ExitStatus.isOfSignal(status)
                ? "its process was " + ExitStatus.words(status)
                : Start.of(job.folder()).reason();
        return ended(status == 0 ? FAILED : status, reason);
    }

    private SideBySide.Ended ended(int status, String reason) {
        job.folder().dropSaid();
        job.folder().dropStart();
        return new SideBySide.Ended(job, status, reason, seconds());
    }
}
