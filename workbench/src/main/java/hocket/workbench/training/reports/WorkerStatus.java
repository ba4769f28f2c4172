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
 * How the workers of a run of several processes are, in few words for a line of progress: how many turns the last is behind, if
 * it is, and which part of their time they are in exchanges.
 */
public record WorkerStatus(Supplier<List<Worker>> workers) {
    /** Nothing where there are none, or nothing is known of them. */
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
