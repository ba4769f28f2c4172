package hocket.rl.envs;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures the heap bytes that this thread allocates while an action runs. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    public static long of(Runnable action) {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        action.run();
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }
}
