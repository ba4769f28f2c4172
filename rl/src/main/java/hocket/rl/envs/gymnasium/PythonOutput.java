package hocket.rl.envs.gymnasium;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The last lines that a process of Python says, which explain its end. A thread reads them until the process ends; it holds no
 * worker, and so none of its environments.
 */
final class PythonOutput {
    private static final int LINES = 110; // Python prints up to 100 functions

    /** A line of the program that Python says it is in. */
    private static final Pattern FRAME = Pattern.compile("File \"(?:.*/)?([^/\"]+)\", line (\\d+) in (\\S+)");

    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Thread listener;

    PythonOutput(Process process) {
        listener = new Thread(() -> listen(process), "python-lines");
        listener.setDaemon(true);
        listener.start();
    }

    private void listen(Process process) {
        try (var lines = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                add(line);
            }
        } catch (IOException e) { // the process was ended
            return;
        }
    }

    private synchronized void add(String line) {
        if (lastLines.size() == LINES) {
            lastLines.removeFirst();
        }
        lastLines.addLast(line);
    }

    /** Forgets the lines so far. */
    synchronized void clear() {
        lastLines.clear();
    }

    /** Waits for the last line, at most for this time. */
    void await(long millis) throws InterruptedException {
        listener.join(millis);
    }

    /** Returns the function and the line that Python was in, such as {@code step (worlds.py, line 3)}; empty if it has not said so. */
    synchronized String place() {
        return lastLines.stream()
                .map(FRAME::matcher)
                .filter(Matcher::find)
                .findFirst() // the innermost
                .map(in -> in.group(3) + " (" + in.group(1) + ", line " + in.group(2) + ")")
                .orElse("");
    }

    /** Returns the last line; empty if there is none. */
    synchronized String lastLine() {
        return lastLines.isEmpty() ? "" : lastLines.getLast().strip();
    }

    /** Returns all lines as the cause of an exception; the given one if there are none. */
    synchronized @Nullable Exception causeOr(@Nullable Exception other) {
        return lastLines.isEmpty() ? other : new PythonTraceback(String.join("\n", lastLines));
    }
}
