package hocket.workbench.training;

import hocket.workbench.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Whether a run was asked to end early: by Ctrl-C, by the system, or by a terminal that went away. Who asks is answered at
 * once: the first request lets what is being done end and save, the second ends the process and says what that loses. A
 * terminal that goes away asks several times, and nobody meant that: only Ctrl-C and the system ask a second time.
 */
public final class StopRequest implements AutoCloseable {
    private static final List<String> SIGNALS = List.of("INT", "TERM", "HUP");
    /** What the system asks by. */
    public static final int TERMINATED = 15;

    private static final int HANG_UP = 1;
    private static final int SIGNAL_STATUS = 128;
    private static final int FAILED = 1;
    private static final int BY_COMMAND = -SIGNAL_STATUS;
    private static final long LONGEST_ANSWER_MILLIS = 1000;

    /** What is being done, for who asks it to end. Asked by the thread of a signal. */
    public interface Stage {
        /** What a first request leads to; empty if there is nothing to wait for, and it ends the process. */
        List<String> first();

        /** What the process leaves when it ends at once. */
        String atOnce();

        /** Ends at once what the process has begun elsewhere, before it ends itself. */
        default void end() {}
    }

    /** Nothing that could be lost. */
    private record AtRest(String atOnce) implements Stage {
        @Override
        public List<String> first() {
            return List.of();
        }
    }

    private record Before(Signal signal, SignalHandler handler) {}

    private volatile Stage stage = new AtRest("stopped before anything was trained");

    /** Whoever ends the process while it is listened for, such as a class of a user's own, ends a run that has not ended. */
    private final Thread exit = new Thread(
            () -> endAtOnce(FAILED, "a class that it runs ended the process by System.exit; " + stage.atOnce()),
            "exit amid a run");

    private volatile @Nullable BooleanSupplier agreement;

    private final AtomicInteger number = new AtomicInteger();
    private final List<Before> before = new ArrayList<>();
    private final Consumer<String> person;
    private final Consumer<String> remark;
    private final IntConsumer end;

    /**
     * @param person takes what a request leads to
     * @param remark takes what is lost
     * @param end ends the process with a status
     */
    public StopRequest(Consumer<String> person, Consumer<String> remark, IntConsumer end) {
        this.person = person;
        this.remark = remark;
        this.end = end;
    }

    /** Listens to no signal, says nothing, and leaves the process alone: what is asked before a run begins stops it there. */
    public StopRequest() {
        this(line -> {}, line -> {}, status -> {});
    }

    /**
     * Listens to the process's signals until it is closed.
     *
     * @param quiet whether only what is lost is said
     */
    public static StopRequest onSignals(Terminal terminal, boolean quiet) {
        Consumer<String> last = line -> {
            terminal.remark(line);
            terminal.close();
        };
        StopRequest stopRequest = new StopRequest(quiet ? line -> {} : terminal::remark, last, Halt::end);
        for (String name : SIGNALS) {
            Signal signal = new Signal(name);
            try {
                stopRequest.before.add(
                        new Before(signal, Signal.handle(signal, s -> stopRequest.request(s.getNumber()))));
            } catch (IllegalArgumentException ignored) {
                // The JVM was told to leave signals alone (-Xrs): then they end the process at once.
            }
        }
        Runtime.getRuntime().addShutdownHook(stopRequest.exit);
        return stopRequest;
    }

    /** Says what is being done from now on. */
    public void at(Stage now) {
        stage = now;
    }

    /**
     * Says that nothing is being done from now on that could be lost: a first request ends the process.
     *
     * @param atOnce what is said then
     */
    public void atRest(String atOnce) {
        stage = new AtRest(atOnce);
    }

    /** Asks the run to end, as the signal of this number does. */
    public void request(int signal) {
        Stage now = stage;
        boolean isFirst = number.compareAndSet(0, signal);
        if (!isFirst && signal == HANG_UP) {
            return;
        }
        List<String> first = isFirst ? now.first() : List.of();
        if (first.isEmpty()) {
            endAtOnce(SIGNAL_STATUS + signal, now.atOnce());
        } else {
            first.forEach(person);
        }
    }

    /** Asks the run to end, as a command of a person does: it ends well. */
    public void requestByCommand() {
        number.compareAndSet(0, BY_COMMAND);
    }

    /** Ends also where nobody reads what is said, and it would be waited for. */
    private void endAtOnce(int status, String why) {
        stage.end();
        Thread saying = new Thread(() -> remark.accept("hocket: " + why), "last words");
        saying.setDaemon(true);
        saying.start();
        try {
            saying.join(LONGEST_ANSWER_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end.accept(status);
    }

    /** Whether the run is to end. */
    public boolean isRequested() {
        BooleanSupplier by = agreement;
        return by == null ? isAsked() : by.getAsBoolean();
    }

    /** Whether this process was asked to end. */
    public boolean isAsked() {
        return number.get() != 0;
    }

    /** From now on the run ends when several processes have agreed on it, whichever of them was asked. */
    public void agreedBy(BooleanSupplier all) {
        agreement = all;
    }

    /** The exit status of a process that a signal ended, 130 after Ctrl-C; 0 after a command, 143 where another process of the run was asked. */
    public int status() {
        return SIGNAL_STATUS + (number.get() == 0 ? TERMINATED : number.get());
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(exit);
        } catch (IllegalStateException ignored) {
            // it is being ended
        }
        before.forEach(b -> Signal.handle(b.signal(), b.handler()));
    }
}
