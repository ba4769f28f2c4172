package hocket.scopes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Direct memory of the JVM, which is used where no engine is on the class path. */
final class JvmStorage implements Storage {
    @Override
    public String name() {
        return "jvm";
    }

    @Override
    public int preference() {
        return 0;
    }

    @Override
    public Array allocate(Shape shape, ElementType type) {
        return new DirectArray(shape, type);
    }

    private static final class DirectArray implements Array {
        private final Shape shape;
        private final ElementType type;
        private @Nullable ByteBuffer buffer;

        DirectArray(Shape shape, ElementType type) {
            this.shape = shape;
            this.type = type;
            this.buffer = ByteBuffer.allocateDirect(shape.bytes(type)).order(ByteOrder.nativeOrder());
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
