package hocket.workbench.runs;

import java.util.List;

/** A run that failed while it trained: its cause, and lines on what it left and how to resume it. */
public final class RunFailure extends RuntimeException {
    private final List<String> lines;

    /** @param lines for the person who ran it, printed after the cause */
    public RunFailure(Throwable cause, List<String> lines) {
        super(cause.getMessage(), cause);
        this.lines = List.copyOf(lines);
    }

    public List<String> lines() {
        return lines;
    }
}
