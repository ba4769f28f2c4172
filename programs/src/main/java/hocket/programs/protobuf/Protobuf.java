package hocket.programs.protobuf;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Builds a Protobuf message, field by field. Large fields are not copied. */
public final class Protobuf {
    private static final int MOST_COPIED_BYTES = 4 << 10;
    private static final int DELIMITED = 2;

    private final List<ByteBuffer> parts = new ArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes, MOST_COPIED_BYTES);

    private interface Writing {
        void write() throws IOException;
    }

    private Protobuf write(Writing writing) {
        try {
            writing.write();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // into memory
        }
    }

    public Protobuf real(int field, double value) {
        return write(() -> out.writeDouble(field, value));
    }

    public Protobuf single(int field, float value) {
        return write(() -> out.writeFloat(field, value));
    }

    public Protobuf whole(int field, long value) {
        return write(() -> out.writeInt64(field, value));
    }

    public Protobuf text(int field, String value) {
        return write(() -> out.writeString(field, value));
    }

    /** Writes the remaining bytes, which must not change any more. */
    public Protobuf bytes(int field, ByteBuffer value) {
        return delimited(field, List.of(value));
    }

    public Protobuf message(int field, Protobuf value) {
        return delimited(field, value.parts());
    }

    private Protobuf delimited(int field, List<ByteBuffer> value) {
        return write(() -> {
            out.writeTag(field, DELIMITED);
            out.writeUInt64NoTag(size(value));
            for (ByteBuffer part : value) {
                append(part);
            }
        });
    }

    private void append(ByteBuffer part) throws IOException {
        if (part.remaining() <= MOST_COPIED_BYTES) {
            byte[] copy = new byte[part.remaining()];
            part.duplicate().get(copy);
            out.writeRawBytes(copy);
        } else {
            flush();
            parts.add(part);
        }
    }

    private void flush() throws IOException {
        out.flush();
        if (bytes.size() > 0) {
            parts.add(ByteBuffer.wrap(bytes.toByteArray()));
            bytes.reset();
        }
    }

    /** Writes a packed field. */
    public Protobuf reals(int field, double[] values) {
        return write(() -> {
            out.writeTag(field, DELIMITED);
            out.writeUInt32NoTag(Double.BYTES * values.length);
            for (double value : values) {
                out.writeDoubleNoTag(value);
            }
        });
    }

    /** Returns the message, in parts. */
    public List<ByteBuffer> parts() {
        write(this::flush);
        return parts.stream().map(ByteBuffer::duplicate).toList();
    }

    /** Returns the number of bytes in some parts. */
    public static long size(List<ByteBuffer> parts) {
        return parts.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /**
     * Returns the message.
     *
     * @throws ArithmeticException if it has more than 2147483647 bytes
     */
    public byte[] bytes() {
        List<ByteBuffer> message = parts();
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(size(message)));
        message.forEach(all::put);
        return all.array();
    }
}
