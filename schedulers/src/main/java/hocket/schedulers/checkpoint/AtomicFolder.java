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

/** Folders of files that are all there, or none of them: written under another name beside and moved into place. */
public final class AtomicFolder {
    private AtomicFolder() {}

    /**
     * Makes a folder, with those above it, where it is missing; they outlive a loss of power.
     *
     * @throws IOException if the disk refuses
     */
    public static void create(Path folder) throws IOException {
        Disk.local().create(folder);
    }

    /**
     * Writes a folder, and makes those above it where they are missing.
     *
     * @param folder that is not there, or is empty
     * @param files what they hold, by name
     * @throws IOException if the disk refuses; then the folder is as it was, and nothing beside
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
