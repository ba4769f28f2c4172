package hocket.schedulers.exchange;

import hocket.programs.Program;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import hocket.scopes.Device;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The division of a turn's rows among workers (data parallelism). Each computes a share of them, in their order, on
 * replicas of the turn's programs over its process's store; gradients, metrics and moments are averaged by the shares'
 * numbers of rows. So a loss that is a mean over rows has the gradient of the undivided turn, to rounding; statistics
 * of a whole batch, such as a batch norm's mean, are computed for each share. Noise and rows are those of the undivided
 * turn.
 *
 * <p>Concurrent workers divide the threads of the process; each has its own. The same number of workers gives the same
 * bits in every run, for any number of threads on Java kernels.
 *
 * @param workers in this process, at least 1
 * @param exchange with the other processes, each of which has the same number of workers
 * @param consistency of weights by selection: the first that selects a path holds for it; {@link Consistency#USUAL} for others
 */
public record DataParallelSplit(int workers, Exchange exchange, Map<String, Consistency> consistency) {
    /** The split that divides nothing. */
    public static final DataParallelSplit NONE = among(1);

    /** @throws IllegalArgumentException if there are not 1 to 32 workers in a process, or a selection is invalid */
    public DataParallelSplit {
        if (workers < 1 || workers > 32) {
            throw new IllegalArgumentException("workers: must be from 1 to 32, was " + workers);
        }
        consistency.keySet().forEach(Selection::of);
        consistency = Collections.unmodifiableMap(new LinkedHashMap<>(consistency));
    }

    /** A split with equal weights in all processes. */
    public DataParallelSplit(int workers, Exchange exchange) {
        this(workers, exchange, Map.of());
    }

    /** A split among a number of workers of one process. */
    public static DataParallelSplit among(int workers) {
        return new DataParallelSplit(workers, Exchange.ALONE);
    }

    /** A split among workers of several processes. */
    public DataParallelSplit through(Exchange other) {
        return new DataParallelSplit(workers, other, consistency);
    }

    /** A split among workers of several processes, with the consistency of weights. */
    public DataParallelSplit consistent(Map<String, Consistency> bySelection) {
        return new DataParallelSplit(workers, exchange, bySelection);
    }

    /**
     * Returns the consistency of a turn's weights, if there are several processes.
     *
     * @throws IllegalArgumentException if its paths have different consistencies, naming two of them
     */
    public Consistency chosen(String turn, Collection<Path> moved) {
        Map<Consistency, Path> found = new LinkedHashMap<>();
        moved.forEach(path -> found.putIfAbsent(chosen(path), path));
        if (found.size() > 1) {
            var each = found.entrySet().iterator();
            var one = each.next();
            var other = each.next();
            throw new IllegalArgumentException(
                    "must be the same for all weights that turn " + turn + " updates, and is \""
                            + one.getKey() + "\" for " + one.getValue() + ", \"" + other.getKey() + "\" for "
                            + other.getValue());
        }
        return found.isEmpty() ? Consistency.USUAL : found.keySet().iterator().next();
    }

    private Consistency chosen(Path path) {
        return consistency.entrySet().stream()
                .filter(each -> Selection.of(each.getKey()).matches(path))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Consistency.USUAL);
    }

    /** Returns the effective consistency: weights are equal with one process or a program without rows to divide. */
    public Consistency of(String turn, Program program, Collection<Path> moved) {
        return exchange.processes() == 1 || !program.batched() ? Consistency.USUAL : chosen(turn, moved);
    }

    /** Returns whether any weights may differ between several processes. */
    public boolean movesApart() {
        return consistency.values().stream().anyMatch(Consistency::movesApart);
    }

    /** Returns whether servers update any weights for several processes, which are in different turns then. */
    public boolean isStale() {
        return consistency.values().stream().anyMatch(Consistency::isServed);
    }

    /** Returns the number of workers that share the rows, in all processes. */
    public int shares() {
        return Math.multiplyExact(workers, exchange.processes());
    }

    /**
     * Returns the number of threads of a worker when workers run concurrently: threads are divided as evenly as
     * possible, later workers get the remainder, and each has at least one.
     *
     * @param worker in its process, from 0 on
     * @param threads of the process
     */
    int threads(int worker, int threads) {
        return Math.max(1, threads * (worker + 1) / workers - threads * worker / workers);
    }

    /** Returns the first row of a worker's share; with {@code worker = shares()} the number of rows. */
    int first(int worker, int rows) {
        return Math.toIntExact((long) rows * worker / shares());
    }

    /**
     * Returns a lowering that divides a program; the same lowering if there is nothing to divide. If processes update
     * weights separately, it computes this process's rows.
     *
     * @throws IllegalArgumentException when it is bound to fewer rows than workers, or to targets that cannot be
     *     combined
     */
    public Lowering over(Lowering undivided, Program program, Consistency how) {
        return shares() == 1 || !program.batched()
                ? undivided
                : new DataParallelLowering(undivided, this, how.movesApart());
    }

    /** A lowering whose executables each compute a share of the rows. */
    private record DataParallelLowering(Lowering undivided, DataParallelSplit division, boolean apart)
            implements Lowering {
        @Override
        public String name() {
            return undivided.name();
        }

        @Override
        public String version() {
            return undivided.version();
        }

        @Override
        public Optional<String> unavailable() {
            return undivided.unavailable();
        }

        @Override
        public int preference(Program program) {
            return undivided.preference(program);
        }

        @Override
        public Optional<String> refuses(Program program, SortedSet<Path> gradients) {
            return undivided.refuses(program, gradients);
        }

        @Override
        public Optional<Device> device() {
            return undivided.device();
        }

        @Override
        public void releaseMemory(long bytes) {
            undivided.releaseMemory(bytes);
        }

        @Override
        public Executable bind(Binding binding) {
            return new DataParallelExecutable(undivided, division, apart, binding);
        }
    }
}
