package hocket.scopes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;

/**
 * One place in direct memory in native order. The buffers are the same at each call; threads may share them for access by
 * index.
 *
 * <p>For example:
 *
 * <pre>{@code
 * HostView view = HostView.of(ByteBuffer.allocateDirect(2 * Float.BYTES));
 * view.floats().put(1, 0.5f);
 * }</pre>
 *
 * @param bytes all bytes: position 0, limit the size
 * @param floats the elements of a FLOAT32 array
 * @param doubles the elements of a FLOAT64 array
 */
public record HostView(ByteBuffer bytes, FloatBuffer floats, DoubleBuffer doubles) {
    /**
     * A view of all bytes of a buffer, whatever its position, limit and order.
     *
     * @throws IllegalArgumentException if the buffer is not direct
     */
    public static HostView of(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("a view of an array must be a direct buffer, was " + buffer);
        }
        ByteBuffer bytes = buffer.duplicate().clear().order(ByteOrder.nativeOrder());
        return new HostView(bytes, bytes.asFloatBuffer(), bytes.asDoubleBuffer());
    }

    @Override
    public ByteBuffer bytes() {
        return bytes.clear().order(ByteOrder.nativeOrder());
    }
}
