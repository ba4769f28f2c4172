package hocket.workbench.files;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.files.yaml.FileProblems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;

/** An error in a user's request: exit status 2, before anything has changed. Its lines are printed. */
public class UserError extends RuntimeException {
    private final List<String> lines;

    public UserError(String message) {
        super(message);
        lines = List.of(message);
    }

    public UserError(String message, Throwable cause) {
        super(message, cause);
        lines = List.of(message);
    }

    /** Creates an error with all problems of an experiment file or a change to one. */
    public UserError(FileProblems fileProblems) {
        super(
                String.join("\n", fileProblems.lines()),
                fileProblems.causes().stream().findFirst().orElse(null));
        lines = fileProblems.lines();
        fileProblems.causes().stream().skip(1).forEach(this::addSuppressed);
    }

    /** Returns a line for each problem. */
    public List<String> lines() {
        return lines;
    }

    /** Returns the result of an action; rejected arguments and unreadable files become user errors. */
    public static <T> T unless(Supplier<T> checked) {
        try {
            return checked.get();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw new UserError(String.valueOf(e.getMessage()), e);
        }
    }

    /** Runs an action that writes files; a failure becomes {@code a.png could not be written} with the reason. */
    public static void unlessMade(String failed, FileWork.Action work) {
        try {
            work.run();
        } catch (IOException e) {
            throw new UserError(failed + ": " + DiskFailureText.ofWriting(e), e);
        }
    }
}
