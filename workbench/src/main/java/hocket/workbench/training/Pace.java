package hocket.workbench.training;

import hocket.schedulers.Event;
import hocket.schedulers.Rest;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.workbench.terminal.Figures;
import java.util.function.LongSupplier;

/** How long a run has taken, and how fast it went: in steps of its turns of Java where they count some, else in rounds. */
final class Pace implements Ring {
    private final LongSupplier nanos;
    private final Steps steps = new Steps();
    private long startedAt;
    private long roundAtStart;

    /** @param nanos a clock that never goes back, such as {@link System#nanoTime} */
    Pace(LongSupplier nanos) {
        this.nanos = nanos;
        this.startedAt = nanos.getAsLong();
    }

    @Override
    public void run(Run run, Rest rest) {
        startedAt = nanos.getAsLong();
        roundAtStart = run.position().round();
        rest.go();
    }

    @Override
    public void heard(Run run, Event event) {
        steps.accept(event);
    }

    /** For people, such as {@code 0:12, 83 it/s}. */
    String text(Event.Position at) {
        double seconds = (nanos.getAsLong() - startedAt) * 1e-9;
        double done = steps.taken() > 0 ? steps.taken() : at.round() - roundAtStart;
        double rate = done / Math.max(seconds, 1e-9);
        return Figures.clock(seconds) + ", " + (steps.taken() > 0 ? Steps.pace(rate) : Figures.rate(rate) + " it/s");
    }
}
