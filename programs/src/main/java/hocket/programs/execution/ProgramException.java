package hocket.programs.execution;

/** An engine refused a program or failed while running it. */
public final class ProgramException extends RuntimeException {
    private final boolean threadLost;

    public ProgramException(String message, Throwable cause, boolean threadLost) {
        super(message, cause);
        this.threadLost = threadLost;
    }

    /**
     * Whether the thread can run no more programs: another one has to take over the store ({@code adopt()}), bind anew
     * and go on from the last state that was good.
     */
    public boolean threadLost() {
        return threadLost;
    }
}
