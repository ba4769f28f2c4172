package hocket.workbench.processes;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.workbench.runs.RegularFiles;
import hocket.workbench.runs.RunFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that trains runs one after the other, so that what it takes to start and to get fast is paid once: {@link Parent} is
 * how it sees this one. It is given runs by one thread, which is told when one is done and when the process has ended.
 */
final class Slot {
    /** So long what a process said last may take to be read once it has ended. */
    private static final long LAST_WORDS_MILLIS = 2000;

    /**
     * What became of one.
     *
     * @param isOver whether its process has ended; otherwise its run is done
     */
    record News(Slot slot, boolean isOver) {}

    private final Process process;
    private final Consumer<News> news;
    private final List<Thread> listening;
    private volatile @Nullable Child child;
    private volatile boolean isLeaving;

    /**
     * Starts a process for a run, and those after it.
     *
     * @param here what relative paths are relative to
     * @param columns how wide the lines are in which it says how far it is
     * @param news is told by other threads
     * @throws UncheckedIOException if the system refuses
     */
    Slot(Child first, Path here, int columns, Consumer<News> news) {
        this.news = news;
        this.child = first;
        try {
            this.process = Launch.slot(here, columns);
        } catch (IOException e) {
            throw new UncheckedIOException(first.job().folder() + " could not be started: " + DiskFailureText.of(e), e);
        }
        listening = List.of(
                listening(process.inputReader(StandardCharsets.UTF_8), this::told),
                listening(process.errorReader(StandardCharsets.UTF_8), new Words(first)));
        process.onExit().thenRun(this::over);
        try {
            give(first); // a process that does not take it has ended
        } catch (UncheckedIOException e) {
            kill();
            throw e;
        }
    }

    /** The run that it trains; empty while it waits for one. */
    Optional<Child> child() {
        return Optional.ofNullable(child);
    }

    /** Whether it waits for the next run. */
    boolean isFree() {
        return child == null && !isLeaving;
    }

    /** Its run is over. */
    void free() {
        child = null;
    }

    /** Has it train the next run, if it is there still. */
    boolean takes(Child next) {
        child = next;
        boolean isTaken = give(next);
        child = isTaken ? next : null;
        return isTaken;
    }

    private boolean give(Child next) {
        begin(next.job().folder());
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(Parent.line(next.job().arguments()))
                    .append('\n')
                    .flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void begin(RunFolder run) {
        try {
            RegularFiles.makeOwn(run.started());
            say(run.started(), Parent.process(process.pid()));
        } catch (IOException e) {
            throw new UncheckedIOException(run + " could not be started: " + DiskFailureText.of(e), e);
        }
    }

    /** Has it save and end; one that waits ends. A second time does nothing. */
    void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended
        }
    }

    /** Ends it at once. */
    void kill() {
        process.destroyForcibly();
    }

    /** Waits for its end, a while. */
    void await() {
        try {
            process.waitFor(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** That of its process, which has ended. */
    int status() {
        return process.exitValue();
    }

    private static Thread listening(BufferedReader reader, Consumer<String> to) {
        Thread listening = new Thread(
                () -> {
                    try (reader) {
                        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                            to.accept(line);
                        }
                    } catch (IOException e) {
                        // it has ended
                    }
                },
                "slot");
        listening.setDaemon(true);
        listening.start();
        return listening;
    }

    private void told(String line) {
        Child now = child;
        if (now == null) {
            return;
        }
        if (line.equals(Parent.DONE) || line.equals(Parent.LAST)) {
            isLeaving = line.equals(Parent.LAST);
            news.accept(new News(this, false));
        } else {
            Parent.Told.of(line).ifPresent(now::hear);
        }
    }

    /** What it has started may keep its ends of the pipes open for longer than it lives. */
    private void over() {
        try {
            for (Thread each : listening) {
                each.join(LAST_WORDS_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        news.accept(new News(this, true));
    }

    private static void say(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
    }

    /** What it says on standard error, for people: each line belongs to the run that it trained when it said so. */
    private final class Words implements Consumer<String> {
        private final String opening = Parent.process(process.pid());
        private Path file;

        Words(Child first) {
            file = first.job().folder().started();
        }

        @Override
        public void accept(String line) {
            if (line.equals(opening)) {
                Child now = child;
                if (now != null) { // else its run is over already
                    file = now.job().folder().started();
                }
                return;
            }
            try {
                say(file, line);
            } catch (IOException e) {
                // nobody asks any more
            }
        }
    }
}
