package hocket.programs.mxnet;

import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The engine refused or failed. The message is one line: the operation, and the engine's own sentence. The whole native
 * text, stack lines included, is in {@link #detail}.
 */
final class EngineException extends RuntimeException {
    /** The source location, such as {@code [11:56:42] ../src/executor/graph_executor.cc:123: }, which is omitted. */
    private static final Pattern ORIGIN = Pattern.compile("(\\[[0-9:]+] )?\\S+\\.(cc|h|c|cpp|hpp|cu|cuh):\\d+: ");

    /** Lines that frame the sentence: a Python-like trace heading, its file lines, native stack lines. */
    private static final Pattern FRAME =
            Pattern.compile("^(Traceback .*|Stack trace:?.*|\\s*File \".*|\\s*\\[bt].*|\\s*)$");

    /** The engine's complete text, with its native stack if there is one; empty if the engine gave no text. */
    final String detail;
    /**
     * Returns whether this thread should not call the engine again. The engine collects kernels in a list of the
     * calling thread before it starts them, and forgets to clear the list after an error: later programs on the thread
     * then start with the remaining kernels, and fail or use freed memory. Another thread can continue.
     */
    final boolean poisonsThread;

    private EngineException(String message, String detail, boolean poisonsThread) {
        super(message);
        this.detail = detail;
        this.poisonsThread = poisonsThread;
    }

    /** The engine's last error on this thread; call it on the thread that got the error, before any other engine call. */
    static EngineException last(String doing, boolean poisonsThread) {
        long text = Mx.MXGetLastError();
        String detail = text == 0 ? "" : new Pointer(text).getString(0, StandardCharsets.UTF_8.name());
        return new EngineException("engine: " + doing + ": " + sentence(detail), detail, poisonsThread);
    }

    /** Returns an error that this package, and not the engine, found in a result of the engine. */
    static EngineException of(String message) {
        return new EngineException("engine: " + message, "", false);
    }

    /** Returns the engine's first meaningful line, without the position in its source code. */
    static String sentence(String detail) {
        List<String> lines =
                detail.lines().filter(line -> !FRAME.matcher(line).matches()).toList();
        if (lines.isEmpty()) {
            return "no reason given";
        }
        String line = lines.get(0).strip();
        line = line.startsWith("MXNetError: ") ? line.substring("MXNetError: ".length()) : line;
        return ORIGIN.matcher(line).replaceAll("");
    }
}
