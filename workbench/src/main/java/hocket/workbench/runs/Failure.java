package hocket.workbench.runs;

import hocket.programs.ProgramException;
import hocket.workbench.forms.Classes;
import java.util.Optional;
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
     * The result of an experiment's parts at work. What they refuse then, and what a class of the user's throws, becomes a
     * failure; other errors are Hocket's own, and stay what they are.
     */
    public static <T> T unless(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException | IllegalStateException | ProgramException e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            Optional<String> users = Classes.thrower(e);
            if (users.isPresent() && !(e instanceof Failure)) {
                throw new Failure("class " + users.get() + " failed: " + e, e);
            }
            throw e;
        }
    }
}
