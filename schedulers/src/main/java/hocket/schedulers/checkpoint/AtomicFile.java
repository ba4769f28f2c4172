package hocket.schedulers.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes files atomically: they have the new content or the former one. A temporary file in the same folder is forced
 * to the device and moved into place. A link stays a link; a pipe and the like are written directly.
 */
public final class AtomicFile {
    private AtomicFile() {}

    /** The content of a file. */
    @FunctionalInterface
    public interface Content {
        /** Writes the content into a file that may exist. */
        void into(Path file) throws IOException;
    }

    /** Writes a text. Throws as {@link #write(Path, Content)}. */
    public static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes bytes. Throws as {@link #write(Path, Content)}. */
    public static void write(Path file, byte[] bytes) throws IOException {
        write(file, beside -> Files.write(beside, bytes));
    }

    /**
     * Writes a file, replacing an existing one.
     *
     * @throws IOException if writing fails; the former file is unchanged then, and no temporary file is left
     */
    public static void write(Path file, Content content) throws IOException {
        write(Disk.local(), file, content);
    }

    /**
     * Forces the name of a file or folder to the device, which forcing the file itself does not.
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
     * Moves a file or a folder into place.
     *
     * @param forced writes it under a temporary name and forces it to the device
     * @throws IOException if writing fails; nothing temporary is left then
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
