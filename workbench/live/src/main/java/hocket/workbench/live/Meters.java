package hocket.workbench.live;

import hocket.schedulers.Event;
import hocket.workbench.live.views.LiveView;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.live.views.RunStatus;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.training.Worker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Metrics for Prometheus: the run that trains here, this process, and its requests. All values of a run are of one
 * moment, as its training thread left them. An unknown value is NaN. Used by any thread, one at a time.
 */
final class Meters implements AutoCloseable {
    /** The largest number of series of a kind; Prometheus keeps each for weeks. */
    private static final int MOST_SERIES = 1000;

    /** Micrometer's own metrics that Prometheus' {@code promtool check metrics} rejects. */
    private static final List<String> ILL_NAMED = List.of("process.cpu.time", "system.cpu.count");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics pauses = new JvmGcMetrics();
    private final Map<String, MultiGauge> gauges = new HashMap<>();
    private final Set<String> counters = new HashSet<>();
    private Map<String, Long> counts = Map.of();
    private List<Worker> workers = List.of();

    Meters() {
        ILL_NAMED.forEach(name -> registry.config().meterFilter(MeterFilter.denyNameStartsWith(name)));
        new JvmInfoMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        pauses.bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
    }

    /**
     * Returns all metrics in Prometheus' text format, version 0.0.4.
     *
     * @param run the run that trains here; null if none does
     * @param watching number of WebSocket watchers
     * @param answered number of requests by the status of their answer
     */
    synchronized String scrape(@Nullable LiveView run, int watching, Map<Integer, LongAdder> answered) {
        if (run != null) {
            LiveView.Seen seen = run.seen();
            Tags tags = Tags.of("run", run.id());
            place(tags, seen);
            metrics(tags, run, seen);
            workers(tags, seen.facts().workers());
            feeds(tags, run.feeds());
        }
        gauge(
                "hocket.websocket.clients",
                null,
                "WebSocket clients that watch",
                List.of(Row.of(Tags.empty(), watching)));
        answered.forEach((status, count) -> counter(
                "hocket.http.requests",
                "Requests that were answered",
                Tags.of("status", Integer.toString(status)),
                count,
                LongAdder::sum));
        return registry.scrape();
    }

    private void place(Tags tags, LiveView.Seen seen) {
        RunFacts facts = seen.facts();
        Event.Position at = facts.at();
        RunFacts.Progress far = facts.progress();
        one("hocket.step", null, "Turns taken so far", tags, at.step());
        one("hocket.round", null, "Rounds completed so far", tags, at.round());
        one("hocket.epoch", null, "Epochs of the first feed so far", tags, at.epoch());
        one("hocket.progress", "ratio", "Fraction of the phase's budget that is done", tags, far.done());
        one("hocket.rounds.per.second", null, "Rounds a second, over the last seconds", tags, far.roundsPerSecond());
        one("hocket.remaining", "seconds", "Time left of the phase", tags, far.secondsLeft());
        one("hocket.checkpoint.step", null, "Turns of the newest checkpoint", tags, seen.checkpoint());
        gauge(
                "hocket.status",
                null,
                "Status of the run: 1 for the current one, 0 for the others",
                Arrays.stream(RunStatus.values())
                        .map(RunStatus::word)
                        .<Row<?>>map(word -> Row.of(tags.and("status", word), word.equals(facts.status()) ? 1 : 0))
                        .toList());
        counts = seen.counts();
        counts.keySet()
                .forEach(turn -> counter(
                        "hocket.turns",
                        "Number of times each turn was taken",
                        tags.and("turn", turn),
                        this,
                        meters -> meters.counts.getOrDefault(turn, 0L)));
    }

