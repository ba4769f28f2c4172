package hocket.schedulers.formats;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.scopes.Tensor;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Named arrays in NumPy's archive format, a zip of {@link Npy} files, as {@code numpy.savez} and {@code savez_compressed}
 * write it and {@code numpy.load} reads it. Written is what {@code savez} writes: not compressed.
 *
 * <p>An array is inflated only when its own header says that it has as many bytes as the archive says, and never to more
 * than deflate can have packed, all arrays together not either: none shares its packed bytes with another.
 */
public final class Npz {
    private static final String END = ".npy";
    private static final int BUFFER = 1 << 16;

    /** Deflate never packs more than 1032 bytes into one, so the packed size bounds what an archive may claim. */
    private static final long MOST_DEFLATED = 1032;

    /** The time of all entries, as in NumPy: the same arrays give the same bytes. */
    private static final LocalDateTime ALWAYS = LocalDateTime.of(1980, 1, 1, 0, 0);

    private Npz() {}

    /**
     * Reads all arrays, by name without {@code .npy}, in the order of the archive.
     *
     * @throws FormatException if it is no such archive: no zip, a duplicate name or one that is not a {@code .npy} file,
     *     an entry that is longer or shorter than its array, damaged or at the bytes of another, or what {@link
     *     Npy#open} refuses
     * @throws IOException if it cannot be read
     */
    public static Map<String, Npy> read(Path file) throws IOException {
        Bytes.requireFile(file);
        Map<String, Npy> arrays = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            List<? extends ZipEntry> entries = Collections.list(zip.entries());
            requireApart(file, entries);
            for (ZipEntry entry : entries) {
                String name = entry.getName();
                String place = file + ": " + name;
                if (!name.endsWith(END)) {
                    throw new FormatException(place, "every entry must be called NAME" + END);
                }
                String array = name.substring(0, name.length() - END.length());
                if (arrays.containsKey(array)) {
                    throw new FormatException(
                            place, "every entry must have a name of its own, this one is there twice");
                }
                arrays.put(array, new Npy(place, Bytes.of(ByteBuffer.wrap(unpacked(place, zip, entry)))));
            }
        } catch (FormatException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) { // the latter where names or dates are broken
            String reason = e instanceof IOException refused ? DiskFailureText.of(refused) : e.getMessage();
            throw new FormatException(file.toString(), "is not a sound zip archive: " + reason, e);
        }
        return Collections.unmodifiableMap(arrays);
    }

    /** Entries that share bytes would unpack a small file to any size. */
    private static void requireApart(Path file, List<? extends ZipEntry> entries) throws IOException {
        long size = Files.size(file);
        long left = size;
        for (ZipEntry entry : entries) {
            left -= Math.min(entry.getCompressedSize(), size);
            if (left < 0) {
                throw new FormatException(
                        file + ": " + entry.getName(),
                        "must have bytes of its own: up to this entry, they would be more than the " + size
                                + " of the file");
            }
        }
    }

    private static byte[] unpacked(String place, ZipFile zip, ZipEntry entry) throws IOException {
        long size = entry.getSize();
        long packed = entry.getCompressedSize();
        boolean stored = entry.getMethod() == ZipEntry.STORED;
        if (size < 0 || size > (stored ? packed : packed * MOST_DEFLATED)) {
            throw new FormatException(
                    place, "would unpack " + packed + " bytes to " + size + (stored ? ", but is stored" : ""));
        }
        try (InputStream in = zip.getInputStream(entry)) {
            if (in == null) {
                throw new FormatException(place, "is not at the position that the archive gives");
            }
            byte[] start = in.readNBytes((int) Math.min(size, NpyHeader.PREFIX + NpyHeader.MOST_TEXT));
            NpyHeader header = NpyHeader.read(place, ByteBuffer.wrap(start));
            long needed = header.bytes(place);
            if (needed != size - header.length()) {
                throw new FormatException(
                        place,
                        "shape " + header.shape() + " of " + header.dtype() + " needs " + needed
                                + " bytes, the archive says that there are " + (size - header.length()));
            }
            if (size > Integer.MAX_VALUE - 8) {
                throw new FormatException(place, "has " + size + " bytes; one array can have at most 2147483639");
            }
            byte[] all = Arrays.copyOf(start, (int) size);
            int rest = in.readNBytes(all, start.length, all.length - start.length);
            if (start.length + rest != size || in.read() != -1) {
                throw new FormatException(place, "does not unpack to the " + size + " bytes that the archive says");
            }
            CRC32 sum = new CRC32();
            sum.update(all);
            if (sum.getValue() != entry.getCrc()) {
                throw new FormatException(
                        place,
                        String.format(
                                "its CRC-32 is %08x, the archive says %08x: it was damaged",
                                sum.getValue(), entry.getCrc()));
            }
            return all;
        }
    }

    /**
     * Writes arrays, replacing a file that is there.
     *
     * @param file where to; its folder must exist
     * @param arrays by name, without {@code .npy}
     * @throws IllegalArgumentException if one has more than 64 axes, or a name is longer than 65,531 bytes
     * @throws UncheckedIOException if the file cannot be written; the message names it
     */
    public static void write(Path file, SortedMap<String, Tensor> arrays) {
        FileWork.make(
                "cannot write the arrays " + file,
                () -> AtomicFile.write(file, beside -> {
                    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(beside), BUFFER);
                            ZipOutputStream zip = new ZipOutputStream(out)) {
                        for (Map.Entry<String, Tensor> array : arrays.entrySet()) {
                            write(zip, array.getKey() + END, Npy.parts(array.getValue()));
                        }
                    }
                }));
    }

    private static void write(ZipOutputStream zip, String name, List<ByteBuffer> parts) throws IOException {
        CRC32 sum = new CRC32();
        parts.forEach(part -> sum.update(part.duplicate()));
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(parts.stream().mapToLong(ByteBuffer::remaining).sum());
        entry.setCrc(sum.getValue());
        entry.setTimeLocal(ALWAYS);
        zip.putNextEntry(entry);
        WritableByteChannel out = Channels.newChannel(zip);
        for (ByteBuffer part : parts) {
            while (part.hasRemaining()) {
                out.write(part);
            }
        }
        zip.closeEntry();
    }
}
