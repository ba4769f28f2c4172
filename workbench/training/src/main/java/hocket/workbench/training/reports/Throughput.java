package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.workbench.terminal.NumberFormats;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures a run's time and speed: in steps of its Java turns if they report some, else in rounds. The speed counts
 * from the end of the first round: the time before is spent on opening, compiling and warming up.
 */
public final class Throughput implements Ring {
    private final LongSupplier nanos;
    private final StepCounter stepCounter = new StepCounter();
    private long startedAt;
    private @Nullable Mark first;

    /** The position at the end of its first round. */
    private record Mark(long nanos, long round, double steps) {}

    /** @param nanos a monotonic clock, such as {@link System#nanoTime} */
    public Throughput(LongSupplier nanos) {
        this.nanos = nanos;
        this.startedAt = nanos.getAsLong();
    }

    @Override
    public void run(Run run, Next next) {
        startedAt = nanos.getAsLong();
        first = null;
        next.proceed();
    }

    @Override
    public void heard(Run run, Event event) {
        event.tell(run, stepCounter);
        event.tell(run, this);
    }

    @Override
    public void roundEnded(Run run, Event.RoundEnded event) {
        if (first == null) {
            first = new Mark(nanos.getAsLong(), event.at().round(), stepCounter.taken());
        }
    }

    /**
     * Returns the steps of Java turns so far, such as {@code 12,345 of 50,000 steps}; empty if none are reported.
     *
     * @param total their number at the end of the run, if it is known
     */
    Optional<String> steps(OptionalLong total) {
        OptionalDouble now = stepCounter.now();
        if (now.isEmpty()) {
            return Optional.empty();
        }
        String of = total.isPresent() ? " of " + NumberFormats.grouped(total.getAsLong()) : "";
        return Optional.of(NumberFormats.grouped(Math.round(now.getAsDouble())) + of + " steps");
    }

    /** Returns time and speed for people, such as {@code 0:12, 83 it/s}; without the speed after one round only. */
    String text(Event.Position at) {
        long now = nanos.getAsLong();
        String taken = NumberFormats.clock((now - startedAt) * 1e-9);
        if (first == null || at.round() == first.round()) {
            return taken;
        }
        double seconds = Math.max((now - first.nanos()) * 1e-9, 1e-9);
        double counted = stepCounter.taken() - first.steps();
        return taken + ", "
                + (counted > 0
                        ? StepCounter.pace(counted / seconds)
                        : NumberFormats.rate((at.round() - first.round()) / seconds) + " it/s");
    }
}
