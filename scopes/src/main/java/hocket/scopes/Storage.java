package hocket.scopes;

import java.nio.ByteBuffer;

/**
 * An allocator of a store's arrays. A store begins in direct memory of the JVM; an engine that needs its own moves the
 * parameters that it reads there ({@link Parameters.Cell#array(Storage)}).
 */
public interface Storage {
    /** A name for messages, for example {@code jvm}. */
    String name();

    /**
     * A new array of zeros.
     *
     * @throws IllegalArgumentException if it has more bytes than a {@link ByteBuffer} holds
     * @throws IllegalStateException if this storage is not available
     */
    Array allocate(Shape shape, ElementType type);

    /** An array of logical row-major layout. Used by one thread at a time; closing twice is harmless. */
    interface Array extends AutoCloseable {
        /** The extents. */
        Shape shape();

        /** The type of the elements. */
        ElementType type();

        /**
         * The elements in plain row-major layout and native byte order, position 0, limit the size in bytes. Ask again
         * before every access, since an engine may have changed the array's layout. Never keep it longer than the
         * array.
         *
         * @throws IllegalStateException if the array is closed
         */
        ByteBuffer buffer();

        /** Frees the memory. */
        @Override
        void close();
    }
}
