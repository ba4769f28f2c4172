package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.workbench.terminal.NumberFormats;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The actors that a Java turn learns from, as it reports them: their number and how far they lag. */
final class ActorStatus implements Event.Listener {
    private static final String ACTORS = "actors";
    private static final int LAG_OVER = 50;

    private Event.@Nullable Acted last;

    @Override
    public void acted(Run run, Event.Acted acted) {
        if (acted.metrics().names().contains(ACTORS)) {
            last = acted;
        }
    }

    /** Returns a part of the progress line; empty if there are no actors. */
    List<String> figures(Scheduler scheduler) {
        Event.Acted acted = last;
        if (acted == null) {
            return List.of();
        }
        String lag = scheduler.average(acted.turn() + "/lag", LAG_OVER).stream()
                .mapToObj(value -> " lag " + NumberFormats.shortly(value))
                .collect(Collectors.joining());
        return List.of(ACTORS + " " + Math.round(acted.metrics().get(ACTORS)) + lag);
    }
}
