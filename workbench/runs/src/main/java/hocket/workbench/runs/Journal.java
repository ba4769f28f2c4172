package hocket.workbench.runs;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.Steering;
import hocket.workbench.runs.json.CommandLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The commands of a run, {@code journal.jsonl}: an object a line, forced to the disk before a command is applied. */
public final class Journal implements Steering.Journal {
    private final Path file;
    private final InstantSource clock;
    private final Names names;
    private long before;

    /** Forces the name of a file to the device: a seam for tests of failing disks. */
    @FunctionalInterface
    interface Names {
        void force(Path file) throws IOException;
    }

    /** @param folder whose journal is read or written; the file is created with its first command */
    public Journal(RunFolder folder, InstantSource clock) {
        this(folder, clock, AtomicFile::forceName);
    }

    Journal(RunFolder folder, InstantSource clock, Names names) {
        this.file = folder.journal();
        this.clock = clock;
        this.names = names;
    }

    /**
     * Returns the commands of a run in order; none if there is no file. An unfinished last line is skipped.
     *
     * @throws IllegalArgumentException if an earlier line is invalid, naming file and line
     * @throws UncheckedIOException if it cannot be read
     */
    public static List<Steering.Applied> read(Path file) {
        return readTimed(file).stream().map(Timed::applied).toList();
    }

    /**
     * A command with its time.
     *
     * @param time when it was applied, in seconds since 1970; 0 if the line has none
     */
    public record Timed(Steering.Applied applied, double time) {}

    /** Returns the commands with their times. Throws as {@link #read}. */
    public static List<Timed> readTimed(Path file) {
        List<Timed> commands = new ArrayList<>();
        if (!Files.exists(file)) {
            return commands;
        }
        return FileWork.get(file + " could not be read", () -> {
            String text = text(file);
            String[] lines = text.split("\n");
            for (int i = 0; i < lines.length && !text.isEmpty(); i++) {
                boolean isTorn = i == lines.length - 1 && !text.endsWith("\n");
                if (!isTorn) {
                    commands.add(
                            new Timed(read(file, i + 1, lines[i], commands.size() + 1), CommandLines.time(lines[i])));
                }
            }
            return commands;
        });
    }

    /** A crash may have left a part of a letter at the end; it is read as another letter. */
    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private static Steering.Applied read(Path file, int line, String text, long number) {
        try {
            Steering.Applied applied = CommandLines.applied(text);
            if (applied.number() != number) {
                throw new IllegalArgumentException("number: must be " + number + ", was " + applied.number());
            }
            return applied;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ":" + line + ": " + e.getMessage(), e);
        }
    }

    /**
     * Drops commands that a resumed run takes back, and an unfinished last line. Damaged lines stay: the run does not
     * depend on them, and {@link #read} names them.
     *
     * @param applied number of commands that the checkpoint includes
     * @return whether the last command that is kept stopped the run
     */
    public boolean dropBeyond(long applied) {
        if (!Files.exists(file)) {
            return false;
        }
        return FileWork.get(file + " could not be truncated", () -> {
            List<String> kept = new ArrayList<>();
            boolean isStopped = false;
            String text = text(file);
            for (String line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                Optional<Steering.Applied> command = parsed(line);
                if (command.isEmpty() || command.get().number() <= applied) {
                    kept.add(line + "\n");
                    isStopped = command.isPresent() && command.get().command() instanceof Command.Stop;
                }
            }
            AtomicFile.write(file, String.join("", kept));
            return isStopped;
        });
    }

    private static Optional<Steering.Applied> parsed(String line) {
        try {
            return Optional.of(CommandLines.applied(line));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public void write(Steering.Applied applied) {
        String line = CommandLines.line(applied, clock.millis() / 1000.0) + "\n";
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            before = channel.size();
            try {
                ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
                for (long at = before; bytes.hasRemaining(); ) {
                    at += channel.write(bytes, at);
                }
                channel.force(true);
                if (before == 0) {
                    names.force(file);
                }
            } catch (IOException e) {
                channel.truncate(before);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    file + " could not be written, so the command was not applied: " + DiskFailureText.of(e), e);
        }
    }

    @Override
    public void takeBack() {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(before);
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be written: " + DiskFailureText.of(e), e);
        }
    }
}
