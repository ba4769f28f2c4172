package hocket.workbench.training.processes;

import hocket.schedulers.checkpoint.FileWork;
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
 * A process that trains runs in sequence, so that its start and warm-up are paid once; its side is {@link
 * ParentProcess}. One thread gives it runs and receives their ends and that of the process.
 */
final class WorkerSlot {
    /** The time in which the last output of an ended process must be read. */
    private static final long LAST_WORDS_MILLIS = 2000;

    /**
     * An event of a slot.
     *
     * @param isOver whether its process has ended; otherwise its run is done
     */
    record News(WorkerSlot slot, boolean isOver) {}

    private final Process process;
    private final Consumer<News> news;
    private final List<Thread> listening;
    private volatile @Nullable ChildProcess childProcess;
    private volatile boolean isLeaving;

    /**
     * Starts a process for a run and later ones.
     *
     * @param here the folder to which relative paths are relative
     * @param columns width of its progress lines
     * @param news is called by other threads
     * @throws UncheckedIOException if the process cannot be started
     */
    WorkerSlot(ChildProcess first, Path here, int columns, Consumer<News> news) {
        this.news = news;
        this.childProcess = first;
        this.process =
                FileWork.get(first.job().folder() + " could not be started", () -> ProcessLauncher.slot(here, columns));
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

    /** Returns the run that it trains; empty while it waits for one. */
    Optional<ChildProcess> child() {
        return Optional.ofNullable(childProcess);
    }

    /** Returns whether it waits for the next run. */
    boolean isFree() {
        return childProcess == null && !isLeaving;
    }

    /** Records that its run has ended. */
    void free() {
        childProcess = null;
    }

    /** Gives it the next run, if it still lives. */
    boolean takes(ChildProcess next) {
        childProcess = next;
        boolean isTaken = give(next);
        childProcess = isTaken ? next : null;
        return isTaken;
    }

    private boolean give(ChildProcess next) {
        begin(next.job().folder());
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(ParentProcess.line(next.job().arguments()))
                    .append('\n')
                    .flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void begin(RunFolder run) {
        FileWork.run(run + " could not be started", () -> {
            RegularFiles.makeOwn(run.started());
            say(run.started(), ParentProcess.process(process.pid()));
        });
    }

    /** Tells it to save and end; a waiting one ends. A second call does nothing. */
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

    /** Waits for its end, for a limited time. */
    void await() {
        try {
            process.waitFor(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the status of its ended process. */
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
        ChildProcess now = childProcess;
        if (now == null) {
            return;
        }
        if (line.equals(ParentProcess.DONE) || line.equals(ParentProcess.LAST)) {
            isLeaving = line.equals(ParentProcess.LAST);
            news.accept(new News(this, false));
        } else {
            ParentProcess.ProgressReport.of(line).ifPresent(now::hear);
        }
    }

    /** Ends the slot; the process's own children may keep the pipes open. */
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

    /** Reads its standard error, for people: each line belongs to the run that it trained at that time. */
    private final class Words implements Consumer<String> {
        private final String opening = ParentProcess.process(process.pid());
        private Path file;

        Words(ChildProcess first) {
            file = first.job().folder().started();
        }

        @Override
        public void accept(String line) {
            if (line.equals(opening)) {
                ChildProcess now = childProcess;
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
