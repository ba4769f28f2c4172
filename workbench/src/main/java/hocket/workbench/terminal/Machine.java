package hocket.workbench.terminal;

import com.sun.management.OperatingSystemMXBean;
import hocket.scopes.Heap;
import java.lang.management.ManagementFactory;

/** What this program runs on. */
public final class Machine {
    private Machine() {}

    /** Bytes of memory that it has, or that this process may have of it. */
    public static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Heap.most();
    }
}
