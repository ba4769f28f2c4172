package hocket.scopes;

import java.util.Locale;

/**
 * The memory for arrays on the Java heap; a store's arrays are elsewhere.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Heap.require("the images", 64.0 * 784 * Float.BYTES); // or an error that says how much is free
 * }</pre>
 */
public final class Heap {
    private static final double MEGABYTE = 1e6;

    private Heap() {}

    /**
     * Checks that more arrays fit in memory in addition to existing ones.
     *
     * @param what names the arrays, in the plural
     * @param bytes the needed bytes
     * @throws IllegalArgumentException if there is less room; the message names the needed, free and total memory
     */
    public static void require(String what, double bytes) {
        if (bytes > free()) {
            System.gc(); // garbage counts as used until then
        }
        require(what, bytes, free(), Runtime.getRuntime().maxMemory());
    }

    /** Checks that bytes fit, given the free and the total memory. */
    static void require(String what, double bytes, double free, double most) {
        if (bytes > free) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%s would need %,.0f MB, and the JVM has %,.0f MB left of %,.0f MB (-Xmx gives it more)",
                    what,
                    bytes / MEGABYTE,
                    free / MEGABYTE,
                    most / MEGABYTE));
        }
    }

    /** Returns the maximum heap size in bytes. */
    public static long most() {
        return Runtime.getRuntime().maxMemory();
    }

    /** Returns the bytes in use after a garbage collection. */
    public static long held() {
        System.gc();
        return taken();
    }

    private static double free() {
        return (double) most() - taken();
    }

    /** Returns the bytes in use, including uncollected garbage. */
    private static long taken() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
