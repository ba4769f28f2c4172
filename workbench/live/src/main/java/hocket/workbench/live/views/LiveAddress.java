package hocket.workbench.live.views;

import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.PublicFiles;
import hocket.workbench.runs.RegularFiles;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.training.processes.StartRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address of a served run, for {@code hocket send} and {@code hocket serve}: {@code live.json} in its folder, which
 * only its owner may read.
 *
 * @param address such as {@code http://127.0.0.1:41233}
 * @param token the server's token
 * @param run its id there
 * @param process number of the process that trains it
 * @param certificate of its server, in PEM; null without TLS
 */
public record LiveAddress(
        String address,
        String token,
        String run,
        long process,
        @Nullable String certificate) {
    /** A certificate with its chain has some thousand bytes. */
    private static final long MOST_BYTES = 256 << 10;

    /** @throws NullPointerException if a required value is missing: the file is of another kind */
    public LiveAddress {
        Objects.requireNonNull(address);
        Objects.requireNonNull(token);
        Objects.requireNonNull(run);
    }

    private static Path file(RunFolder folder) {
        return folder.path().resolve("live.json");
    }

    /**
     * Writes the file atomically.
     *
     * @throws UncheckedIOException if writing fails
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

    /** Returns the path of the run on its server. */
    public String path() {
        return "/api/runs/" + URLEncoder.encode(run, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public static void remove(RunFolder folder) {
        try {
            Files.deleteIfExists(file(folder));
        } catch (IOException e) {
            // its server no longer answers
        }
    }

    /**
     * Returns the address for automatic use: only from a file that this user alone could write, written by a process
     * that still runs. Any other file is ignored.
     */
    public static Optional<LiveAddress> found(RunFolder folder) {
        Path file = file(folder);
        try {
            if (!RegularFiles.isOwn(file)) {
                return Optional.empty();
            }
            LiveAddress address = read(file);
            return address.isOfRunning(file) ? Optional.of(address) : Optional.empty();
        } catch (IOException | IllegalArgumentException | HttpError e) {
            return Optional.empty(); // it ended just now, or belongs to another process
        }
    }

    /**
     * Returns the address at which a run is served now.
     *
     * @throws UserError if it is not served
     */
    public static LiveAddress of(RunFolder folder) {
        Path file = file(folder);
        String how = "; commands need a run started with --serve, such as hocket run NAME --serve 0";
        if (!Files.exists(file)) {
            throw new UserError(folder + " is not served: it has no live.json" + how);
        }
        try {
            if (!RegularFiles.isOwn(file)) {
                throw new UserError(file + " is not used: it must be a file of yours that nobody else can write");
            }
            LiveAddress address = read(file);
            if (!address.isOfRunning(file)) {
                throw new UserError(folder + " is not served: process " + address.process() + " is gone" + how);
            }
            return address;
        } catch (IOException | IllegalArgumentException | HttpError e) {
            throw new UserError(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static LiveAddress read(Path file) throws IOException {
        return JsonDocument.read(
                new String(PublicFiles.bytes(file, MOST_BYTES), StandardCharsets.UTF_8), LiveAddress.class);
    }

    /** Returns whether the process that has written a file still runs. */
    private boolean isOfRunning(Path file) throws IOException {
        return StartRecord.isRunning(process, Files.getLastModifiedTime(file).toInstant());
    }
}
