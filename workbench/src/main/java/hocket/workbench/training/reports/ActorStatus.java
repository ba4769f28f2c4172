package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.workbench.terminal.NumberFormats;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a turn of Java reports of actors elsewhere, from which it learns: how many there are, and how far they are behind. */
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

    /** For a line of progress; none where there are no actors. */
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
