package hocket.programs.execution;

/** An engine refused a program or failed while running it. */
public final class ProgramException extends RuntimeException {
    private final boolean threadLost;

    public ProgramException(String message, Throwable cause, boolean threadLost) {
        super(message, cause);
        this.threadLost = threadLost;
    }

    /**
     * Returns whether the thread can run no more programs: another one must take over the store ({@code adopt()}), bind
     * again and continue from the last good state.
     */
    public boolean threadLost() {
        return threadLost;
    }
}
