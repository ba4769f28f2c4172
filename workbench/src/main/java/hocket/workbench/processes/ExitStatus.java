package hocket.workbench.processes;

/** How a process ended, by the status that a shell would have of it. */
public final class ExitStatus {
    private static final int SIGNALS = 128;

    /** What is above is no signal: ssh says 255 of what fails of its own. */
    private static final int MOST_SIGNAL = 64;

    private ExitStatus() {}

    /** Whether a signal ended it, so that it could not say why. */
    public static boolean isOfSignal(int status) {
        return status > SIGNALS && status <= SIGNALS + MOST_SIGNAL;
    }

    /** In words, behind who it is: {@code ended by signal 9}, {@code ended with status 1}. */
    public static String words(int status) {
        return isOfSignal(status) ? "ended by signal " + (status - SIGNALS) : "ended with status " + status;
    }
}
