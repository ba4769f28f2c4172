package hocket.programs.mxnet;

import java.lang.ref.Cleaner;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongToIntFunction;

/**
 * The native side of one object, freed exactly once: when the object is closed, or some time after it was lost without
 * having been closed, but never while a buffer that shows its memory can still be reached.
 *
 * <p>The garbage collector's thread does not free handles; the next thread that makes or closes an object of the engine
 * does, so that the engine is called on chosen threads only.
 */
final class Handle {
    /** The bytes of closed but still referenced memory that trigger a garbage collection. */
    private static final long MUCH = 64_000_000;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final Queue<Runnable> LOST = new ConcurrentLinkedQueue<>();
    private static final AtomicLong WAITING = new AtomicLong();

    /** The state that outlives the last user; it must not refer to users, or they would never be collected. */
    private static final class Native {
        final long value;
        final LongToIntFunction free;
        final AtomicInteger users = new AtomicInteger(1);
        volatile long waiting;

        Native(long value, LongToIntFunction free) {
            this.value = value;
            this.free = free;
        }

        void release() {
            if (users.decrementAndGet() == 0) {
                WAITING.addAndGet(-waiting);
                LOST.add(() -> Mx.check(free.applyAsInt(value), "free"));
            }
        }
    }

    private final Native made;
    private final Cleaner.Cleanable cleanable;
    private boolean open = true;

    /**
     * @param owner the object whose loss frees the handle
     * @param free the engine's function for it
     */
    Handle(Object owner, long value, LongToIntFunction free) {
        Native held = new Native(value, free);
        this.made = held;
        this.cleanable = CLEANER.register(owner, held::release);
    }

    long value() {
        return made.value;
    }

    boolean isOpen() {
        return open;
    }

    /** Keeps the native object until the user, too, is unreachable. */
    void sharedWith(Object user) {
        Native held = made;
        held.users.incrementAndGet();
        CLEANER.register(user, held::release);
    }

    /**
     * Frees the native object now, or when its other users are unreachable; a second call has no effect.
     *
     * @param bytes of memory that it holds
     */
    void free(long bytes) {
        if (open) {
            open = false;
            made.waiting = bytes;
            boolean much = WAITING.addAndGet(bytes) > MUCH;
            cleanable.clean();
            if (much && WAITING.get() > MUCH) {
                System.gc();
            }
        }
        freeLost();
    }

    void free() {
        free(0);
    }

    /** Frees handles that were lost or closed since the last call. */
    static void freeLost() {
        for (Runnable free = LOST.poll(); free != null; free = LOST.poll()) {
            free.run();
        }
    }
}
