package hocket.distributed.actors;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Encodes numbers and texts in payloads. */
final class Codec {
    private Codec() {}

    /** A frame of a text. */
    static ProtocolFrame text(ProtocolFrame.Kind kind, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new ProtocolFrame(
                kind, ProtocolFrame.room(bytes.length).put(bytes).flip());
    }

    /** Returns a client's text for a message: short, and plain. */
    static String shown(ByteBuffer payload) {
        String text = StandardCharsets.UTF_8.decode(payload.duplicate()).toString();
        String plain = text.replaceAll("\\s+", " ").replaceAll("[^\\x20-\\x7e\\u00a1-\\uffff]", "?");
        return plain.length() > 500 ? plain.substring(0, 500) + "..." : plain;
    }

    /** Returns a frame with one integer. */
    static ProtocolFrame whole(ProtocolFrame.Kind kind, long number) {
        return new ProtocolFrame(
                kind, ProtocolFrame.room(Long.BYTES).putLong(number).flip());
    }

    /**
     * Reads a payload to its end.
     *
     * @throws MalformedFrameException if it is shorter or longer
     */
    static <T> T read(ProtocolFrame protocolFrame, Function<ByteBuffer, T> reader) {
        ByteBuffer payload = protocolFrame.payload();
        T read;
        try {
            read = reader.apply(payload);
        } catch (BufferUnderflowException e) {
            throw new MalformedFrameException("a frame " + protocolFrame.kind() + " that is too short");
        } catch (IllegalArgumentException e) {
            throw new MalformedFrameException(
                    "a frame " + protocolFrame.kind() + " that cannot be read: " + e.getMessage());
        }
        if (payload.hasRemaining()) {
            throw new MalformedFrameException(
                    "a frame " + protocolFrame.kind() + " with " + payload.remaining() + " bytes too many");
        }
        return read;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String string(ByteBuffer from) {
        byte[] bytes = new byte[length(from, 1)];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Reads a count of items of this size: not more than there are bytes for. */
    static int length(ByteBuffer from, int bytesEach) {
        int length = from.getInt();
        if (length < 0 || (long) length * bytesEach > from.remaining()) {
            throw new IllegalArgumentException("it announces " + length + " items, but ends before them");
        }
        return length;
    }

    static void put(ByteBuffer into, byte[] bytes) {
        into.putInt(bytes.length).put(bytes);
    }

    static String lines(Map<String, String> settings) {
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(settings)
                .forEach((key, value) -> lines.append(key)
                        .append('\t')
                        .append(value.replaceAll("\\s+", " "))
                        .append('\n'));
        return lines.toString();
    }

    static SortedMap<String, String> settings(String lines) {
        SortedMap<String, String> settings = new TreeMap<>();
        lines.lines().forEach(line -> {
            String[] parts = line.split("\t", 2);
            settings.put(parts[0], parts.length > 1 ? parts[1] : "");
        });
        return settings;
    }
}
