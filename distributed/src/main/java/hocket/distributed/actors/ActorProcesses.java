package hocket.distributed.actors;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.training.processes.ChildExitStatus;
import hocket.workbench.training.processes.ProcessLauncher;
import hocket.workbench.training.processes.StartRecord;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a learner's own actors, one of each rank: starts, watches and ends them. Ctrl-C at a terminal ends
 * the learner alone, which then ends them. Used by any thread.
 */
final class ActorProcesses implements AutoCloseable {
    private static final int LAST_LINES = 3;
    private static final int LONGEST_LINE = 300;
    private static final long PATIENCE_SECONDS = 3;

    /** A listener for processes that end by themselves. */
    @FunctionalInterface
    interface Listener {
        /**
         * Reports that an actor process has ended.
         *
         * @param rank of the actor
         * @param how its exit status, in words
         * @param lastWords its last output; empty if it printed nothing
         */
        void ended(int rank, String how, String lastWords);
    }

    private final List<String> command;
    private final IntFunction<Map<String, String>> environment;
    private final File here;
    private final Listener listener;
    private final List<@Nullable Process> running = new ArrayList<>();
    private boolean isClosing;

    /**
     * Creates the manager; no process is started yet.
     *
     * @param command the command of each process
     * @param environment variables that are added for the actor of a rank
     * @param here their working folder
     */
    ActorProcesses(List<String> command, IntFunction<Map<String, String>> environment, File here, Listener listener) {
        this.command = command;
        this.environment = environment;
        this.here = here;
        this.listener = listener;
    }

    /**
     * Starts the actor of a rank, which must not be running.
     *
     * @throws UncheckedIOException if the process cannot be started
     */
    synchronized void start(int rank) {
        if (isClosing) {
            return;
        }
        ProcessBuilder builder = new ProcessBuilder(ProcessLauncher.undisturbed(command))
                .directory(here)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true);
        builder.environment().putAll(environment.apply(rank));
        Process process = FileWork.get("actor " + rank + " could not be started", builder::start);
        while (running.size() <= rank) {
            running.add(null);
        }
        running.set(rank, process);
        Thread reader = new Thread(() -> watch(rank, process), "actor " + rank);
        reader.setDaemon(true);
        reader.start();
    }

    private void watch(int rank, Process process) {
        Deque<String> last = new ArrayDeque<>();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (StartRecord.isOfJvm(line)) {
                    continue;
                } else if (last.size() == LAST_LINES) {
                    last.remove();
                }
                last.add(line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "..." : line);
            }
        } catch (IOException e) {
            last.add("(its output could not be read: " + DiskFailureText.of(e) + ")");
        }
        int status = process.onExit().join().exitValue();
        synchronized (this) {
            if (isClosing) {
                return;
            }
        }
        listener.ended(rank, ChildExitStatus.words(status), String.join("; ", last));
    }

    /** Ends the actor of a rank at once; the listener is called. */
    synchronized void kill(int rank) {
        Process process = rank < running.size() ? running.get(rank) : null;
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /** Stops calls of the listener. */
    synchronized void expectEnds() {
        isClosing = true;
    }

    private synchronized List<Process> all() {
        return running.stream().filter(process -> process != null).toList();
    }

    /** Waits briefly for processes that know of the end, and ends the others. */
    @Override
    public void close() {
        expectEnds();
        List<Process> all = all();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        for (Process process : all) {
            try {
                process.onExit().get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                process.destroyForcibly();
            } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
                process.destroyForcibly();
            }
        }
    }
}
