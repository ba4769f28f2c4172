package hocket.scopes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Direct memory of the JVM, in which every store begins. */
final class JvmStorage implements Storage {
    /** Bytes of a cache line. */
    private static final int LINE = 64;

    @Override
    public String name() {
        return "jvm";
    }

    @Override
    public Array allocate(Shape shape, ElementType type) {
        return new DirectArray(shape, type);
    }

    /** Returns memory that begins at a whole cache line, so that no vector of the kernels lies in two of them. */
    private static ByteBuffer aligned(int bytes) {
        if (bytes > Integer.MAX_VALUE - 2 * LINE) {
            return ByteBuffer.allocateDirect(bytes);
        }
        int whole = (bytes + LINE - 1) / LINE * LINE;
        return ByteBuffer.allocateDirect(whole + LINE).alignedSlice(LINE).slice(0, bytes);
    }

    private static final class DirectArray implements Array {
        private final Shape shape;
        private final ElementType type;
        private @Nullable ByteBuffer buffer;

        DirectArray(Shape shape, ElementType type) {
            this.shape = shape;
            this.type = type;
            this.buffer = aligned(shape.bytes(type)).order(ByteOrder.nativeOrder());
        }

        @Override
        public Shape shape() {
            return shape;
        }

        @Override
        public ElementType type() {
            return type;
        }

        @Override
        public ByteBuffer buffer() {
            ByteBuffer open = buffer;
            if (open == null) {
                throw new IllegalStateException("array " + type + shape + " is closed");
            }
            return open.clear();
        }

        @Override
        public void close() {
            buffer = null;
        }
    }
}
