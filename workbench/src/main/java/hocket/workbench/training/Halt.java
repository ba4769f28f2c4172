package hocket.workbench.training;

import hocket.programs.execution.KeyValueStore;
import java.util.concurrent.atomic.AtomicBoolean;

/** How a process ends that has joined a key-value store: native threads are left that would hold up, or abort, an ordinary end. */
public final class Halt {
    private static final AtomicBoolean NEEDED = new AtomicBoolean();

    private Halt() {}

    /** From now on this process can end only at once. */
    public static void need() {
        NEEDED.set(true);
    }

    /** Whether this process can end only at once, without what a Java process does at its end otherwise. */
    public static boolean isNeeded() {
        return NEEDED.get();
    }

    /** Ends this process at once. */
    public static void end(int status) {
        if (isNeeded()) {
            KeyValueStore.endProcess(status);
        }
        Runtime.getRuntime().halt(status);
    }
}
