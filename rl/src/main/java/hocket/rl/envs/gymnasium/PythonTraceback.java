package hocket.rl.envs.gymnasium;

/** Python's output about an exception, or before its end, as the cause of an exception in Java. */
final class PythonTraceback extends Exception {
    private static final long serialVersionUID = 1;

    PythonTraceback(String lines) {
        super(lines, null, false, false);
    }
}
