package hocket.schedulers.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Work on files that is refused unchecked: the message says what failed, such as {@code a.png could not be written}, and why. */
public final class FileWork {
    private FileWork() {}

    /** Work without a result. */
    @FunctionalInterface
    public interface Action {
        /** Does it. */
        void run() throws IOException;
    }

    /** Work with a result. */
    @FunctionalInterface
    public interface Question<T> {
        /** Does it. */
        T get() throws IOException;
    }

    /** Returns the entries of a folder, sorted. */
    public static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        }
    }

    /** The same, unchecked; nothing where there is no folder. */
    public static List<Path> entries(Path folder) {
        return Files.isDirectory(folder) ? get(folder + " cannot be listed", () -> in(folder)) : List.of();
    }

    /** Returns the result of work. */
    public static <T> T get(String failed, Question<T> work) {
        try {
            return work.get();
        } catch (IOException e) {
            throw new UncheckedIOException(failed + ": " + DiskFailureText.of(e), e);
        }
    }

    /** Does work. */
    public static void run(String failed, Action work) {
        get(failed, () -> {
            work.run();
            return true;
        });
    }

    /** Does work that makes a file or folder at a place that a person named: says of a missing folder above that it is missing. */
    public static void make(String failed, Action work) {
        try {
            work.run();
        } catch (IOException e) {
            throw new UncheckedIOException(failed + ": " + DiskFailureText.ofWriting(e), e);
        }
    }
}
