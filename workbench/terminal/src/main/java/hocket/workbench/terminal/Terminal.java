package hocket.workbench.terminal;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * The terminal: results go to standard output, remarks and redrawn lines to standard error; lines are redrawn only on
 * an interactive terminal. Thread-safe.
 */
public final class Terminal {
    /** The width of all output except file names and digests. */
    public static final int COLUMNS = 80;

    private static final int LONGEST_WAIT_SECONDS = 2;

    /** The sequence that clears the rest of the screen. */
    private static final String BELOW = "\033[J";

    private static final Map<Character, String> PLAIN =
            Map.of('×', "x", '…', "...", '≥', ">=", '≤', "<=", '→', "->", '–', "-", '²', "2");

    private final PrintWriter out;
    private final PrintWriter err;
    private final CharsetEncoder encoder;
    private final boolean inPlace;
    private final int columns;
    private final Set<String> warned = new HashSet<>();
    private int drawn;

    /**
     * @param charset the reader's charset; some signs are spelled out if it lacks them
     * @param inPlace whether standard error may be redrawn
     * @param columns its width
     */
    public Terminal(PrintWriter out, PrintWriter err, Charset charset, boolean inPlace, int columns) {
        this.out = out;
        this.err = err;
        this.encoder = charset.newEncoder();
        this.inPlace = inPlace;
        this.columns = Math.min(columns, COLUMNS);
    }

    /** Returns this process's terminal. The launcher describes standard error, because it may pass through a filter. */
    public static Terminal ofProcess() {
        String noColor = System.getenv("NO_COLOR");
        boolean plain = (noColor != null && !noColor.isEmpty()) || "dumb".equals(System.getenv("TERM"));
        Charset charset = Charset.forName(System.getProperty("native.encoding", "US-ASCII"));
        return new Terminal(
                StandardOutput.writer(charset),
                new PrintWriter(System.err, true, charset),
                charset,
                Boolean.getBoolean("hocket.terminal") && !plain,
                Integer.getInteger("hocket.columns", COLUMNS));
    }

    public PrintWriter err() {
        return err;
    }

    public boolean inPlace() {
        return inPlace;
    }

    /** Returns the width of a redrawn line: one less than the columns, because some terminals wrap at the last one. */
    public int lineColumns() {
        return inPlace ? Math.max(20, columns - 1) : COLUMNS;
    }

    /** Prints a line of the result. */
    public synchronized void say(String line) {
        out.println(shown(line));
        out.flush();
    }

    /** Prints a remark. */
    public synchronized void remark(String line) {
        erase();
        err.println(shown(line));
        err.flush();
    }

    /** Prints a warning once. */
    public synchronized void warn(String line) {
        if (warned.add(line)) {
            remark("warning  " + line);
        }
    }

    /** Draws or redraws the progress line. */
    public synchronized void redraw(String line) {
        redraw(List.of(line));
    }

    /** Draws several lines, at least one and no more than a terminal's height. */
    public synchronized void redraw(List<String> lines) {
        err.print(back()
                + lines.stream().map(line -> shown(line) + "\033[K").collect(Collectors.joining("\n"))
                + (drawn > lines.size() ? BELOW : ""));
        err.flush();
        drawn = lines.size();
    }

    /** Removes the progress lines. */
    public synchronized void erase() {
        if (drawn > 0) {
            err.print(back() + (drawn > 1 ? BELOW : "\033[K"));
            err.flush();
            drawn = 0;
        }
    }

    /** Moves the cursor to the beginning of the progress lines. */
    private String back() {
        return drawn > 1 ? "\r\033[" + (drawn - 1) + "A" : "\r";
    }

    /**
     * Waits for the filter that the launcher may have put after standard error, so that all output is complete when the
     * process ends.
     */
    public void close() {
        err.flush();
        Long filter = Long.getLong("hocket.filter");
        if (filter == null) {
            return;
        }
        System.err.close();
        ProcessHandle.of(filter).ifPresent(process -> {
            try {
                process.onExit().get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // the reader is slow or gone
            }
        });
    }

    /** Returns a text in the reader's charset, with control characters, such as escapes, spelled out. */
    private String shown(String text) {
        String plain = spelledOut(text);
        if (encoder.canEncode(plain)) {
            return plain;
        }
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < plain.length(); i++) {
            shown.append(encodable(plain.charAt(i)));
        }
        return shown.toString();
    }

    /** Returns a text with control characters, such as escapes, spelled out. */
    public static String spelledOut(String text) {
        if (text.chars().noneMatch(Terminal::steers)) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            plain.append(steers(c) ? String.format(Locale.ROOT, "\\u%04x", (int) c) : String.valueOf(c));
        }
        return plain.toString();
    }

    /** Returns an untrusted text in one line: line ends are spelled out, too. */
    public static String inOneLine(String text) {
        StringBuilder plain = new StringBuilder();
        for (char c : spelledOut(text).toCharArray()) {
            boolean isEnd = c == '\n' || c == '\t' || c == 0x2028 || c == 0x2029;
            plain.append(isEnd ? String.format(Locale.ROOT, "\\u%04x", (int) c) : String.valueOf(c));
        }
        return plain.toString();
    }

    /** Returns whether a character is a control, except line ends and tabs, or a mark that reverses text. */
    private static boolean steers(int c) {
        boolean isLayout = c == '\n' || c == '\t';
        boolean isReversing = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
        return (Character.isISOControl(c) && !isLayout) || isReversing;
    }

    private String encodable(char c) {
        return encoder.canEncode(c) ? String.valueOf(c) : PLAIN.getOrDefault(c, "?");
    }
}
