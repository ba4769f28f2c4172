package hocket.scopes;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Direct memory of the JVM. */
final class JvmDevice implements Device {
    static final Device DEVICE = new JvmDevice();

    /** Bytes of a cache line. */
    private static final int LINE = 64;

    private JvmDevice() {}

    @Override
    public String name() {
        return "jvm";
    }

    @Override
    public Array allocate(Shape shape, ElementType type) {
        return new DirectArray(aligned(shape.bytes(type)), shape, type);
    }

    /**
     * Returns memory that begins at a whole cache line, so that no vector of the kernels lies in two of them, which would cost
     * a quarter of the speed.
     */
    private static ByteBuffer aligned(int bytes) {
        if (bytes > Integer.MAX_VALUE - 2 * LINE) {
            return ByteBuffer.allocateDirect(bytes);
        }
        int whole = (bytes + LINE - 1) / LINE * LINE;
        return ByteBuffer.allocateDirect(whole + LINE).alignedSlice(LINE).slice(0, bytes);
    }

    static final class DirectArray implements Array {
        private final Shape shape;
        private final ElementType type;
        private @Nullable HostView view;

        DirectArray(ByteBuffer memory, Shape shape, ElementType type) {
            if (memory.capacity() != shape.bytes(type)) {
                throw new IllegalArgumentException(
                        "array " + type + shape + " has " + shape.bytes(type) + " bytes, got " + memory.capacity());
            }
            this.shape = shape;
            this.type = type;
            this.view = HostView.of(memory);
        }

        @Override
        public Device device() {
            return DEVICE;
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
        public HostView view() {
            HostView open = view;
            if (open == null) {
                throw new IllegalStateException("array " + type + shape + " is closed");
            }
            return open;
        }

        @Override
        public void close() {
            view = null;
        }
    }
}
