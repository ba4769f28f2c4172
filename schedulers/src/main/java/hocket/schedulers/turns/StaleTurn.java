package hocket.schedulers.turns;

import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.schedulers.state.State;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A turn whose weights servers move, as a worker sees it. */
final class StaleTurn {
    private static final long SHORTEST_NANOS = 200_000;
    private static final long LONGEST_NANOS = 10_000_000;

    private final String turn;
    private final Exchange exchange;
    private final int stale;
    private final UpdatePlan updates;
    private final Supplier<List<ByteBuffer>> weights;
    private final Supplier<List<ByteBuffer>> gradients;
    private final StaleLayout layout;
    private Exchange.@Nullable Kept numbers;
    private Exchange.@Nullable Kept rules;
    private boolean left;

    /** How often the links of the servers' rules had run when they were asked last. */
    private long[] counts = {};

    /**
     * @param stale how many more of it a worker may have taken than the last one
     * @param size how many weights it moves
     * @param weights where they are now, in the order of its updates
     * @param gradients likewise
     */
    StaleTurn(
            String turn,
            Exchange exchange,
            int stale,
            UpdatePlan updates,
            int size,
            Supplier<List<ByteBuffer>> weights,
            Supplier<List<ByteBuffer>> gradients) {
        this.turn = turn;
        this.exchange = exchange;
        this.stale = stale;
        this.updates = updates;
        this.weights = weights;
        this.gradients = gradients;
        this.layout = StaleLayout.of(updates, size, exchange.processes());
    }

    /**
     * Has a server move the weights by the gradients, and waits for those that are too far behind; changes nothing here.
     *
     * @param taken how often this worker had taken the turn before
     * @throws hocket.schedulers.exchange.PeerLostException if another process is not there any more
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
     * Takes the weights that came of it. Rates are looked at here as of this worker's turns.
     *
     * @param taken how often this worker has taken the turn now
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

    /** The array of its weights, which a server keeps from now on at the latest. */
    Exchange.Kept begun(long taken) {
        Exchange.Kept kept = numbers;
        return kept == null ? begin(taken) : kept;
    }

    /** The first worker tells the server what the rules keep, before any of them pushes a gradient. */
    private Exchange.Kept begin(long taken) {
        State set = updates.save().state("set");
        if (!set.items().isEmpty()) {
            throw new IllegalArgumentException(
                    "turn " + turn + ": " + set.items().keySet()
                            + " were changed since the file said them, of which servers that move its weights do not know");
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

    /** Says that this worker takes it no more, so that nobody waits for it. */
    void leave() {
        Exchange.Kept kept = numbers;
        if (kept != null) {
            push(kept, StaleLayout.LOOK, StaleLayout.NEVER_BEHIND, 0, 0);
            left = true;
        }
    }

    /**
     * Says that it takes it again, from so many times on; before anybody takes it, all are to meet.
     *
     * @return whether it had left
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

    /** Takes the weights as they are, and what the servers' rules keep of them; nothing where the turn was not taken. */
    void fetch() {
        Exchange.Kept kept = numbers;
        if (kept != null) {
            push(kept, StaleLayout.LOOK, 0, 0, 0);
            take(kept);
            fetchRules();
        }
    }

    /**
     * Takes what the servers' rules keep, to be saved.
     *
     * @throws hocket.schedulers.exchange.PeerLostException if the server cannot be asked; then it is what was taken last
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

    /** @throws IllegalStateException if servers have begun to move its weights */
    void requireNotBegun() {
        if (numbers != null) {
            throw new IllegalStateException(
                    "turn " + turn + " cannot go back to another state while servers move its weights");
        }
    }
}
