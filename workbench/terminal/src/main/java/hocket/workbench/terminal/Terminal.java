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
 * Where a person reads: results on standard output, remarks on standard error, and there lines that are redrawn in place
 * if it is a terminal that may be drawn on. Lines of several threads do not mix.
 */
public final class Terminal {
    /** The width that everything but file names and digests fits into. */
    public static final int COLUMNS = 80;

    private static final int LONGEST_WAIT_SECONDS = 2;

    /** Takes away all from here on. */
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
     * @param charset what the reader can show; a few signs are spelled out where it lacks them
     * @param inPlace whether standard error may be redrawn
     * @param columns how wide it is
     */
    public Terminal(PrintWriter out, PrintWriter err, Charset charset, boolean inPlace, int columns) {
        this.out = out;
        this.err = err;
        this.encoder = charset.newEncoder();
        this.inPlace = inPlace;
        this.columns = Math.min(columns, COLUMNS);
    }

    /** That of this process. The launcher says what standard error is, since it may have put a filter before it. */
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

    /** Columns of a line that is redrawn: one less than there are, since some terminals wrap at the last. */
    public int lineColumns() {
        return inPlace ? Math.max(20, columns - 1) : COLUMNS;
    }

    /** A line of the result. */
    public synchronized void say(String line) {
        out.println(shown(line));
        out.flush();
    }

    /** A remark. */
    public synchronized void remark(String line) {
        erase();
        err.println(shown(line));
        err.flush();
    }

    /** A warning, said once. */
    public synchronized void warn(String line) {
        if (warned.add(line)) {
            remark("warning  " + line);
        }
    }

    /** Draws the line that is redrawn. */
    public synchronized void redraw(String line) {
        redraw(List.of(line));
    }

    /** Draws several, at least one; no more than any terminal is high. */
    public synchronized void redraw(List<String> lines) {
        err.print(back()
                + lines.stream().map(line -> shown(line) + "\033[K").collect(Collectors.joining("\n"))
                + (drawn > lines.size() ? BELOW : ""));
        err.flush();
        drawn = lines.size();
    }

    /** Takes away what is redrawn. */
    public synchronized void erase() {
        if (drawn > 0) {
            err.print(back() + (drawn > 1 ? BELOW : "\033[K"));
            err.flush();
            drawn = 0;
        }
    }

    /** To the beginning of what is redrawn. */
    private String back() {
        return drawn > 1 ? "\r\033[" + (drawn - 1) + "A" : "\r";
    }

    /**
     * Ends what is said by this process: waits for the filter that the launcher may have put before standard error, so that
     * all is there when the process has ended.
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
                // whoever reads it is slow, or gone
            }
        });
    }

    /** As the reader can show it; what would steer a terminal, such as an escape, is spelled out. */
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

    /** A text in which what would steer a terminal, such as an escape, is spelled out. */
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

    /** The same for a text that comes from others: ends of lines are spelled out, too, so that it is one line whatever it says. */
    public static String inOneLine(String text) {
        StringBuilder plain = new StringBuilder();
        for (char c : spelledOut(text).toCharArray()) {
            boolean isEnd = c == '\n' || c == '\t' || c == 0x2028 || c == 0x2029;
            plain.append(isEnd ? String.format(Locale.ROOT, "\\u%04x", (int) c) : String.valueOf(c));
        }
        return plain.toString();
    }

    /** Controls, but for ends of lines and tabs, and marks that reverse what follows. */
    private static boolean steers(int c) {
        boolean isLayout = c == '\n' || c == '\t';
        boolean isReversing = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
        return (Character.isISOControl(c) && !isLayout) || isReversing;
    }

    private String encodable(char c) {
        return encoder.canEncode(c) ? String.valueOf(c) : PLAIN.getOrDefault(c, "?");
    }
}
