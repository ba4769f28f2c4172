package hocket.schedulers.feeds;

import hocket.schedulers.checkpoint.Checksums;
import hocket.schedulers.checkpoint.DiskFailureText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.List;

/**
 * A fingerprint of data by its content: equal digests mean equal data, wherever it is stored.
 *
 * @param name its name, without its location
 * @param place its current location, for messages
 * @param bytes its size
 * @param sha256 of its bytes, in hexadecimal digits
 */
public record DataFingerprint(String name, String place, long bytes, String sha256) {
    /**
     * A file.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public static DataFingerprint of(Path file) {
        MessageDigest digest = Checksums.digest();
        return new DataFingerprint(name(file), file.toString(), add(digest, file), Checksums.hex(digest));
    }

    /**
     * The files of a folder as one: the digest covers each one's name below the folder, a zero, its length as eight
     * bytes (the highest first) and its content, in the order of names.
     *
     * @throws UncheckedIOException if one cannot be read
     */
    public static DataFingerprint of(Path folder, List<Path> files) {
        MessageDigest digest = Checksums.digest();
        long bytes = 0;
        for (Path file : files.stream()
                .sorted(Comparator.comparing(each -> below(folder, each)))
                .toList()) {
            digest.update(below(folder, file).getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            long length = size(file);
            for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                digest.update((byte) (length >>> shift));
            }
            bytes += add(digest, file);
        }
        return new DataFingerprint(
                files.size() + (files.size() == 1 ? " file" : " files"),
                folder.toString(),
                bytes,
                Checksums.hex(digest));
    }

    /** A resource of a jar, by its content. */
    public static DataFingerprint of(String resource, byte[] content) {
        MessageDigest digest = Checksums.digest();
        digest.update(content);
        return new DataFingerprint(resource, "a jar of Hocket", content.length, Checksums.hex(digest));
    }

    private static String below(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw refused(file, e);
        }
    }

    private static long add(MessageDigest digest, Path file) {
        try {
            return Checksums.add(digest, file);
        } catch (IOException e) {
            throw refused(file, e);
        }
    }

    private static UncheckedIOException refused(Path file, IOException e) {
        return new UncheckedIOException(file + " cannot be read: " + DiskFailureText.of(e), e);
    }
}
