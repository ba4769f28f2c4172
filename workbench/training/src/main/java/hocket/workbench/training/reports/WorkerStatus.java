package hocket.workbench.training.reports;

import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.training.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The workers of a multi-process run as a part of the progress line: how many turns the last one lags, and the fraction
 * of time spent in exchanges.
 */
public record WorkerStatus(Supplier<List<Worker>> workers) {
    /** Returns the part; empty if there are no workers or nothing is known of them. */
    List<String> figures() {
        List<Worker> now = workers.get();
        List<String> figures = new ArrayList<>();
        OptionalLong lag = now.stream()
                .flatMap(worker -> Stream.ofNullable(worker.lag()))
                .mapToLong(Long::longValue)
                .filter(turns -> turns > 0)
                .max();
        OptionalDouble waits = now.stream()
                .flatMap(worker -> Stream.ofNullable(worker.waits()))
                .mapToDouble(Double::doubleValue)
                .average();
        lag.ifPresent(turns -> figures.add("lag " + NumberFormats.briefly(turns)));
        waits.ifPresent(part -> figures.add("waits " + NumberFormats.percent(part)));
        return figures;
    }
}
