package hocket.scopes;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The allocator of a store's arrays. Found by {@link java.util.ServiceLoader}: the available one with the highest
 * {@link #preference} serves; without any, plain direct memory of the JVM does.
 */
public interface Storage {
    /** A name for messages and run folders, for example {@code mxnet}. */
    String name();

    /** Why this storage cannot be used on this machine; empty when it can. */
    default Optional<String> unavailable() {
        return Optional.empty();
    }

    /** Higher wins among the available ones. The JVM's own memory has 0. */
    int preference();

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
