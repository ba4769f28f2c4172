package hocket.workbench.pictures.tensorboard;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Builds a Protobuf message, field by field in the order of their numbers. */
final class Protobuf {
    private static final int MOST_HEAD_BYTES = 4 << 10;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes, MOST_HEAD_BYTES);

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

    Protobuf real(int field, double value) {
        return write(() -> out.writeDouble(field, value));
    }

    Protobuf single(int field, float value) {
        return write(() -> out.writeFloat(field, value));
    }

    Protobuf whole(int field, long value) {
        return write(() -> out.writeInt64(field, value));
    }

    Protobuf text(int field, String value) {
        return write(() -> out.writeString(field, value));
    }

    Protobuf bytes(int field, byte[] value) {
        return write(() -> out.writeByteArray(field, value));
    }

    Protobuf message(int field, Protobuf value) {
        return bytes(field, value.bytes());
    }

    /** Writes a packed field. */
    Protobuf reals(int field, double[] values) {
        return write(() -> {
            out.writeTag(field, 2);
            out.writeUInt32NoTag(Double.BYTES * values.length);
            for (double value : values) {
                out.writeDoubleNoTag(value);
            }
        });
    }

    byte[] bytes() {
        write(out::flush);
        return bytes.toByteArray();
    }
}
