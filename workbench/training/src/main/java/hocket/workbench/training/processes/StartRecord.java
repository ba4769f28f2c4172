package hocket.workbench.training.processes;

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
 * The records of a process that was started for a run: {@code start.txt} in its folder, with the process's number and
 * its output.
 *
 * @param process its number; 0 if it was not written
 * @param written time of its last output
 * @param said its last lines
 */
public record StartRecord(long process, Instant written, List<String> said) {
    private static final int MOST_BYTES = 64 << 10;

    private static final int MOST_LINES = 200;
    private static final Pattern PROCESS = Pattern.compile("process (\\d{1,9})");
    private static final int MOST_FIRST_BYTES = 32;
    /** The prefix of a process that prints only errors. */
    private static final String ERROR = "hocket: ";

    private static final String PAGE = "page     http";
    /** A line that the JVM prints at every start. */
    private static final String JVM = "WARNING: Using incubator modules";

    /** The time in which a process must write its number. */
    private static final Duration SOON = Duration.ofSeconds(10);

    /** The largest lag of a disk's clock. */
    private static final Duration CLOCKS = Duration.ofSeconds(2);

    /** Reads the lines that are written so far. */
    public static StartRecord of(RunFolder folder) {
        Path file = folder.started();
        Matcher first = PROCESS.matcher(RegularFiles.firstLine(file, MOST_FIRST_BYTES));
        return new StartRecord(
                first.matches() ? Long.parseLong(first.group(1)) : 0,
                written(file),
                RegularFiles.lastLines(file, MOST_LINES, MOST_BYTES));
    }

    private static Instant written(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            return Instant.EPOCH; // it was deleted meanwhile
        }
    }

    /** Returns the records of a run that has not written anything itself; empty for others. */
    public static Optional<StartRecord> unfinished(RunFolder folder) {
        return RegularFiles.isFile(folder.started()) && !Files.exists(folder.experiment())
                ? Optional.of(of(folder))
                : Optional.empty();
    }

    /** Returns whether it has printed the address at which it serves the run. */
    public boolean wasServed() {
        return said.stream().anyMatch(line -> line.startsWith(PAGE));
    }

    /** Returns whether the process is alive, or was just started, and has not begun the run yet. */
    public boolean isBeginning() {
        boolean isAsked = process == 0 && written.isAfter(Instant.now().minus(SOON));
        return !wasServed() && (isAsked || isAlive());
    }

    /** Returns whether the process is alive. */
    public boolean isAlive() {
        return isRunning(process, written);
    }

    /**
     * Returns whether the process that wrote a file lives. A process that began later only has the same number; one
     * without a command has ended and is not reaped yet.
     *
     * @param process its number
     * @param written when it last wrote the file
     */
    public static boolean isRunning(long process, Instant written) {
        return ProcessHandle.of(process)
                .map(ProcessHandle::info)
                .filter(found -> found.command().isPresent())
                .flatMap(found -> found.startInstant().or(() -> Optional.of(written)))
                .filter(began -> !began.isAfter(written.plus(CLOCKS)))
                .isPresent();
    }

    /** Returns whether the process that has locked a folder lives. */
    public static boolean isRunning(RunLock.Holder holder) {
        return isRunning(holder.process(), holder.since());
    }

    /** Returns whether a line is one that the JVM prints at every start. */
    public static boolean isOfJvm(String line) {
        return line.startsWith(JVM);
    }

    /** Returns why it failed: its errors, or else its last output. */
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
                .orElse("its process ended without a message: another may have written to its folder at the same time");
    }
}
