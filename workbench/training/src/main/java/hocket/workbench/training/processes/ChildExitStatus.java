package hocket.workbench.training.processes;

/** The exit status of a process, as a shell reports it. */
public final class ChildExitStatus {
    private static final int SIGNALS = 128;

    /** A higher status is not a signal: ssh reports its own failures by 255. */
    private static final int MOST_SIGNAL = 64;

    private ChildExitStatus() {}

    /** Returns whether a signal ended the process, so that it could not report the cause. */
    public static boolean isOfSignal(int status) {
        return status > SIGNALS && status <= SIGNALS + MOST_SIGNAL;
    }

    /** Returns the status in words: {@code ended by signal 9}, {@code ended with status 1}. */
    public static String words(int status) {
        return isOfSignal(status) ? "ended by signal " + (status - SIGNALS) : "ended with status " + status;
    }
}
