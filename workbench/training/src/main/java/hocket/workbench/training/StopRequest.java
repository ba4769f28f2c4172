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
 * A request to end a run early, by Ctrl-C, by the system, or by a terminal that was closed. The first request finishes
 * the current work and saves it; the second ends the process and says what is lost. A closed terminal sends several
 * signals; only Ctrl-C and the system count as a second request.
 */
public final class StopRequest implements AutoCloseable {
    private static final List<String> SIGNALS = List.of("INT", "TERM", "HUP");
    /** The signal of the system. */
    public static final int TERMINATED = 15;

    private static final int HANG_UP = 1;
    private static final int SIGNAL_STATUS = 128;
    private static final int FAILED = 1;
    private static final int BY_COMMAND = -SIGNAL_STATUS;
    private static final long LONGEST_ANSWER_MILLIS = 1000;

    /** A description of the current work for the person who asks it to end. Called by the thread of a signal. */
    public interface Stage {
        /** Returns what a first request does; empty if it ends the process immediately. */
        List<String> first();

        /** Returns what the process leaves on the disk when it ends at once. */
        String atOnce();

        /** Ends at once all work that the process has started elsewhere, before it ends itself. */
        default void end() {}
    }

    /** Work without anything to lose. */
    private record AtRest(String atOnce) implements Stage {
        @Override
        public List<String> first() {
            return List.of();
        }
    }

    private record Before(Signal signal, SignalHandler handler) {}

    private volatile Stage stage = new AtRest("stopped before anything was trained");

    /** Code that ends the process while it is listened for, such as a user's class, ends an unfinished run. */
    private final Thread exit = new Thread(
            () -> endAtOnce(FAILED, "user code ended the process by System.exit; " + stage.atOnce()),
            "exit amid a run");

    private volatile @Nullable BooleanSupplier agreement;

    private final AtomicInteger number = new AtomicInteger();
    private final List<Before> before = new ArrayList<>();
    private final Consumer<String> person;
    private final Consumer<String> remark;
    private final IntConsumer end;

    /**
     * @param person receives what a request does
     * @param remark receives what is lost
     * @param end ends the process with a status
     */
    public StopRequest(Consumer<String> person, Consumer<String> remark, IntConsumer end) {
        this.person = person;
        this.remark = remark;
        this.end = end;
    }

    /** Returns a request that listens to no signal, prints nothing and never ends the process. */
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
        StopRequest stopRequest = new StopRequest(quiet ? line -> {} : terminal::remark, last, ProcessHalt::end);
        for (String name : SIGNALS) {
            try {
                Signal signal = new Signal(name);
                stopRequest.before.add(
                        new Before(signal, Signal.handle(signal, s -> stopRequest.request(s.getNumber()))));
            } catch (IllegalArgumentException ignored) {
                // The system has no such signal, as Windows, or the JVM does not handle it (-Xrs): then it ends the
                // process.
            }
        }
        Runtime.getRuntime().addShutdownHook(stopRequest.exit);
        return stopRequest;
    }

    /** Sets the description of the current work. */
    public void at(Stage now) {
        stage = now;
    }

    /**
     * Marks that there is nothing to lose: a first request ends the process.
     *
     * @param atOnce the line that is printed then
     */
    public void atRest(String atOnce) {
        stage = new AtRest(atOnce);
    }

    /** Asks the run to end, like the signal of this number. */
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

    /** Asks the run to end, like a person's command: the exit status is 0. */
    public void requestByCommand() {
        number.compareAndSet(0, BY_COMMAND);
    }

    /** Ends the process even if nobody reads its output. */
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

    /** Returns whether the run is to end. */
    public boolean isRequested() {
        BooleanSupplier by = agreement;
        return by == null ? isAsked() : by.getAsBoolean();
    }

    /** Returns whether this process was asked to end. */
    public boolean isAsked() {
        return number.get() != 0;
    }

    /** Lets the run end only when several processes have agreed on it, whichever of them was asked. */
    public void agreedBy(BooleanSupplier all) {
        agreement = all;
    }

    /**
     * Returns the exit status of a process that a signal ended: 130 after Ctrl-C, 0 after a command, 143 if another
     * process of the run was asked.
     */
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
