package hocket.scopes;

import java.util.Locale;

/** The memory that Java may take for arrays of its own; those of a store lie elsewhere. */
public final class Heap {
    private static final double MEGABYTE = 1e6;

    private Heap() {}

    /**
     * Refuses to hold more than there is room for beside what is held already.
     *
     * @param what will be held, in the plural
     * @param bytes that it needs
     * @throws IllegalArgumentException if there is less room, naming what is needed, what is free and what there is in all
     */
    public static void require(String what, double bytes) {
        if (bytes > free()) {
            System.gc(); // what nobody holds any longer counts as held until then
        }
        require(what, bytes, free(), Runtime.getRuntime().maxMemory());
    }

    /** The same where so many bytes are free, of so many in all. */
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

    /** Bytes that Java may take for arrays of its own. */
    public static long most() {
        return Runtime.getRuntime().maxMemory();
    }

    /** Bytes that somebody holds; what nobody holds any longer is taken away before. */
    public static long held() {
        System.gc();
        return taken();
    }

    private static double free() {
        return (double) most() - taken();
    }

    /** With what the garbage collector has not taken away. */
    private static long taken() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
