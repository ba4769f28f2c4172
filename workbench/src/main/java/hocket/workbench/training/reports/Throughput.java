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
 * How long a run has taken, and how fast it went: in steps of its turns of Java where they count some, else in rounds. How
 * fast counts from the end of the first round on: what is opened, compiled and warmed up before says nothing of the others.
 */
public final class Throughput implements Ring {
    private final LongSupplier nanos;
    private final StepCounter stepCounter = new StepCounter();
    private long startedAt;
    private @Nullable Mark first;

    /** Where its first round had ended. */
    private record Mark(long nanos, long round, double steps) {}

    /** @param nanos a clock that never goes back, such as {@link System#nanoTime} */
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
     * Steps of turns of Java so far, such as {@code 12,345 of 50,000 steps}; empty where none are reported.
     *
     * @param total how many there are to be, where that is known
     */
    Optional<String> steps(OptionalLong total) {
        OptionalDouble now = stepCounter.now();
        if (now.isEmpty()) {
            return Optional.empty();
        }
        String of = total.isPresent() ? " of " + NumberFormats.grouped(total.getAsLong()) : "";
        return Optional.of(NumberFormats.grouped(Math.round(now.getAsDouble())) + of + " steps");
    }

    /** For people, such as {@code 0:12, 83 it/s}; without how fast, where there was no more than one round. */
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
