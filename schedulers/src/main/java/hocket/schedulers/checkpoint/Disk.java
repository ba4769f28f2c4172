package hocket.schedulers.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;

/** The disk operations of checkpoints and other atomic files, an interface so that tests can simulate failing disks. */
interface Disk {
    /** The suffix of temporary names. */
    String UNFINISHED = ".unfinished";

    /** Makes a missing folder with its parents, and forces their names to the device. */
    void create(Path folder) throws IOException;

    /** Writes a file, all bytes of the buffers one after the other, and forces it to the device. */
    void write(Path file, Iterable<ByteBuffer> parts) throws IOException;

    /** Writes bytes from an offset of a file on, which is made if missing, and forces it to the device. */
    void append(Path file, long at, Iterable<ByteBuffer> parts) throws IOException;

    /** Forces a written file to the device. */
    void force(Path file) throws IOException;

    /** Moves a file or folder atomically, replacing an existing file, and forces its name to the device. */
    void move(Path from, Path to) throws IOException;

    /** Deletes a file or a folder of files, if it exists. */
    void delete(Path path) throws IOException;

    /** The disk of this machine. */
    static Disk local() {
        return new Local();
    }

    /** The file systems of this JVM. */
    final class Local implements Disk {
        /** Java copies what it writes to memory of the system, and keeps that. */
        private static final int AT_ONCE = 1 << 20;

        @Override
        public void create(Path folder) throws IOException {
            Deque<Path> missing = new ArrayDeque<>();
            for (Path each = folder.toAbsolutePath(); each != null && Files.notExists(each); each = each.getParent()) {
                missing.push(each);
            }
            Files.createDirectories(folder);
            for (Path each : missing) {
                forceName(each);
            }
        }

        @Override
        public void write(Path file, Iterable<ByteBuffer> parts) throws IOException {
            append(file, 0, parts);
        }

        /** Truncates the file after the written bytes. */
        @Override
        public void append(Path file, long at, Iterable<ByteBuffer> parts) throws IOException {
            boolean isNew = !Files.exists(file);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.truncate(at).position(at);
                for (ByteBuffer part : parts) {
                    ByteBuffer left = part.duplicate();
                    while (left.position() < part.limit()) {
                        left.limit(left.position() + Math.min(AT_ONCE, part.limit() - left.position()));
                        while (left.hasRemaining()) {
                            channel.write(left);
                        }
                    }
                }
                channel.force(true);
            }
            if (isNew) {
                forceName(file);
            }
        }

        @Override
        public void force(Path file) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceName(to);
        }

        /** Only then does a name survive a loss of power; systems that refuse it keep names by themselves. */
        static void forceName(Path path) throws IOException {
            Path folder = path.toAbsolutePath().getParent();
            if (folder == null) {
                return;
            }
            FileChannel names;
            try {
                names = FileChannel.open(folder, StandardOpenOption.READ);
            } catch (IOException e) {
                return; // as on Windows
            }
            try (names) {
                names.force(true);
            }
        }

        @Override
        public void delete(Path path) throws IOException {
            if (Files.isDirectory(path)) {
                for (Path entry : FileWork.in(path)) {
                    Files.delete(entry);
                }
            }
            Files.deleteIfExists(path);
        }
    }
}
