package hocket.workbench.training;

import hocket.programs.execution.KeyValueStore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ends a process that has joined a key-value store: its native threads would delay or abort an ordinary exit. */
public final class ProcessHalt {
    private static final AtomicBoolean NEEDED = new AtomicBoolean();

    private ProcessHalt() {}

    /** Marks this process as one that can end only at once. */
    public static void need() {
        NEEDED.set(true);
    }

    /** Returns whether this process can end only at once, without Java's shutdown hooks. */
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
