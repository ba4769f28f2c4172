package hocket.workbench.live;

import hocket.schedulers.Event;
import hocket.workbench.json.MetricLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The curves of a run by their names, such as {@code d/loss}, in the order in which they came. Any thread. */
final class Curves {
    private volatile Event.Position last = new Event.Position(0, 0, 0);
    private final Map<String, Curve> all = Collections.synchronizedMap(new LinkedHashMap<>());

    /**
     * What a run wrote down.
     *
     * @throws IllegalArgumentException if the file is damaged, naming file and line
     */
    static Curves of(Path metrics) {
        Curves curves = new Curves();
        if (Files.exists(metrics)) {
            MetricLines.readDrawn(metrics, metric -> {
                curves.add(metric.path(), metric.step(), metric.value(), metric.time());
                curves.last = new Event.Position(metric.step(), metric.round(), metric.epoch());
            });
        }
        return curves;
    }

    /** Where the run was when it wrote down its last figure; the beginning before the first, and for figures that came otherwise. */
    Event.Position last() {
        return last;
    }

    void add(String name, long step, double value, double time) {
        all.computeIfAbsent(name, key -> new Curve()).add(step, value, time);
    }

    /** As they are now. */
    Map<String, Curve> byName() {
        synchronized (all) {
            return new LinkedHashMap<>(all);
        }
    }
}
