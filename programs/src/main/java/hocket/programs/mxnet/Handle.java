package hocket.programs.mxnet;

import java.lang.ref.Cleaner;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongToIntFunction;

/**
 * The native side of one object, freed exactly once: when the object is closed, or some time after it was lost without
 * having been closed.
 *
 * <p>A lost one is not freed by the garbage collector's thread but by the next thread that makes or closes something of
 * the engine's: the engine is not called from a thread that nobody chose, and memory cannot vanish while its last user
 * still reads it.
 */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Queue<Runnable> LOST = new ConcurrentLinkedQueue<>();

    private final long value;
    private final Cleaner.Cleanable cleanable;
    private boolean open = true;

    /**
     * @param owner the object whose loss frees the handle
     * @param free the engine's function for it
     */
    Handle(Object owner, long value, LongToIntFunction free) {
        this.value = value;
        // The action must not refer to the owner or to this, or neither would ever be lost.
        this.cleanable = CLEANER.register(owner, () -> LOST.add(() -> Mx.check(free.applyAsInt(value), "free")));
    }

    long value() {
        return value;
    }

    boolean isOpen() {
        return open;
    }

    /** Frees now; harmless when done before. */
    void free() {
        open = false;
        cleanable.clean();
        freeLost();
    }

    /** Frees what was lost or closed since the last call. */
    static void freeLost() {
        for (Runnable free = LOST.poll(); free != null; free = LOST.poll()) {
            free.run();
        }
    }
}
