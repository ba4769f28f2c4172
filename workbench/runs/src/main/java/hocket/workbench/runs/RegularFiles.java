package hocket.workbench.runs;

import hocket.schedulers.checkpoint.DiskFailureText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads files of a run folder that may come from elsewhere: links are not followed. */
public final class RegularFiles {
    private static final FileAttribute<Set<PosixFilePermission>> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private RegularFiles() {}

    public static boolean isFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    public static boolean isFolder(Path folder) {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Returns the first line of a file; empty if there is no file, or the line is incomplete.
     *
     * @param most largest number of bytes of the line
     * @throws UncheckedIOException if it cannot be read
     */
    public static String firstLine(Path file, int most) {
        if (!isFile(file)) {
            return "";
        }
        try (SeekableByteChannel in = open(file)) {
            String text = new String(read(in, most), StandardCharsets.UTF_8);
            return text.substring(0, Math.max(0, text.indexOf('\n')));
        } catch (IOException e) {
            throw new UncheckedIOException(file.getFileName() + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /**
     * Returns complete lines at the end of a file; none if there is no file.
     *
     * @param most largest number of bytes to read
     * @throws UncheckedIOException if it cannot be read
     */
    public static List<String> lastLines(Path file, int lines, int most) {
        if (!isFile(file)) {
            return List.of();
        }
        try (SeekableByteChannel in = open(file)) {
            long from = Math.max(0, in.size() - most);
            in.position(from);
            List<String> all = new String(read(in, (int) (in.size() - from)), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            int first = from == 0 || all.isEmpty() ? 0 : 1;
            return all.subList(Math.max(first, all.size() - lines), all.size());
        } catch (IOException e) {
            throw new UncheckedIOException(file.getFileName() + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /** Creates an empty file that only its owner may read, replacing an older file. */
    public static void makeOwn(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, isPosix(file) ? new FileAttribute<?>[] {OWN} : new FileAttribute<?>[0]);
    }

    /**
     * Returns whether it is a plain file of this user that nobody else may read or write; a copied file, or one that
     * others can change, is not.
     */
    public static boolean isOwn(Path file) throws IOException {
        if (!isFile(file) || !isPosix(file)) {
            return isFile(file);
        }
        PosixFileAttributes attributes =
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Optional<String> me = ProcessHandle.current().info().user();
        return attributes.permissions().equals(OWN.value())
                && (me.isEmpty() || attributes.owner().getName().equals(me.get()));
    }

    private static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Opens a file for reading; a link is rejected. */
    public static SeekableByteChannel open(Path file) throws IOException {
        return Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /** Returns this number of bytes; fewer if the file was truncated meanwhile. */
    public static byte[] read(SeekableByteChannel in, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining() && in.read(bytes) >= 0) {
            // on
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
