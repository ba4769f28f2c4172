package hocket.workbench.processes;

import hocket.workbench.runs.RegularFiles;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known of a process that was started for a run: {@code start.txt} in its folder, which opens with the process's number,
 * and goes on with all that it said.
 *
 * @param process its number; 0 where it did not come so far
 * @param written when it last said something
 * @param said its last lines
 */
public record Start(long process, Instant written, List<String> said) {
    /** Of a process that says nothing but errors. */
    private static final int MOST_BYTES = 64 << 10;

    private static final int MOST_LINES = 200;
    private static final Pattern PROCESS = Pattern.compile("process (\\d{1,9})");
    private static final int MOST_FIRST_BYTES = 32;
    private static final String ERROR = "hocket: ";
    private static final String PAGE = "page     http";
    /** What the JVM says of every start. */
    private static final String JVM = "WARNING: Using incubator modules";

    /** A process has said its number within so long. */
    private static final Duration SOON = Duration.ofSeconds(10);

    /** By so much the clock of a disk may be behind. */
    private static final Duration CLOCKS = Duration.ofSeconds(2);

    /** What was said so far. */
    public static Start of(RunFolder folder) {
        Path file = folder.started();
        Matcher first = PROCESS.matcher(RegularFiles.firstLine(file, MOST_FIRST_BYTES));
        return new Start(
                first.matches() ? Long.parseLong(first.group(1)) : 0,
                written(file),
                RegularFiles.lastLines(file, MOST_LINES, MOST_BYTES));
    }

    private static Instant written(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            return Instant.EPOCH; // it was taken away just now
        }
    }

    /** Of a run that has not begun to write anything itself; empty of others. */
    public static Optional<Start> unfinished(RunFolder folder) {
        return RegularFiles.isFile(folder.started()) && !Files.exists(folder.experiment())
                ? Optional.of(of(folder))
                : Optional.empty();
    }

    /** Whether it has said where it serves the run. */
    public boolean wasServed() {
        return said.stream().anyMatch(line -> line.startsWith(PAGE));
    }

    /** Whether it is there, or was asked for just now, and has not come to the run yet. */
    public boolean isBeginning() {
        boolean isAsked = process == 0 && written.isAfter(Instant.now().minus(SOON));
        return !wasServed() && (isAsked || isAlive());
    }

    /** Whether the process is there. */
    public boolean isAlive() {
        return isRunning(process, written);
    }

    /**
     * Whether the process is there that wrote a file. One that began later only has the same number; one without a command has
     * ended, and whoever started it has not looked yet.
     *
     * @param process its number
     * @param written when it last wrote there
     */
    public static boolean isRunning(long process, Instant written) {
        return ProcessHandle.of(process)
                .map(ProcessHandle::info)
                .filter(found -> found.command().isPresent())
                .flatMap(found -> found.startInstant().or(() -> Optional.of(written)))
                .filter(began -> !began.isAfter(written.plus(CLOCKS)))
                .isPresent();
    }

    /** Whether who has locked a folder is there. */
    public static boolean isRunning(RunLock.Holder holder) {
        return isRunning(holder.process(), holder.since());
    }

    /** Whether a line is one that the JVM prints at every start. */
    public static boolean isOfJvm(String line) {
        return line.startsWith(JVM);
    }

    /** Why it came to nothing: its errors, or else what it said last. */
    public String reason() {
        List<String> errors = said.stream()
                .filter(line -> line.startsWith(ERROR))
                .map(line -> line.substring(ERROR.length()))
                .toList();
        if (!errors.isEmpty()) {
            return String.join("; ", errors);
        }
        return said.stream()
                .skip(1) // its process
                .filter(line -> !isOfJvm(line))
                .reduce((before, last) -> last)
                .orElse("its process ended without a word: another may have written into its folder at the same time");
    }
}
