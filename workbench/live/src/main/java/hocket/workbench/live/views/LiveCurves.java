package hocket.workbench.live.views;

import hocket.schedulers.Event;
import hocket.workbench.runs.json.MetricLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The curves of a run by name, such as {@code d/loss}, in the order of their first points. Used by any thread. */
public final class LiveCurves {
    private volatile Event.Position last = new Event.Position(0, 0, 0);
    private final MetricLines.Tail tail = new MetricLines.Tail();
    private final Map<String, LiveCurve> all = Collections.synchronizedMap(new LinkedHashMap<>());

    /**
     * Reads the curves of a metrics file.
     *
     * @throws IllegalArgumentException if the file is damaged, naming file and line
     */
    static LiveCurves of(Path metrics) {
        LiveCurves liveCurves = new LiveCurves();
        liveCurves.extend(metrics);
        return liveCurves;
    }

    /** Adds what a metrics file has gained since it was read last. Throws as {@link #of}; for one thread at a time. */
    void extend(Path metrics) {
        if (Files.exists(metrics)) {
            tail.read(metrics, metric -> {
                add(metric.path(), metric.step(), metric.value(), metric.time());
                last = new Event.Position(metric.step(), metric.round(), metric.epoch());
            });
        }
    }

    /** Returns how many bytes of its metrics file have been read. */
    long read() {
        return tail.bytes();
    }

    /** Returns the position of the run at its last recorded metric; the beginning before the first. */
    Event.Position last() {
        return last;
    }

    public void add(String name, long step, double value, double time) {
        all.computeIfAbsent(name, key -> new LiveCurve()).add(step, value, time);
    }

    /** Returns a copy of the curves. */
    public Map<String, LiveCurve> byName() {
        synchronized (all) {
            return new LinkedHashMap<>(all);
        }
    }
}