    private void metrics(Tags tags, LiveView run, LiveView.Seen seen) {
        for (String name : List.of("loss", "gradient_norm")) {
            List<Row<?>> rows = new ArrayList<>();
            seen.facts().turns().forEach(turn -> {
                Double value = seen.last().get(turn.name() + "/" + name);
                if (value != null) {
                    rows.add(Row.of(tags.and("turn", turn.name()), value));
                }
            });
            gauge("hocket." + name, null, "Metric of the last turn: " + name.replace('_', ' '), rows);
        }
        gauge(
                "hocket.metric",
                null,
                "Newest value of each metric in metrics.jsonl",
                run.curves().byName().entrySet().stream()
                        .limit(MOST_SERIES)
                        .<Row<?>>map(series -> Row.of(
                                tags.and("metric", series.getKey()),
                                series.getValue().last()))
                        .toList());
        gauge(
                "hocket.setting",
                null,
                "Settings of the turns' rules",
                seen.facts().settings().entrySet().stream()
                        .limit(MOST_SERIES)
                        .<Row<?>>map(setting -> Row.of(tags.and("setting", setting.getKey()), setting.getValue()))
                        .toList());
    }

    /** Unknown values are left out. */
    private void workers(Tags tags, List<Worker> all) {
        if (all.isEmpty()) {
            return;
        }
        workers = all;
        for (Worker each : all) {
            if (each.turns() != null) {
                counter(
                        "hocket.worker.turns",
                        "Turns of each worker so far",
                        tags.and("rank", Integer.toString(each.rank())),
                        this,
                        meters -> meters.turns(each.rank()));
            }
        }
        of(all, tags, "turns.per.second", null, "Turns a second, over the last seconds", Worker::turnsPerSecond);
        of(all, tags, "lag.turns", null, "Turns behind the most advanced worker", Worker::lag);
        of(all, tags, "waits", "ratio", "Fraction of its time spent in exchanges", Worker::waits);
        of(all, tags, "heard", "seconds", "Time since its last answer", Worker::heard);
        of(all, tags, "trouble", null, "1 if the worker is silent, waits long or is waited for", Meters::trouble);
    }

    private double turns(int rank) {
        Long turns = workers.get(rank).turns();
        return turns == null ? 0 : turns;
    }

    private static Number trouble(Worker worker) {
        return worker.trouble() == null ? 0 : 1;
    }

    private void of(
            List<Worker> all,
            Tags tags,
            String name,
            @Nullable String unit,
            String help,
            Function<Worker, @Nullable Number> figure) {
        List<Row<?>> rows = new ArrayList<>();
        for (Worker each : all) {
            Number value = figure.apply(each);
            if (value != null) {
                rows.add(Row.of(tags.and("rank", Integer.toString(each.rank())), value));
            }
        }
        gauge("hocket.worker." + name, unit, help, rows);
    }

    private void feeds(Tags tags, Map<String, DurableQueue> feeds) {
        List<Row<?>> waiting = new ArrayList<>();
        List<Row<?>> capacity = new ArrayList<>();
        feeds.forEach((name, queue) -> {
            Tags of = tags.and("feed", name);
            waiting.add(Row.of(of, queue.waiting()));
            capacity.add(Row.of(of, queue.capacity()));
            counter("hocket.feed.rows", "Rows received from outside", of, queue, DurableQueue::end);
        });
        gauge("hocket.feed.rows.waiting", null, "Rows not trained on yet", waiting);
        gauge("hocket.feed.rows.capacity", null, "Capacity of waiting rows", capacity);
    }

    private void one(String name, @Nullable String unit, String help, Tags tags, @Nullable Number value) {
        gauge(name, unit, help, List.of(Row.of(tags, Objects.requireNonNullElse(value, Double.NaN))));
    }

    private void gauge(String name, @Nullable String unit, String help, List<Row<?>> rows) {
        gauges.computeIfAbsent(
                        name,
                        key -> MultiGauge.builder(name)
                                .baseUnit(unit)
                                .description(help)
                                .register(registry))
                .register(rows, true);
    }

    private <T> void counter(String name, String help, Tags tags, T of, ToDoubleFunction<T> count) {
        if (counters.add(name + tags)) {
            FunctionCounter.builder(name, of, count)
                    .tags(tags)
                    .description(help)
                    .register(registry);
        }
    }

    @Override
    public void close() {
        pauses.close();
        registry.close();
    }
}
