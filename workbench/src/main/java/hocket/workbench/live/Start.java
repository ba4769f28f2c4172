package hocket.workbench.live;

import hocket.workbench.runs.RunFolder;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known of a process that was started for a run: {@code start.txt} in its folder, which opens with the process's number,
 * and goes on with all that it said.
 *
 * @param process its number; 0 where it did not come so far
 * @param said its lines
 */
record Start(long process, List<String> said) {
    /** Of a process that says nothing but errors. */
    private static final int MOST_BYTES = 64 << 10;

    private static final int MOST_LINES = 200;
    private static final Pattern PROCESS = Pattern.compile("process (\\d{1,9})");
    private static final String ERROR = "hocket: ";

    /** What was said so far. */
    static Start of(RunFolder folder) {
        List<String> lines = PlainFiles.isFile(folder.started())
                ? PlainFiles.lastLines(folder.started(), MOST_LINES, MOST_BYTES)
                : List.of();
        Matcher first = PROCESS.matcher(lines.isEmpty() ? "" : lines.get(0));
        return new Start(first.matches() ? Long.parseLong(first.group(1)) : 0, lines);
    }

    /** Of a run that has not begun to write anything itself; empty of others. */
    static Optional<Start> unfinished(RunFolder folder) {
        return PlainFiles.isFile(folder.started()) && !Files.exists(folder.experiment())
                ? Optional.of(of(folder))
                : Optional.empty();
    }

    boolean isAlive() {
        return process > 0 && ProcessHandle.of(process).isPresent();
    }

    /** Why it came to nothing: its errors, or else what it said last. */
    String reason() {
        List<String> errors = said.stream()
                .filter(line -> line.startsWith(ERROR))
                .map(line -> line.substring(ERROR.length()))
                .toList();
        if (!errors.isEmpty()) {
            return String.join("; ", errors);
        }
        return said.size() < 2 ? "its process ended without a word" : said.get(said.size() - 1);
    }
}
