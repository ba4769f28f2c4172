package hocket.workbench.online;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A file of the queue, named after its first row. It begins with a head: the format of a row, and each client's next
 * sequence number, so that earlier segments can be deleted. {@linkplain BatchHeader Batches} follow.
 *
 * @param file where it is
 * @param first number of its first row in the queue
 * @param head number of bytes before the first batch
 */
record Segment(Path file, long first, int head) {
    /** The pattern of segments' names. */
    static final Pattern NAME = Pattern.compile("(\\d{12,18})\\.queue");

    private static final byte[] MAGIC = "HOCKETQ\n".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int FIXED = 8 + 4 + 4 + 8 + 4 + 4;

    /** The longest head: the largest number of clients, each with the longest name, and a long format. */
    private static final int MOST_HEAD = 16 << 20;

    /** The content of a head without its place. */
    record Head(Segment segment, String format, SortedMap<String, Long> clients) {}

    static String name(long first) {
        return String.format(Locale.ROOT, "%012d.queue", first);
    }

    /** Creates a segment atomically; an earlier one of the same first row is replaced. */
    static Segment create(LogFile.Opening files, Path folder, long first, String format, Map<String, Long> clients)
            throws IOException {
        byte[] text = format.getBytes(StandardCharsets.UTF_8);
        SortedMap<byte[], Long> named = new TreeMap<>(Arrays::compare);
        int length = FIXED + text.length + Integer.BYTES;
        for (Map.Entry<String, Long> client : clients.entrySet()) {
            byte[] name = client.getKey().getBytes(StandardCharsets.UTF_8);
            named.put(name, client.getValue());
            length += Short.BYTES + name.length + Long.BYTES;
        }
        byte[] bytes = new byte[length];
        ByteBuffer out = BatchHeader.little(bytes);
        out.put(MAGIC).putInt(VERSION).putInt(length).putLong(first);
        out.putInt(named.size()).putInt(text.length).put(text);
        named.forEach(
                (name, next) -> out.putShort((short) name.length).put(name).putLong(next));
        out.putInt(sum(bytes));
        Path file = folder.resolve(name(first));
        files.create(file, bytes);
        return new Segment(file, first, length);
    }

    private static int sum(byte[] bytes) {
        CRC32C sum = BatchHeader.crc();
        sum.update(bytes, 0, bytes.length - Integer.BYTES);
        return (int) sum.getValue();
    }

    /**
     * Reads the head of one.
     *
     * @throws IOException if it is not a segment, or was changed, naming it
     */
    static Head read(Path file) throws IOException {
        try (InputStream opened = Files.newInputStream(file);
                DataInputStream in = new DataInputStream(opened)) {
            byte[] fixed = in.readNBytes(FIXED);
            if (fixed.length < FIXED || !ByteBuffer.wrap(fixed, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
                throw new IOException(file + " is not a segment of a queue: it must begin with HOCKETQ");
            }
            ByteBuffer numbers = BatchHeader.little(fixed).position(MAGIC.length);
            int version = numbers.getInt();
            int length = numbers.getInt();
            if (version != VERSION) {
                throw new IOException(file + " is of version " + version + ", this Hocket reads version " + VERSION);
            }
            if (length < FIXED + Integer.BYTES || length > MOST_HEAD || length > Files.size(file)) {
                throw changed(file);
            }
            byte[] all = Arrays.copyOf(fixed, length);
            if (in.readNBytes(all, FIXED, length - FIXED) < length - FIXED) {
                throw changed(file);
            }
            ByteBuffer head = BatchHeader.little(all).position(FIXED);
            if (head.getInt(length - Integer.BYTES) != sum(all)) {
                throw changed(file);
            }
            return head(file, head, numbers.getLong(), numbers.getInt(), numbers.getInt());
        }
    }

    private static IOException changed(Path file) {
        return new IOException(file + " was changed: its header does not match its CRC-32C");
    }

    private static Head head(Path file, ByteBuffer rest, long first, int clients, int format) {
        String text = text(rest, format);
        SortedMap<String, Long> next = new TreeMap<>();
        for (int i = 0; i < clients; i++) {
            next.put(text(rest, rest.getShort()), rest.getLong());
        }
        return new Head(new Segment(file, first, rest.capacity()), text, next);
    }

    private static String text(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
