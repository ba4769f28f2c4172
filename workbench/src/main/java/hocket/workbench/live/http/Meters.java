package hocket.workbench.live.http;

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
 * What Prometheus is told: a run that trains here, this process, and who asks it. All of a run is what its training thread left
 * last, from one moment. What is not known is NaN. Any thread, one at a time.
 */
final class Meters implements AutoCloseable {
    /** Of a kind; Prometheus keeps each for weeks. */
    private static final int MOST_SERIES = 1000;

    /** Of Micrometer's own, what Prometheus' {@code promtool check metrics} objects to. */
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
     * All of it in Prometheus' text format, version 0.0.4.
     *
     * @param run that trains here; null where none does
     * @param watching by WebSocket
     * @param answered requests by the status of their answer
     */
    synchronized String scrape(@Nullable LiveView run, int watching, Map<Integer, LongAdder> answered) {
        if (run != null) {
            LiveView.Seen seen = run.seen();
            Tags tags = Tags.of("run", run.id());
            place(tags, seen);
            figures(tags, run, seen);
            workers(tags, seen.facts().workers());
            feeds(tags, run.feeds());
        }
        gauge("hocket.websocket.clients", null, "Who watches by WebSocket", List.of(Row.of(Tags.empty(), watching)));
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
        one("hocket.progress", "ratio", "How much of the phase's budget is done", tags, far.done());
        one("hocket.rounds.per.second", null, "Rounds a second, over the last seconds", tags, far.roundsPerSecond());
        one("hocket.remaining", "seconds", "Time left of the phase", tags, far.secondsLeft());
        one("hocket.checkpoint.step", null, "Turns of the newest checkpoint", tags, seen.checkpoint());
        gauge(
                "hocket.status",
                null,
                "What the run does: 1 for that, 0 for the others",
                Arrays.stream(RunStatus.values())
                        .map(RunStatus::word)
                        .<Row<?>>map(word -> Row.of(tags.and("status", word), word.equals(facts.status()) ? 1 : 0))
                        .toList());
        counts = seen.counts();
        counts.keySet()
                .forEach(turn -> counter(
                        "hocket.turns",
                        "How often each turn was taken",
                        tags.and("turn", turn),
                        this,
                        meters -> meters.counts.getOrDefault(turn, 0L)));
    }

    private void figures(Tags tags, LiveView run, LiveView.Seen seen) {
        for (String name : List.of("loss", "gradient_norm")) {
            List<Row<?>> rows = new ArrayList<>();
            seen.facts().turns().forEach(turn -> {
                Double value = seen.last().get(turn.name() + "/" + name);
                if (value != null) {
                    rows.add(Row.of(tags.and("turn", turn.name()), value));
                }
            });
            gauge("hocket." + name, null, "Of the last turn: " + name.replace('_', ' '), rows);
        }
        gauge(
                "hocket.figure",
                null,
                "The newest of each series in metrics.jsonl",
                run.curves().byName().entrySet().stream()
                        .limit(MOST_SERIES)
                        .<Row<?>>map(series -> Row.of(
                                tags.and("series", series.getKey()),
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

    /** What is not known of one is left out. */
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
        of(all, tags, "lag.turns", null, "Turns behind the worker that is ahead", Worker::lag);
        of(all, tags, "waits", "ratio", "Which part of its time it is in exchanges", Worker::waits);
        of(all, tags, "heard", "seconds", "How long ago it answered", Worker::heard);
        of(all, tags, "trouble", null, "1 of one that is silent, waits long or is waited for", Meters::trouble);
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
            counter("hocket.feed.rows", "Rows that have come from outside", of, queue, DurableQueue::end);
        });
        gauge("hocket.feed.rows.waiting", null, "Rows that were not trained on yet", waiting);
        gauge("hocket.feed.rows.capacity", null, "Rows that may wait", capacity);
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
