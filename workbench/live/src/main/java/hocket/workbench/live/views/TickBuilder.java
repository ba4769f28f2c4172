package hocket.workbench.live.views;

import hocket.workbench.training.Worker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds the ticks of a run: the changes since the last tick. Used by one caller, on the server's thread. */
public final class TickBuilder {
    private final LiveView run;
    private final Map<String, Long> points = new LinkedHashMap<>();
    private final Changed<SortedMap<String, Double>> settings = new Changed<>(new TreeMap<>());
    private final Changed<String> plan = new Changed<>("");
    private final Changed<List<Worker>> workers = new Changed<>(List.of());
    private final Changed<String> picture;
    private final Changed<String> film = new Changed<>(null);
    private final Changed<Long> checkpoint;
    private long tick;

    /** @param run its metrics, pictures and checkpoints so far do not count as new */
    public TickBuilder(LiveView run) {
        this.run = run;
        run.curves().byName().forEach((name, liveCurve) -> points.put(name, liveCurve.count()));
        picture = new Changed<>(run.picture());
        checkpoint = new Changed<>(run.seen().checkpoint());
    }

    /** A value that is sent if it has changed. */
    private static final class Changed<T> {
        private @Nullable T before;

        Changed(@Nullable T first) {
            before = first;
        }

        /** Returns the value; null if it has been sent already. */
        @Nullable
        T take(@Nullable T now) {
            boolean isNew = now != null && !Objects.equals(now, before);
            before = now;
            return isNew ? now : null;
        }
    }

    public Tick next() {
        LiveView.Seen seen = run.seen();
        RunFacts facts = seen.facts();
        return new Tick(
                "tick",
                ++tick,
                facts.progress(),
                facts.status(),
                run.turn(),
                new Tick.Figures(seen.counts(), seen.last(), series()),
                new Tick.Pictures(picture.take(run.picture()), run.drawn(), film.take(run.film())),
                run.takeLines(),
                run.takeCommands(),
                new Tick.Changes(
                        settings.take(facts.settings()),
                        plan.take(facts.plan()),
                        checkpoint.take(seen.checkpoint()),
                        workers.take(facts.workers())));
    }

    /** Returns the points since the last tick: step, value and time of each. */
    private Map<String, List<double[]>> series() {
        Map<String, List<double[]>> series = new LinkedHashMap<>();
        run.curves().byName().forEach((name, liveCurve) -> {
            LiveCurve.Points after = liveCurve.after(points.getOrDefault(name, 0L));
            points.put(name, after.total());
            List<double[]> triples = new ArrayList<>();
            for (int i = 0; i < after.steps().length; i++) {
                triples.add(new double[] {after.steps()[i], after.values()[i], after.times()[i]});
            }
            if (!triples.isEmpty()) {
                series.put(name, triples);
            }
        });
        return series;
    }
}
