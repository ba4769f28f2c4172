package hocket.workbench.runs;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.workbench.files.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A lock by which one run alone writes to a folder, from before its first file until it is closed. It is the system's
 * lock on the file {@code lock}, which ends with the process in any case; the file names the holder, and stays.
 */
public final class RunLock implements AutoCloseable {
    /**
     * The locks of this process. The system's locks distinguish only processes, and some systems release a file's lock
     * when any channel to it is closed: a file that is locked here must not be opened again.
     */
    private static final Map<Path, String> HELD = new HashMap<>();

    private static final Pattern SAYS =
            Pattern.compile("process (?<process>\\d{1,9}) on (?<host>.*) since (?<since>\\S+)");

    private static final int MOST_BYTES = 1000;
    private static final int LOOKS = 100;
    private static final long LOOK_NANOS = 10_000_000;

    /**
     * A process that holds a lock.
     *
     * @param process its number
     * @param since when it took the lock, to the second
     */
    public record Holder(long process, Instant since) {}

    private final RunFolder folder;
    private final Path file;
    private final FileChannel channel;

    private RunLock(RunFolder folder, Path file, FileChannel channel) {
        this.folder = folder;
        this.file = file;
        this.channel = channel;
    }

    /**
     * Locks an existing folder.
     *
     * @throws UserError if another run holds it, saying which
     * @throws CommandFailure if writing fails
     */
    static RunLock of(RunFolder folder) {
        synchronized (HELD) {
            try {
                Path file = folder.path().toRealPath().resolve(RunFolder.LOCK);
                String holder = HELD.get(file);
                if (holder != null) {
                    throw held(folder, holder);
                }
                FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                try {
                    lock(folder, channel);
                    String me = "process " + ProcessHandle.current().pid() + " on " + host() + " since "
                            + Instant.now().truncatedTo(ChronoUnit.SECONDS);
                    channel.truncate(0);
                    channel.write(ByteBuffer.wrap((me + "\n").getBytes(StandardCharsets.UTF_8)));
                    HELD.put(file, me);
                    return new RunLock(folder, file, channel);
                } catch (IOException | RuntimeException e) {
                    channel.close();
                    throw e;
                }
            } catch (IOException e) {
                throw new CommandFailure("run folder " + folder + " could not be locked: " + DiskFailureText.of(e), e);
            }
        }
    }

    /** A process that has just locked it writes its name a moment later; a reader releases it. */
    private static void lock(RunFolder folder, FileChannel channel) throws IOException {
        for (int i = 0; channel.tryLock() == null; i++) {
            String holder = text(channel);
            if (!holder.isEmpty() || i == LOOKS) {
                throw held(folder, holder);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static FolderInUse held(RunFolder folder, String holder) {
        return new FolderInUse(folder + " is being written by " + (holder.isEmpty() ? "another process" : holder)
                + ": wait for its end, stop it, or choose another folder");
    }

    private static String text(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        channel.read(bytes, 0);
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
    }

    /** Returns the name of this machine. Java's own method would ask the network. */
    private static String host() throws IOException {
        Path linux = Path.of("/proc/sys/kernel/hostname");
        return Files.isReadable(linux)
                ? Files.readString(linux).strip()
                : System.getenv().getOrDefault("COMPUTERNAME", "this machine");
    }

    /**
     * Returns the process of this machine that holds a folder, by the text of its lock. This takes no lock, so it does
     * not delay a run that begins.
     *
     * @return empty if the file names no process; the text remains after a kill
     */
    static Optional<Holder> holder(RunFolder folder) {
        try {
            Matcher says = SAYS.matcher(text(folder.path().resolve(RunFolder.LOCK)));
            return says.matches() && says.group("host").equals(host())
                    ? Optional.of(new Holder(Long.parseLong(says.group("process")), Instant.parse(says.group("since"))))
                    : Optional.empty();
        } catch (IOException | UncheckedIOException | DateTimeParseException e) {
            return Optional.empty(); // written by another program
        }
    }

    private static String text(Path file) throws IOException {
        synchronized (HELD) { // a file that is locked here must not be opened
            String me = Files.exists(file) ? HELD.get(file.toRealPath()) : null;
            if (me != null) {
                return me;
            }
            String says = RegularFiles.firstLine(file, MOST_BYTES); // of this process: a file that could not be deleted
            return says.startsWith("process " + ProcessHandle.current().pid() + " ") ? "" : says;
        }
    }

    /** Returns the locked folder. */
    public RunFolder folder() {
        return folder;
    }

    /** Releases the lock; a second call does nothing. */
    @Override
    public void close() {
        synchronized (HELD) {
            if (!channel.isOpen()) {
                return;
            }
            try (channel) {
                HELD.remove(file);
                channel.truncate(0);
            } catch (IOException e) {
                // closed all the same; the text of a free lock does not matter
            }
        }
    }
}
