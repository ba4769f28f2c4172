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
 * <p>What the garbage collector finds is not freed by its thread but by the next thread that makes or closes something of
 * the engine's: the engine is not called from a thread that nobody chose.
 */
final class Handle {
    /** So many bytes that are closed, and wait for the garbage collector to find that nobody looks any more, ask for it. */
    private static final long MUCH = 64_000_000;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final Queue<Runnable> LOST = new ConcurrentLinkedQueue<>();
    private static final AtomicLong WAITING = new AtomicLong();

    /** What is left when the last of its users is gone; refers to none of them, or they would never be lost. */
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

    /** Keeps the native side as long as this can be reached, too. */
    void sharedWith(Object user) {
        Native held = made;
        held.users.incrementAndGet();
        CLEANER.register(user, held::release);
    }

    /**
     * Frees now, or as soon as those that it is shared with are gone; harmless when done before.
     *
     * @param bytes of memory behind it
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

    /** Frees what was lost or closed since the last call. */
    static void freeLost() {
        for (Runnable free = LOST.poll(); free != null; free = LOST.poll()) {
            free.run();
        }
    }
}
