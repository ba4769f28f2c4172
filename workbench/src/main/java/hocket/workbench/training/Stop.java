package hocket.workbench.training;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Whether a run was asked to end early: by Ctrl-C, or by the system. The first request lets it finish its round and save;
 * the second ends the process.
 */
public final class Stop implements AutoCloseable {
    private static final List<String> SIGNALS = List.of("INT", "TERM");
    private static final int SIGNAL_STATUS = 128;

    private record Before(Signal signal, SignalHandler handler) {}

    private final AtomicInteger number = new AtomicInteger();
    private final List<Before> before = new ArrayList<>();

    /** Listens to the process's signals until it is closed. */
    public static Stop onSignals() {
        Stop stop = new Stop();
        for (String name : SIGNALS) {
            Signal signal = new Signal(name);
            try {
                stop.before.add(new Before(signal, Signal.handle(signal, s -> stop.request(s.getNumber()))));
            } catch (IllegalArgumentException ignored) {
                // The JVM was told to leave signals alone (-Xrs): then they end the process at once.
            }
        }
        return stop;
    }

    /** Asks the run to end, as the signal of this number does. */
    public void request(int signal) {
        if (!number.compareAndSet(0, signal)) {
            Runtime.getRuntime().halt(SIGNAL_STATUS + signal);
        }
    }

    boolean isRequested() {
        return number.get() != 0;
    }

    /** The exit status of a process that a signal ended: 130 after Ctrl-C. */
    int status() {
        return SIGNAL_STATUS + number.get();
    }

    @Override
    public void close() {
        before.forEach(b -> Signal.handle(b.signal(), b.handler()));
    }
}
