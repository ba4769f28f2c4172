package hocket.schedulers.turns;

import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * What workers and servers tell each other of a turn whose weights servers move, as single numbers. In one array: gradients, and
 * weights as the answer; then, by worker, how often each has taken the turn; then what the server is to do, round and epoch. In
 * another: what the rules keep of the weights, how often each of their links ran, and what is to be done with it.
 *
 * @param weights how many
 * @param slots how many numbers the rules keep of them
 * @param links how many the rules have
 * @param processes how many workers
 */
record StaleLayout(int weights, int slots, int links, int processes) {
    /** Nothing is to be done but to answer. */
    static final int LOOK = 0;

    /** Weights are to be moved. */
    static final int MOVE = 1;

    /** What is given is to be taken over. */
    static final int TAKE = 2;

    /** In place of how often another worker has taken the turn. */
    static final long NOT_SAID = -1;

    /** More turns than any worker takes. */
    static final long NEVER_BEHIND = 1L << 40;

    /** A FLOAT32 holds whole numbers below 2^24. */
    private static final int HALF = 20;

    private static final int MARKS = 2;

    /** @param weights how many a turn moves by these rules */
    static StaleLayout of(UpdatePlan updates, int weights, int processes) {
        int slots = 0;
        for (Reals slot : updates.slots().values()) {
            slots = Math.addExact(slots, slot.length());
        }
        return new StaleLayout(weights, slots, updates.counts().length, processes);
    }

    /** Numbers of the first array; the last three are task, round and epoch. */
    int numbers() {
        return weights + processes + 3;
    }

    /** Numbers of the second array; the last three are task and the turn's name, as two numbers. */
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

    /** Writes arrays one after the other. */
    static void put(ByteBuffer numbers, Iterable<ByteBuffer> arrays) {
        int at = 0;
        for (ByteBuffer each : arrays) {
            numbers.put(at, each, 0, each.capacity());
            at += each.capacity();
        }
    }

    /** Reads arrays likewise. */
    static void get(ByteBuffer numbers, Iterable<ByteBuffer> arrays) {
        int at = 0;
        for (ByteBuffer each : arrays) {
            each.put(0, numbers, at, each.capacity());
            at += each.capacity();
        }
    }

    private static List<ByteBuffer> slots(UpdatePlan of) {
        return of.slots().values().stream().map(Reals::bytes).toList();
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

    /** How often a worker has taken the turn. */
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

    /** By which a server knows which turn an array belongs to. */
    static long mark(String turn) {
        CRC32 sum = new CRC32();
        sum.update(turn.getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }

    /** The mark in an array of the second kind, of whatever length, behind whose numbers are so many others. */
    static long markIn(ByteBuffer kept, int behind) {
        int end = kept.capacity() / Float.BYTES - behind;
        return ((long) get(kept, end - 2) << Short.SIZE) + (long) get(kept, end - 1);
    }

    void writeRules(UpdatePlan from, ByteBuffer kept) {
        put(kept, slots(from));
        long[] counts = from.counts();
        for (int i = 0; i < links; i++) {
            put(kept, slots + 2 * i, counts[i] >>> HALF);
            put(kept, slots + 2 * i + 1, counts[i] & ((1 << HALF) - 1));
        }
    }

    void readRules(ByteBuffer kept, UpdatePlan into) {
        get(kept, slots(into));
        long[] counts = new long[links];
        for (int i = 0; i < links; i++) {
            counts[i] = ((long) get(kept, slots + 2 * i) << HALF) + (long) get(kept, slots + 2 * i + 1);
        }
        into.counts(counts);
    }
}
