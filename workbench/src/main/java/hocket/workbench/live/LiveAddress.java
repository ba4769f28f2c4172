package hocket.workbench.live;

import hocket.schedulers.checkpoint.Reason;
import hocket.workbench.json.JsonDocument;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where a run is served, for {@code hocket send}: {@code live.json} in its folder while it is, which only its owner may read.
 *
 * @param address such as {@code http://127.0.0.1:41233}
 * @param token that its server asks for
 * @param run its id there
 * @param process that trains it
 */
public record LiveAddress(String address, String token, String run, long process) {
    private static Path file(RunFolder folder) {
        return folder.path().resolve("live.json");
    }

    /**
     * Writes it, whole or not at all.
     *
     * @throws UncheckedIOException if the disk refuses
     */
    void write(RunFolder folder) {
        Path file = file(folder);
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        try {
            Files.deleteIfExists(unfinished);
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        unfinished, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            Files.writeString(unfinished, JsonDocument.of(this) + "\n");
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be written: " + Reason.of(e), e);
        }
    }

    static void remove(RunFolder folder) {
        try {
            Files.deleteIfExists(file(folder));
        } catch (IOException e) {
            // its address answers no more
        }
    }

    /** Whether a process is there that serves a run. */
    static boolean isServed(RunFolder folder) {
        try {
            return Files.isRegularFile(file(folder), LinkOption.NOFOLLOW_LINKS)
                    && ProcessHandle.of(of(folder).process()).isPresent();
        } catch (Refusal e) {
            return false; // it ended just now, or is another's
        }
    }

    /**
     * Where a run is served now.
     *
     * @throws Refusal if it is not
     */
    public static LiveAddress of(RunFolder folder) {
        Path file = file(folder);
        String how = "; a run is steered that was begun with --serve, such as hocket run NAME --serve 0";
        if (!Files.exists(file)) {
            throw new Refusal(folder + " is not being served: there is no live.json in it" + how);
        }
        LiveAddress address;
        try {
            address = JsonDocument.read(Files.readString(file), LiveAddress.class);
        } catch (IOException | IllegalArgumentException e) {
            throw new Refusal(file + " cannot be read: " + e.getMessage(), e);
        }
        if (ProcessHandle.of(address.process()).isEmpty()) {
            throw new Refusal(folder + " is not being served: process " + address.process() + " is gone" + how);
        }
        return address;
    }
}
