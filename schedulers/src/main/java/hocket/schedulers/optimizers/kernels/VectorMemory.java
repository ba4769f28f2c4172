package hocket.schedulers.optimizers.kernels;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Loads and stores of vectors in native memory: before JDK 19 from byte buffers, from then on from memory segments,
 * which no class compiled for Java 17 can name. Handles to either method are constants, so that they are inlined; but
 * loads by handles cost Adam a tenth of its time on JDK 17, so that loads from buffers are called by name.
 *
 * @param memory the class of native memory
 * @param place the type of offsets
 * @param of from a direct buffer to its memory
 */
record VectorMemory(Class<?> memory, Class<?> place, MethodHandle of) {
    private static final int SEGMENTS_SINCE = 19;
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.publicLookup();
    private static final VectorMemory HERE = here();

    /** Whether vectors take byte buffers; else a call by name must not be reached. */
    static final boolean BUFFERS = HERE.memory == ByteBuffer.class;

    private static final MethodHandle OF = HERE.of.asType(MethodType.methodType(Object.class, ByteBuffer.class));

    private static VectorMemory here() {
        if (Runtime.version().feature() >= SEGMENTS_SINCE) {
            try {
                Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
                MethodType type = MethodType.methodType(segment, Buffer.class);
                return new VectorMemory(segment, long.class, LOOKUP.findStatic(segment, "ofBuffer", type));
            } catch (ReflectiveOperationException e) {
                // Then vectors have no loads from buffers either, and the loops are the plain ones.
            }
        }
        return new VectorMemory(ByteBuffer.class, int.class, MethodHandles.identity(ByteBuffer.class));
    }

    /** All of a direct buffer, as loads and stores take it. */
    static Object of(ByteBuffer buffer) {
        try {
            return (Object) OF.invokeExact(buffer);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * A load in native order: from memory and the place of the first byte, an int, to a vector.
     *
     * @throws LinkageError if this JDK has no such load
     */
    static MethodHandle load(Class<?> vector, Class<?> speciesType, Object species) {
        MethodType type = MethodType.methodType(vector, speciesType, HERE.memory, HERE.place, ByteOrder.class);
        try {
            MethodHandle load = LOOKUP.findStatic(vector, "from" + HERE.memory.getSimpleName(), type);
            load = MethodHandles.insertArguments(load, 3, ByteOrder.nativeOrder());
            load = MethodHandles.insertArguments(load, 0, species);
            return load.asType(MethodType.methodType(vector, Object.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("there is no load of " + vector, e);
        }
    }

    /**
     * A store in native order: of a vector, to memory, at the place of the first byte, an int.
     *
     * @throws LinkageError if this JDK has no such store
     */
    static MethodHandle store(Class<?> vector) {
        MethodType type = MethodType.methodType(void.class, HERE.memory, HERE.place, ByteOrder.class);
        try {
            MethodHandle store = LOOKUP.findVirtual(vector, "into" + HERE.memory.getSimpleName(), type);
            store = MethodHandles.insertArguments(store, 3, ByteOrder.nativeOrder());
            return store.asType(MethodType.methodType(void.class, vector, Object.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("there is no store of " + vector, e);
        }
    }

    /** Wraps checked exceptions, which handles never throw, and rethrows others. */
    static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
}
