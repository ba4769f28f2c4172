package hocket.scopes;

import java.nio.ByteBuffer;

/**
 * Memory for arrays, and where their updates run: a store's parameters, the feeds and gradients of a program, the slots of an
 * optimizer. A store begins on the JVM's device; a lowering whose programs run on arrays of another moves the parameters
 * that they read there ({@link Parameters.Cell#array(Device)}).
 *
 * <p>For example:
 *
 * <pre>{@code
 * Device.Array array = Device.jvm().allocate(Shape.of(2, 3), ElementType.FLOAT32);
 * array.view().floats().put(0, 1.5f);
 * Tensor values = array.read();
 * array.close();
 * }</pre>
 */
public interface Device {
    /** The JVM's direct memory, in which every store begins. Its arrays begin at a cache line. */
    static Device jvm() {
        return JvmDevice.DEVICE;
    }

    /**
     * An array of the JVM's device in all bytes of a buffer, which is part of a larger one or is exchanged with other processes.
     *
     * @throws IllegalArgumentException if the buffer is not direct, or the shape needs more or fewer bytes
     */
    static Array over(ByteBuffer memory, Shape shape, ElementType type) {
        return new JvmDevice.DirectArray(memory, shape, type);
    }

    /** A name for messages, for example {@code jvm}. */
    String name();

    /**
     * A new array of zeros.
     *
     * @throws IllegalArgumentException if it has more bytes than a {@link ByteBuffer} holds
     * @throws IllegalStateException if this device is not available
     */
    Array allocate(Shape shape, ElementType type);

    /**
     * Runs an update, which writes elements of arrays by their {@linkplain Array#view views}. A device whose memory the
     * host does not see writes back the views that were requested meanwhile, also when the update fails.
     */
    default void update(Runnable update) {
        update.run();
    }

    /** An array of logical row-major layout. Used by one thread at a time; closing twice is harmless. */
    interface Array extends AutoCloseable {
        /** The device whose memory it is in. */
        Device device();

        /** The extents. */
        Shape shape();

        /** The type of the elements. */
        ElementType type();

        /**
         * The elements on the host, to be read, and to be written in {@link Device#update} only. Request it again for
         * every operation, since the device may have moved them or changed their layout. It is the same object as long
         * as they stay in place. A device whose memory the host does not see gives a copy, which in an update is the same at
         * each request, and overrides {@link #write}.
         *
         * @throws IllegalStateException if the array is closed
         */
        HostView view();

        /** The bytes of the {@link #view}, position 0, limit the size. Throws as that does. */
        default ByteBuffer buffer() {
            return view().bytes();
        }

        /**
         * Writes all elements, in an update or not.
         *
         * @param from their bytes in native order from its position on, which moves to their end
         * @throws IndexOutOfBoundsException if they are fewer; then nothing was written
         * @throws IllegalStateException if the array is closed
         */
        default void write(ByteBuffer from) {
            ByteBuffer to = buffer();
            to.put(0, from, from.position(), to.capacity());
            from.position(from.position() + to.capacity());
        }

        /** Returns a copy of the elements. Throws as {@link #view} does. */
        default Tensor read() {
            return Tensor.copyOf(shape(), type(), buffer());
        }

        /** Returns a new array of zeros of the same shape and type on the same device. Throws as {@link Device#allocate} does. */
        default Array alike() {
            return device().allocate(shape(), type());
        }

        /** Frees the memory. */
        @Override
        void close();
    }
}
