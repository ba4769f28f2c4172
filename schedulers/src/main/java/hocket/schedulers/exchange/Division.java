package hocket.schedulers.exchange;

import hocket.programs.Lowering;
import hocket.programs.Program;

/**
 * How the rows of a turn are divided among workers. Each computes a share of them, in their order, on replicas of the turn's
 * programs over the one store of its process; gradients, figures and moments are put together by the shares' numbers of rows.
 * So a loss that is a mean over rows has the gradient that it has undivided, to rounding; what is computed of a whole batch
 * at once, such as a batch norm's mean, is computed of each share. Noise and rows are those of the undivided turn.
 *
 * <p>The same number of workers gives the same bits, run after run.
 *
 * @param workers in this process, at least 1
 * @param exchange with the other processes, each of which has as many
 */
public record Division(int workers, Exchange exchange) {
    /** Nothing is divided. */
    public static final Division NONE = new Division(1, Exchange.ALONE);

    /** @throws IllegalArgumentException if there are less than 1 or more than 32 workers in a process */
    public Division {
        if (workers < 1 || workers > 32) {
            throw new IllegalArgumentException("workers: must be from 1 to 32, was " + workers);
        }
    }

    /** Among so many workers of one process. */
    public static Division among(int workers) {
        return new Division(workers, Exchange.ALONE);
    }

    /** How many workers share the rows, in all processes. */
    public int shares() {
        return Math.multiplyExact(workers, exchange.processes());
    }

    /** The first row of a worker's share; with {@code worker = shares()} the number of rows. */
    int first(int worker, int rows) {
        return Math.toIntExact((long) rows * worker / shares());
    }

    /**
     * What runs a program divided; the same lowering where nothing is divided, or the program has no rows.
     *
     * @throws IllegalArgumentException when it is bound to less rows than there are workers, or to targets that cannot be put
     *     together
     */
    public Lowering over(Lowering undivided, Program program) {
        return shares() == 1 || !program.batched() ? undivided : new DividedLowering(undivided, this);
    }
}
