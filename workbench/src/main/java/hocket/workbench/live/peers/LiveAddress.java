package hocket.workbench.live.peers;

import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.json.JsonDocument;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.PublicFiles;
import hocket.workbench.processes.Start;
import hocket.workbench.runs.RegularFiles;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a run is served, for {@code hocket send} and {@code hocket serve}: {@code live.json} in its folder while it is, which
 * only its owner may read.
 *
 * @param address such as {@code http://127.0.0.1:41233}
 * @param token that its server asks for
 * @param run its id there
 * @param process that trains it
 * @param certificate of its server, in PEM; null of one without TLS
 */
public record LiveAddress(
        String address,
        String token,
        String run,
        long process,
        @Nullable String certificate) {
    /** A certificate with those that it came from has some thousand. */
    private static final long MOST_BYTES = 256 << 10;

    /** @throws NullPointerException if what must be there is not: it was read from no such file */
    public LiveAddress {
        Objects.requireNonNull(address);
        Objects.requireNonNull(token);
        Objects.requireNonNull(run);
    }

    private static Path file(RunFolder folder) {
        return folder.path().resolve("live.json");
    }

    /**
     * Writes it, whole or not at all.
     *
     * @throws UncheckedIOException if the disk refuses
     */
    public void write(RunFolder folder) {
        Path file = file(folder);
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        FileWork.run(file + " could not be written", () -> {
            RegularFiles.makeOwn(unfinished);
            Files.writeString(unfinished, JsonDocument.of(this) + "\n");
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        });
    }

    public static void remove(RunFolder folder) {
        try {
            Files.deleteIfExists(file(folder));
        } catch (IOException e) {
            // its address answers no more
        }
    }

    /**
     * The same for who goes there by itself: only of a file that this process's owner alone could write, by a process that wrote
     * it and is still there. What is not as it must be is nobody's.
     */
    public static Optional<LiveAddress> found(RunFolder folder) {
        Path file = file(folder);
        try {
            if (!RegularFiles.isOwn(file)) {
                return Optional.empty();
            }
            LiveAddress address = JsonDocument.read(
                    new String(PublicFiles.bytes(file, MOST_BYTES), StandardCharsets.UTF_8), LiveAddress.class);
            Instant written = Files.getLastModifiedTime(file).toInstant();
            return Start.isRunning(address.process(), written) ? Optional.of(address) : Optional.empty();
        } catch (IOException | IllegalArgumentException | HttpError e) {
            return Optional.empty(); // it ended just now, or is another's
        }
    }

    /**
     * Where a run is served now.
     *
     * @throws UserError if it is not
     */
    public static LiveAddress of(RunFolder folder) {
        Path file = file(folder);
        String how = "; a run is steered that was begun with --serve, such as hocket run NAME --serve 0";
        if (!Files.exists(file)) {
            throw new UserError(folder + " is not being served: there is no live.json in it" + how);
        }
        LiveAddress address;
        try {
            address = JsonDocument.read(Files.readString(file), LiveAddress.class);
        } catch (IOException | IllegalArgumentException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage(), e);
        }
        if (ProcessHandle.of(address.process()).isEmpty()) {
            throw new UserError(folder + " is not being served: process " + address.process() + " is gone" + how);
        }
        return address;
    }
}
