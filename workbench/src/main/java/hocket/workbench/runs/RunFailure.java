package hocket.workbench.runs;

import java.util.List;

/** A run that failed on its way: why is its cause, and its lines say what it left and how it goes on. */
public final class RunFailure extends RuntimeException {
    private final List<String> lines;

    /** @param lines for the person who asked, behind the cause */
    public RunFailure(Throwable cause, List<String> lines) {
        super(cause.getMessage(), cause);
        this.lines = List.copyOf(lines);
    }

    public List<String> lines() {
        return lines;
    }
}
