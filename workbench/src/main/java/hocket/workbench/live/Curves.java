package hocket.workbench.live;

import hocket.workbench.json.MetricLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The curves of a run by their names, such as {@code d/loss}, in the order in which they came. Any thread. */
final class Curves {
    private final Map<String, Curve> all = Collections.synchronizedMap(new LinkedHashMap<>());

    /**
     * What a run wrote down.
     *
     * @throws IllegalArgumentException if the file is damaged, naming file and line
     */
    static Curves of(Path metrics) {
        Curves curves = new Curves();
        if (Files.exists(metrics)) {
            MetricLines.read(
                    metrics, metric -> curves.add(metric.turn() + "/" + metric.name(), metric.step(), metric.value()));
        }
        return curves;
    }

    void add(String name, long step, double value) {
        all.computeIfAbsent(name, key -> new Curve()).add(step, value);
    }

    /** As they are now. */
    Map<String, Curve> byName() {
        synchronized (all) {
            return new LinkedHashMap<>(all);
        }
    }
}
