package hocket.schedulers.turns;

import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.scopes.Device;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The layout of the two arrays that workers and servers exchange for a turn whose weights servers update. The first
 * holds gradients (weights in the answer), each worker's count of turns, the server's task, round and epoch. The second
 * holds the optimizer slots, the count of each transformation, and the server's task.
 *
 * @param weights number of weights
 * @param slots number of slot elements
 * @param links number of gradient transformations
 * @param processes number of workers
 */
record StaleLayout(int weights, int slots, int links, int processes) {
    /** The task to answer only. */
    static final int LOOK = 0;

    /** The task to update weights. */
    static final int MOVE = 1;

    /** The task to take over the given values. */
    static final int TAKE = 2;

    /** The placeholder for another worker's count of turns. */
    static final long NOT_SAID = -1;

    /** A count above that of any worker. */
    static final long NEVER_BEHIND = 1L << 40;

    /** A FLOAT32 holds whole numbers below 2^24. */
    private static final int HALF = 20;

    private static final int MARKS = 2;

    /** @param weights number of weights that a turn updates by these rules */
    static StaleLayout of(UpdatePlan updates, int weights, int processes) {
        int slots = 0;
        for (Device.Array slot : updates.slots().values()) {
            slots = Math.addExact(slots, slot.shape().size());
        }
        return new StaleLayout(weights, slots, updates.counts().length, processes);
    }

    /** Returns the length of the first array, whose last three numbers are task, round and epoch. */
    int numbers() {
        return weights + processes + 3;
    }

    /** Returns the length of the second array, which ends with the task and the turn's name as two numbers. */
    int kept() {
        return slots + 2 * links + 1 + MARKS;
    }

    ByteBuffer emptyNumbers() {
        return empty(numbers());
    }

    ByteBuffer emptyKept() {
        return empty(kept());
    }

    private static ByteBuffer empty(int count) {
        return ByteBuffer.allocateDirect(count * Float.BYTES).order(ByteOrder.nativeOrder());
    }

    static float get(ByteBuffer numbers, int at) {
        return numbers.getFloat(at * Float.BYTES);
    }

    static void put(ByteBuffer numbers, int at, double value) {
        numbers.putFloat(at * Float.BYTES, (float) value);
    }

    /** Writes consecutive arrays. */
    static void put(ByteBuffer numbers, Iterable<Device.Array> arrays) {
        ByteBuffer to = numbers.duplicate().clear();
        arrays.forEach(each -> to.put(each.buffer()));
    }

    /** Reads consecutive arrays. */
    static void get(ByteBuffer numbers, Iterable<Device.Array> arrays) {
        ByteBuffer from = numbers.duplicate().clear();
        arrays.forEach(each -> each.write(from));
    }

    int task(ByteBuffer numbers) {
        return (int) get(numbers, numbers() - 3);
    }

    void task(ByteBuffer numbers, int task, long round, double epoch) {
        put(numbers, numbers() - 3, task);
        put(numbers, numbers() - 2, round);
        put(numbers, numbers() - 1, epoch);
    }

    long round(ByteBuffer numbers) {
        return (long) get(numbers, numbers() - 2);
    }

    double epoch(ByteBuffer numbers) {
        return get(numbers, numbers() - 1);
    }

    /** Returns how often a worker has taken the turn. */
    long taken(ByteBuffer numbers, int worker) {
        return (long) get(numbers, weights + worker);
    }

    void taken(ByteBuffer numbers, int worker, long times) {
        put(numbers, weights + worker, times);
    }

    int keptTask(ByteBuffer kept) {
        return (int) get(kept, kept() - 1 - MARKS);
    }

    void keptTask(ByteBuffer kept, int task, String turn) {
        put(kept, kept() - 1 - MARKS, task);
        long mark = mark(turn);
        put(kept, kept() - 2, mark >>> Short.SIZE);
        put(kept, kept() - 1, mark & 0xFFFF);
    }

    /** Returns the number by which a server finds the turn of an array. */
    static long mark(String turn) {
        CRC32 sum = new CRC32();
        sum.update(turn.getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }

    /** Returns the turn's number in a second array of any length that ends with a number of further values. */
    static long markIn(ByteBuffer kept, int behind) {
        int end = kept.capacity() / Float.BYTES - behind;
        return ((long) get(kept, end - 2) << Short.SIZE) + (long) get(kept, end - 1);
    }

    void writeRules(UpdatePlan from, ByteBuffer kept) {
        put(kept, from.slots().values());
        long[] counts = from.counts();
        for (int i = 0; i < links; i++) {
            put(kept, slots + 2 * i, counts[i] >>> HALF);
            put(kept, slots + 2 * i + 1, counts[i] & ((1 << HALF) - 1));
        }
    }

    void readRules(ByteBuffer kept, UpdatePlan into) {
        get(kept, into.slots().values());
        long[] counts = new long[links];
        for (int i = 0; i < links; i++) {
            counts[i] = ((long) get(kept, slots + 2 * i) << HALF) + (long) get(kept, slots + 2 * i + 1);
        }
        into.counts(counts);
    }
}
