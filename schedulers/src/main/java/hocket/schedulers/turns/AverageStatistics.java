package hocket.schedulers.turns;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.operators.BatchNorm;
import hocket.schedulers.Turn;
import hocket.scopes.Device;
import hocket.scopes.Mapping;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The batch-norm statistics of one turn's averages, estimated over separate batches (Izmailov et al. 2018, section 3;
 * Wu and Johnson 2021): the running statistics of the followed network fit its weights, not their average. A batch is
 * as many rows as a turn trains on; its noise follows from seed, path and the batch's number, its rows come from the
 * beginning of the sources. So the estimate depends on weights and seed alone. The store holds it only during a read;
 * training continues with the copies.
 */
public final class AverageStatistics implements AutoCloseable {
    /** The source of the batches for an estimate. */
    @FunctionalInterface
    public interface Batches {
        /**
         * Returns batches from the first on; empty where there are none.
         *
         * @param turn the turn whose batches are used
         * @param program the program that is fed, a part of the turn's program
         */
        Optional<Supplier<Feeds>> of(BoundDescend turn, Program program);
    }

    /** A program that computes batch norms with averaged weights, and the statistics of these. */
    private record Measured(
            BoundDescend turn, BoundProgram program, List<Parameters.Cell> read, Map<Path, Estimated> statistics) {}

    /** The summed moments of one statistic. */
    private static final class Sum {
        private final double[] values;
        private int count;

        Sum(int channels) {
            values = new double[channels];
        }

        void add(double[] batch) {
            for (int i = 0; i < values.length; i++) {
                values[i] += batch[i];
            }
            count++;
        }
    }

    /** A statistic's array, its estimate, and the copy that training uses. */
    private static final class Estimated {
        private final Parameters.Cell cell;
        private final Device.Array estimate;
        private final Device.Array kept;

        /** The write counts of all arrays that the estimate was made from. */
        private long versions = -1;

        Estimated(Parameters.Cell cell) {
            this.cell = cell;
            Device.Array of = cell.array();
            this.estimate = of.alike();
            this.kept = of.alike();
        }

        void set(Sum sum, long now) {
            versions = now;
            double[] means =
                    Arrays.stream(sum.values).map(value -> value / sum.count).toArray();
            estimate.write(
                    Tensor.rounded(estimate.shape(), estimate.type(), means).buffer());
        }

        void in() {
            kept.write(cell.buffer());
            cell.lend(estimate.buffer());
        }

        void out() {
            cell.lend(kept.buffer());
        }

        void close() {
            estimate.close();
            kept.close();
        }
    }

    private final Turn.Follow turn;
    private final Batches batches;
    private final List<Measured> measured = new ArrayList<>();
    private final List<Estimated> written = new ArrayList<>();
    private int readers;

    private AverageStatistics(Turn.Follow turn, Batches batches) {
        this.turn = turn;
        this.batches = batches;
    }

    /**
     * Makes the statistics of a turn's averages, for batch norms in programs that turns train.
     *
     * @param descending the turns that train
     */
    static AverageStatistics of(
            Turn.Follow turn, List<BoundDescend> descending, Parameters parameters, int threads, Batches batches) {
        AverageStatistics all = new AverageStatistics(turn, batches);
        if (turn.decay() > 0 && turn.statisticsBatches() > 0) { // a copy has the statistics of what it copies
            Set<Path> wanted = new HashSet<>();
            Selection.of(turn.from()).of(parameters.declarations()).keySet().forEach(wanted::add);
            descending.forEach(trained -> all.measure(trained, wanted, parameters, threads));
        }
        return all;
    }

    private void measure(BoundDescend trained, Set<Path> wanted, Parameters parameters, int threads) {
        Program program = trained.program().program();
        List<Value> norms = program.batchNormsOwnedBy(trained.program().gradients()).stream()
                .filter(norm -> wanted.contains(program.stored(mean(norm))))
                .toList();
        if (norms.isEmpty()) {
            return;
        }
        Program averaged = Program.compile(turn.name(), Mode.TRAIN, norms.toArray(Value[]::new));
        for (Mapping mapping : program.mappings()) {
            averaged = averaged.readingAll(mapping);
        }
        averaged = averaged.readingAll(turn.mapping());
        Map<Path, Estimated> statistics = new TreeMap<>();
        for (Value norm : norms) {
            wanted.remove(program.stored(mean(norm)));
            for (int position : new int[] {BatchNorm.MEAN, BatchNorm.VARIANCE}) {
                Path path = averaged.stored(norm.inputs().get(position).path());
                statistics.put(path, new Estimated(parameters.cell(path)));
            }
        }
        List<Parameters.Cell> read =
                averaged.parameters().keySet().stream().map(parameters::cell).toList();
        BoundProgram bound = BoundProgram.measuring(
                averaged, parameters, Lowering.of(averaged), threads, "average/" + turn.name() + "/");
        measured.add(new Measured(trained, bound, read, statistics));
    }

    private static Path mean(Value norm) {
        return norm.inputs().get(BatchNorm.MEAN).path();
    }

    /** Returns whether a program reads one of them. */
    boolean isReadBy(Program program) {
        return measured.stream()
                .anyMatch(each -> program.parameters().keySet().stream().anyMatch(each.statistics()::containsKey));
    }

    /** Writes the estimates into the store; {@link #out} restores the copies. */
    void in() {
        if (readers++ > 0) {
            return; // they are there for somebody else
        }
        for (Measured each : measured) {
            Optional<Supplier<Feeds>> some =
                    batches.of(each.turn(), each.program().program());
            if (some.isPresent()) {
                estimate(each, some.get());
                each.statistics().values().forEach(statistic -> {
                    statistic.in();
                    written.add(statistic);
                });
            }
        }
    }

    void out() {
        if (--readers > 0) {
            return;
        }
        written.forEach(Estimated::out);
        written.clear();
    }

    private void estimate(Measured each, Supplier<Feeds> some) {
        long versions = each.read().stream().mapToLong(Parameters.Cell::version).sum();
        if (each.statistics().values().stream().allMatch(statistic -> statistic.versions == versions)) {
            return;
        }
        Map<Path, Sum> sums = new TreeMap<>();
        BoundProgram program = each.program();
        for (int batch = 0; batch < turn.statisticsBatches(); batch++) {
            Feeds feeds = some.get();
            program.feed(feeds.tensors());
            program.run(feeds.rows(), batch, batch);
            program.computed((statistic, numbers) -> sums.computeIfAbsent(statistic, path -> new Sum(numbers.length))
                    .add(numbers));
        }
        each.statistics().forEach((path, statistic) -> statistic.set(Objects.requireNonNull(sums.get(path)), versions));
    }

    @Override
    public void close() {
        measured.forEach(each -> {
            each.program().close();
            each.statistics().values().forEach(Estimated::close);
        });
    }
}
