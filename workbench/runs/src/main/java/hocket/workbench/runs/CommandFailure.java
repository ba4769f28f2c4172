package hocket.workbench.runs;

import hocket.programs.execution.ProgramException;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.workbench.files.forms.Classes;
import java.util.Optional;
import java.util.function.Supplier;

/** A command that failed while it ran: exit status 1. The message is for the person who ran it. */
public final class CommandFailure extends RuntimeException {
    public CommandFailure(String message) {
        super(message);
    }

    public CommandFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns the failure of a training run, with its place: an exception of a user's class, a rejection by a Java
     * turn, or an error of any kind. Other exceptions stay as {@link #unless} leaves them.
     *
     * @param place such as {@code turn collect of round 3}
     * @param isJava whether it happened in a turn of Java
     */
    public static RuntimeException in(String place, boolean isJava, Throwable e) {
        UserCodeFailure.rethrowIfFatal(e);
        boolean isRefused = e instanceof IllegalArgumentException || e instanceof IllegalStateException;
        Optional<String> said = Classes.failure(e)
                .or(() -> isJava && isRefused ? Optional.of(String.valueOf(e.getMessage())) : Optional.empty());
        return said.isEmpty() && e instanceof RuntimeException other
                ? of(other)
                : new CommandFailure(place + ": " + said.orElse(e.toString()), e);
    }

    /** Returns the message of an exception; its class where it has none. */
    public static String words(Throwable e) {
        String message = e.getMessage();
        return message == null ? e.toString() : message;
    }

    private static RuntimeException of(RuntimeException e) {
        return e instanceof IllegalArgumentException
                        || e instanceof IllegalStateException
                        || e instanceof ProgramException
                ? new CommandFailure(words(e), e)
                : e;
    }

    /**
     * Runs parts of an experiment: a rejection by them, or by an engine, becomes a failure. Other errors are passed on.
     */
    public static <T> T unless(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException | IllegalStateException | ProgramException e) {
            throw of(e);
        }
    }
}
