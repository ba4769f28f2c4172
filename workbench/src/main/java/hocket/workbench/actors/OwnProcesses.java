package hocket.workbench.actors;

import hocket.schedulers.checkpoint.Reason;
import hocket.workbench.processes.ExitStatus;
import hocket.workbench.processes.Launch;
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
 * Processes of this one, each in a place of its own: started, watched, and ended with it. Who is ended by Ctrl-C at a terminal
 * is this process alone, which ends the others. Any thread.
 */
final class OwnProcesses implements AutoCloseable {
    /** What Java says of itself when it starts. */
    private static final String OF_JAVA = "WARNING: Using incubator modules";

    private static final int LAST_LINES = 3;
    private static final int LONGEST_LINE = 300;
    private static final long PATIENCE_SECONDS = 3;

    /** Who hears that a process has ended by itself. */
    @FunctionalInterface
    interface Listener {
        /**
         * One has ended.
         *
         * @param place which
         * @param how its exit status, in words
         * @param lastWords what it said last; empty if nothing
         */
        void ended(int place, String how, String lastWords);
    }

    private final IntFunction<String> names;
    private final IntFunction<List<String>> commands;
    private final IntFunction<Map<String, String>> environment;
    private final File here;
    private final Listener listener;
    private final List<@Nullable Process> running = new ArrayList<>();
    private boolean isClosing;

    /**
     * As yet there is none.
     *
     * @param names how people call the one in a place
     * @param commands what it runs
     * @param environment what is added to this process's for the one in a place
     * @param here where it runs
     */
    OwnProcesses(
            IntFunction<String> names,
            IntFunction<List<String>> commands,
            IntFunction<Map<String, String>> environment,
            File here,
            Listener listener) {
        this.names = names;
        this.commands = commands;
        this.environment = environment;
        this.here = here;
        this.listener = listener;
    }

    /**
     * Starts one in a place where there is none that runs.
     *
     * @throws UncheckedIOException if the system refuses
     */
    synchronized void start(int place) {
        if (isClosing) {
            return;
        }
        ProcessBuilder builder = new ProcessBuilder(Launch.undisturbed(commands.apply(place)))
                .directory(here)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true);
        builder.environment().putAll(environment.apply(place));
        try {
            Process process = builder.start();
            while (running.size() <= place) {
                running.add(null);
            }
            running.set(place, process);
            Thread reader = new Thread(() -> watch(place, process), names.apply(place));
            reader.setDaemon(true);
            reader.start();
        } catch (IOException e) {
            throw new UncheckedIOException(names.apply(place) + " could not be started: " + Reason.of(e), e);
        }
    }

    private void watch(int place, Process process) {
        Deque<String> last = new ArrayDeque<>();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.startsWith(OF_JAVA)) {
                    continue;
                } else if (last.size() == LAST_LINES) {
                    last.remove();
                }
                last.add(line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "..." : line);
            }
        } catch (IOException e) {
            last.add("(what it said could not be read: " + Reason.of(e) + ")");
        }
        int status = process.onExit().join().exitValue();
        synchronized (this) {
            if (isClosing) {
                return;
            }
        }
        listener.ended(place, ExitStatus.words(status), String.join("; ", last));
    }

    /** Ends the one in a place at once; it is heard of. */
    synchronized void kill(int place) {
        Process process = place < running.size() ? running.get(place) : null;
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /** From now on nobody hears of ends. */
    synchronized void expectEnds() {
        isClosing = true;
    }

    /** Ends all at once; nobody hears of it. */
    synchronized void kill() {
        isClosing = true;
        all().forEach(Process::destroyForcibly);
    }

    private synchronized List<Process> all() {
        return running.stream().filter(process -> process != null).toList();
    }

    /** Waits a little for those that were told that all is over, and ends the others. */
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
