package hocket.schedulers.turns;

import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.schedulers.state.State;
import hocket.scopes.Device;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A worker's view of a turn whose weights servers update. */
final class StaleTurn {
    private static final long SHORTEST_NANOS = 200_000;
    private static final long LONGEST_NANOS = 10_000_000;

    private final String turn;
    private final Exchange exchange;
    private final int stale;
    private final UpdatePlan updates;
    private final Supplier<List<Device.Array>> weights;
    private final Supplier<List<Device.Array>> gradients;
    private final StaleLayout layout;
    private Exchange.@Nullable Kept numbers;
    private Exchange.@Nullable Kept rules;
    private boolean left;

    /** The counts of the servers' gradient transformations at the last query. */
    private long[] counts = {};

    /**
     * @param stale how many turns a worker may be ahead of the slowest one
     * @param size number of weights that it updates
     * @param weights current values, in the order of its updates
     * @param gradients of these weights, in the same order
     */
    StaleTurn(
            String turn,
            Exchange exchange,
            int stale,
            UpdatePlan updates,
            int size,
            Supplier<List<Device.Array>> weights,
            Supplier<List<Device.Array>> gradients) {
        this.turn = turn;
        this.exchange = exchange;
        this.stale = stale;
        this.updates = updates;
        this.weights = weights;
        this.gradients = gradients;
        this.layout = StaleLayout.of(updates, size, exchange.processes());
    }

    /**
     * Sends the gradients to a server, which updates the weights, and waits for workers that lag too far; changes
     * nothing here.
     *
     * @param taken number of times that this worker had taken the turn before
     * @throws hocket.schedulers.exchange.PeerLostException if another process has left
     */
    void push(long taken, long round, double epoch) {
        Exchange.Kept kept = begun(taken);
        StaleLayout.put(kept.numbers(), gradients.get());
        push(kept, StaleLayout.MOVE, taken + 1, round, epoch);
        long pause = SHORTEST_NANOS;
        long own = (long) (float) (taken + 1); // as the server has it
        while (own - least(kept) > stale) {
            kept.pause(pause);
            pause = Math.min(LONGEST_NANOS, 2 * pause);
            push(kept, StaleLayout.LOOK, taken + 1, round, epoch);
        }
    }

    /**
     * Takes the updated weights. Rates are evaluated here by this worker's count of turns.
     *
     * @param taken number of times that this worker has taken the turn now
     */
    void take(long taken) {
        if (numbers != null) {
            take(numbers);
            long[] own = updates.counts();
            Arrays.fill(own, taken);
            updates.counts(own);
        }
    }

    private void push(Exchange.Kept kept, int task, long taken, long round, double epoch) {
        ByteBuffer to = kept.numbers();
        for (int worker = 0; worker < exchange.processes(); worker++) {
            layout.taken(to, worker, worker == exchange.rank() ? taken : StaleLayout.NOT_SAID);
        }
        layout.task(to, task, round, epoch);
        kept.push();
    }

    private long least(Exchange.Kept kept) {
        long least = Long.MAX_VALUE;
        for (int worker = 0; worker < exchange.processes(); worker++) {
            least = Math.min(least, layout.taken(kept.numbers(), worker));
        }
        return least;
    }

    private void take(Exchange.Kept kept) {
        StaleLayout.get(kept.numbers(), weights.get());
    }

    /** Returns the array of its weights, which a server keeps from now on at the latest. */
    Exchange.Kept begun(long taken) {
        Exchange.Kept kept = numbers;
        return kept == null ? begin(taken) : kept;
    }

    /** Sends the optimizer slots to the server; the first worker does so before any worker pushes a gradient. */
    private Exchange.Kept begin(long taken) {
        State set = updates.save().state("set");
        if (!set.items().isEmpty()) {
            throw new IllegalArgumentException(
                    "turn " + turn + ": " + set.items().keySet()
                            + " differ from the file, but servers update its weights by the settings of the file");
        }
        counts = updates.counts();
        Exchange.Kept ofRules = exchange.keep(turn + " rules", layout.emptyKept());
        rules = ofRules;
        if (exchange.rank() == 0) {
            layout.writeRules(updates, ofRules.numbers());
            layout.keptTask(ofRules.numbers(), StaleLayout.TAKE, turn);
            ofRules.push();
        }
        ByteBuffer initial = layout.emptyNumbers();
        StaleLayout.put(initial, weights.get());
        for (int worker = 0; worker < exchange.processes(); worker++) {
            layout.taken(initial, worker, taken);
        }
        Exchange.Kept kept = exchange.keep(turn, initial);
        numbers = kept;
        return kept;
    }

    /** Tells the server that this worker has left the turn, so that no worker waits for it. */
    void leave() {
        Exchange.Kept kept = numbers;
        if (kept != null) {
            push(kept, StaleLayout.LOOK, StaleLayout.NEVER_BEHIND, 0, 0);
            left = true;
        }
    }

    /**
     * Tells the server that this worker rejoins at a count of turns; all workers must synchronise before any takes it.
     *
     * @return whether this worker had left
     */
    boolean rejoin(long taken) {
        Exchange.Kept kept = numbers;
        boolean again = left && kept != null;
        if (left && kept != null) {
            push(kept, StaleLayout.TAKE, taken, 0, 0);
            left = false;
        }
        return again;
    }

    /** Fetches the current weights and the servers' optimizer slots; does nothing if the turn was never taken. */
    void fetch() {
        Exchange.Kept kept = numbers;
        if (kept != null) {
            push(kept, StaleLayout.LOOK, 0, 0, 0);
            take(kept);
            fetchRules();
        }
    }

    /**
     * Fetches the servers' optimizer slots for saving.
     *
     * @throws hocket.schedulers.exchange.PeerLostException if the server does not answer; the slots stay as last
     *     fetched
     */
    void fetchRules() {
        Exchange.Kept kept = rules;
        if (kept != null) {
            updates.counts(counts);
            layout.keptTask(kept.numbers(), StaleLayout.LOOK, turn);
            kept.push();
            layout.readRules(kept.numbers(), updates);
            counts = updates.counts();
        }
    }

    /** @throws IllegalStateException if servers have begun to update its weights */
    void requireNotBegun() {
        if (numbers != null) {
            throw new IllegalStateException("turn " + turn + " cannot be restored while servers update its weights");
        }
    }
}
