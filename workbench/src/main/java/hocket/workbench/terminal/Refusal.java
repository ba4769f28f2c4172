package hocket.workbench.terminal;

import hocket.workbench.experiment.Refused;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/** What was asked for cannot be: exit status 2, before anything has changed. The message is for the person who asked. */
public final class Refusal extends RuntimeException {
    public Refusal(String message) {
        super(message);
    }

    public Refusal(String message, Throwable cause) {
        super(message, cause);
    }

    /** The result of something that checks what it is given: refused arguments and unreadable files become refusals. */
    public static <T> T unless(Supplier<T> checked) {
        try {
            return checked.get();
        } catch (Refused e) {
            throw e; // it says all by itself
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw new Refusal(String.valueOf(e.getMessage()), e);
        }
    }
}
