package hocket.schedulers.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;

/** Writes folders atomically: all of their files exist, or none; a temporary folder is moved into place. */
public final class AtomicFolder {
    private AtomicFolder() {}

    /**
     * Makes a missing folder with its parents, which survive a loss of power.
     *
     * @throws IOException if the disk refuses
     */
    public static void create(Path folder) throws IOException {
        Disk.local().create(folder);
    }

    /**
     * Writes a folder, and makes missing parents.
     *
     * @param folder a missing or empty folder
     * @param files contents by name
     * @throws IOException if writing fails; the folder is unchanged then, and nothing temporary is left
     */
    public static void write(Path folder, SortedMap<String, List<ByteBuffer>> files) throws IOException {
        write(Disk.local(), folder, files);
    }

    static void write(Disk disk, Path folder, SortedMap<String, List<ByteBuffer>> files) throws IOException {
        Path place = folder.toAbsolutePath().normalize();
        if (place.getParent() != null) {
            disk.create(place.getParent());
        }
        AtomicFile.place(disk, place, beside -> {
            disk.delete(beside);
            disk.create(beside);
            for (Map.Entry<String, List<ByteBuffer>> file : files.entrySet()) {
                disk.write(beside.resolve(file.getKey()), file.getValue());
            }
        });
    }

    /** Deletes a folder with all that is in it, if it is there. */
    public static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }
}
