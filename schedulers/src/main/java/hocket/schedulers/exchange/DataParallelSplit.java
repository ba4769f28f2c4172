package hocket.schedulers.exchange;

import hocket.programs.Program;
import hocket.programs.execution.Lowering;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the rows of a turn are divided among workers. Each computes a share of them, in their order, on replicas of the turn's
 * programs over the one store of its process; gradients, figures and moments are put together by the shares' numbers of rows.
 * So a loss that is a mean over rows has the gradient that it has undivided, to rounding; what is computed of a whole batch
 * at once, such as a batch norm's mean, is computed of each share. Noise and rows are those of the undivided turn.
 *
 * <p>Workers that compute at the same time divide the threads of the process among them; each has threads of its own. The same
 * number of workers gives the same bits, run after run, whatever the number of threads on kernels in Java.
 *
 * @param workers in this process, at least 1
 * @param exchange with the other processes, each of which has as many
 * @param consistency of weights by selection: the first that selects a path holds for it; {@link Consistency#USUAL} for others
 */
public record DataParallelSplit(int workers, Exchange exchange, Map<String, Consistency> consistency) {
    /** Nothing is divided. */
    public static final DataParallelSplit NONE = among(1);

    /** @throws IllegalArgumentException if there are less than 1 or more than 32 workers in a process, or what selects does not */
    public DataParallelSplit {
        if (workers < 1 || workers > 32) {
            throw new IllegalArgumentException("workers: must be from 1 to 32, was " + workers);
        }
        consistency.keySet().forEach(Selection::of);
        consistency = Collections.unmodifiableMap(new LinkedHashMap<>(consistency));
    }

    /** All weights the same in all processes. */
    public DataParallelSplit(int workers, Exchange exchange) {
        this(workers, exchange, Map.of());
    }

    /** Among so many workers of one process. */
    public static DataParallelSplit among(int workers) {
        return new DataParallelSplit(workers, Exchange.ALONE);
    }

    /** The same with other processes. */
    public DataParallelSplit through(Exchange other) {
        return new DataParallelSplit(workers, other, consistency);
    }

    /** The same, and how far weights may be apart. */
    public DataParallelSplit consistent(Map<String, Consistency> bySelection) {
        return new DataParallelSplit(workers, exchange, bySelection);
    }

    /**
     * How far what a turn moves may be apart, if there are several processes.
     *
     * @throws IllegalArgumentException if that is not the same for all of it, naming two paths
     */
    public Consistency chosen(String turn, Collection<Path> moved) {
        Map<Consistency, Path> found = new LinkedHashMap<>();
        moved.forEach(path -> found.putIfAbsent(chosen(path), path));
        if (found.size() > 1) {
            var each = found.entrySet().iterator();
            var one = each.next();
            var other = each.next();
            throw new IllegalArgumentException("must be the same for all that turn " + turn + " moves, and is \""
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

    /** The same here and now: nothing is apart where there is one process, or a program has no rows to be divided. */
    public Consistency of(String turn, Program program, Collection<Path> moved) {
        return exchange.processes() == 1 || !program.batched() ? Consistency.USUAL : chosen(turn, moved);
    }

    /** Whether any weights may be apart, where there are several processes. */
    public boolean movesApart() {
        return consistency.values().stream().anyMatch(Consistency::movesApart);
    }

    /** Whether servers move any weights, where there are several processes: then these are not in the same turn. */
    public boolean isStale() {
        return consistency.values().stream().anyMatch(Consistency::isServed);
    }

    /** How many workers share the rows, in all processes. */
    public int shares() {
        return Math.multiplyExact(workers, exchange.processes());
    }

    /**
     * With how many threads a worker of a process computes where its workers compute at the same time: all threads are divided
     * among them as evenly as possible, the later ones first where some are left, and each has one at least.
     *
     * @param worker in its process, from 0 on
     * @param threads of the process
     */
    int threads(int worker, int threads) {
        return Math.max(1, threads * (worker + 1) / workers - threads * worker / workers);
    }

    /** The first row of a worker's share; with {@code worker = shares()} the number of rows. */
    int first(int worker, int rows) {
        return Math.toIntExact((long) rows * worker / shares());
    }

    /**
     * What runs a program divided; the same lowering where nothing is divided, or the program has no rows. Where processes
     * move weights apart, what it computes is that of this process's rows.
     *
     * @throws IllegalArgumentException when it is bound to less rows than there are workers, or to targets that cannot be put
     *     together
     */
    public Lowering over(Lowering undivided, Program program, Consistency how) {
        return shares() == 1 || !program.batched()
                ? undivided
                : new DataParallelLowering(undivided, this, how.movesApart());
    }
}
