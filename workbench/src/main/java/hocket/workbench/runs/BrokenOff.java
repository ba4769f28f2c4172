package hocket.workbench.runs;

import java.util.List;
import java.util.Objects;

/** A run that failed on its way: why is its cause, and its lines say what it left and how it goes on. */
public final class BrokenOff extends RuntimeException {
    private final List<String> lines;

    /** @param lines for the person who asked, behind the cause */
    public BrokenOff(Throwable cause, List<String> lines) {
        super(cause.getMessage(), cause);
        this.lines = List.copyOf(lines);
    }

    /** The same with another command for one that its lines name. */
    public BrokenOff replacing(String command, String other) {
        return new BrokenOff(
                Objects.requireNonNull(getCause()),
                lines.stream().map(line -> line.replace(command, other)).toList());
    }

    public List<String> lines() {
        return lines;
    }
}
