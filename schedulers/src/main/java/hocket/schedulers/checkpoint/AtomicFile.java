package hocket.schedulers.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files that hold all that they should, or what they held before: written under another name beside, forced to the device and
 * moved into place. A link stays one; what is no file, such as a pipe, is written directly.
 */
public final class AtomicFile {
    private AtomicFile() {}

    /** What a file is to hold. */
    @FunctionalInterface
    public interface Content {
        /** Writes it into a file that may be there. */
        void into(Path file) throws IOException;
    }

    /** Writes a text. Throws as {@link #write(Path, Content)}. */
    public static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes bytes. Throws likewise. */
    public static void write(Path file, byte[] bytes) throws IOException {
        write(file, beside -> Files.write(beside, bytes));
    }

    /**
     * Writes a file, over one that is there.
     *
     * @throws IOException if the disk refuses, or what is there may not be written; then that is as it was, and nothing beside
     */
    public static void write(Path file, Content content) throws IOException {
        write(Disk.local(), file, content);
    }

    /**
     * Forces to the device that a file or folder is called so, which forcing the file itself does not.
     *
     * @throws IOException if the disk refuses
     */
    public static void forceName(Path file) throws IOException {
        Disk.Local.forceName(file);
    }

    static void write(Disk disk, Path file, Content content) throws IOException {
        Path place = Files.exists(file) ? file.toRealPath() : file;
        if (Files.exists(place) && !Files.isRegularFile(place)) {
            content.into(place);
            return;
        }
        if (Files.exists(place) && !Files.isWritable(place)) {
            throw new AccessDeniedException(place.toString());
        }
        place(disk, place, beside -> {
            content.into(beside);
            disk.force(beside);
        });
    }

    static void write(Disk disk, Path file, List<ByteBuffer> parts) throws IOException {
        place(disk, file, beside -> disk.write(beside, parts));
    }

    /**
     * Puts something into place, a file or a folder.
     *
     * @param forced writes it under another name beside, so that it outlives a loss of power
     * @throws IOException if the disk refuses; then there is nothing beside
     */
    static void place(Disk disk, Path place, Content forced) throws IOException {
        Path beside = place.resolveSibling(place.getFileName() + Disk.UNFINISHED);
        try {
            forced.into(beside);
            disk.move(beside, place);
        } catch (IOException | RuntimeException | Error e) {
            try {
                disk.delete(beside);
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }
}
