package hocket.workbench.runs;

import hocket.programs.ProgramException;
import java.util.function.Supplier;

/** What was asked for went wrong on the way: exit status 1. The message is for the person who asked. */
public final class Failure extends RuntimeException {
    public Failure(String message) {
        super(message);
    }

    private Failure(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * The result of an experiment's parts at work: what they, or an engine, refuse then becomes a failure. Other errors stay
     * what they are.
     */
    public static <T> T unless(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException | IllegalStateException | ProgramException e) {
            throw new Failure(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }
}
