package hocket.schedulers.rings;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * Keeps the whole state of a run whenever its parameters score best so far, by other episodes than those that judge the
 * result, so that what was chosen is not flattered by what it was chosen for. In memory, unless it is given another place.
 */
public final class KeepBest implements Ring, Stateful {
    private static final int EPISODES = 20;

    /** Where the best is kept. */
    public interface Keeper {
        /**
         * Keeps what is better than all before; of equals the first stays.
         *
         * @param step turns that had been taken
         * @param state asked for only if it is kept
         * @return whether it is the best so far
         */
        boolean offer(long step, SortedMap<String, Double> scores, Evaluation.Merit merit, Supplier<State> state);
    }

    private final Trigger trigger;
    private final Evaluation evaluation;
    private final Evaluation.Merit merit;
    private Keeper keeper = new InMemory();
    private final Object once;

    /**
     * @param usual how the result is judged
     * @param episodes by how many it is judged here; empty for 20, or as usual where it is not made of episodes
     * @throws IllegalArgumentException if it says nothing of which score counts, or is not judged by episodes
     */
    public KeepBest(Trigger trigger, Evaluation usual, OptionalInt episodes) {
        this.trigger = trigger;
        this.once = List.of("best", usual, episodes);
        this.evaluation = over(usual, episodes);
        this.merit = usual.merit()
                .orElseThrow(() -> new IllegalArgumentException(
                        "best: the evaluation does not say which score counts, and so not what is best"));
    }

    private static Evaluation over(Evaluation usual, OptionalInt episodes) {
        try {
            return usual.selecting(episodes.orElse(EPISODES));
        } catch (IllegalArgumentException e) {
            if (episodes.isPresent()) {
                throw e;
            }
            return usual; // not made of episodes
        }
    }

    /** Keeps it elsewhere from now on. */
    public void in(Keeper other) {
        keeper = other;
    }

    /** The best so far, where it is kept in memory; empty before the first, and where it is kept elsewhere. */
    public Optional<State> best() {
        return keeper instanceof InMemory memory ? memory.state : Optional.empty();
    }

    @Override
    public String name() {
        return "best";
    }

    @Override
    public int order() {
        return RingOrder.KEEPING_BEST;
    }

    @Override
    public Optional<Trigger> trigger() {
        return Optional.of(trigger);
    }

    @Override
    public void due(Run run) {
        if (!run.isFirst(once)) {
            return;
        }
        Event.Position at = run.position();
        SortedMap<String, Double> scores = run.scheduler().scores(evaluation);
        run.scheduler().settle(); // who keeps it beside the checkpoints looks which there are
        boolean isBest = keeper.offer(at.step(), scores, merit, run.scheduler()::save);
        run.emit(new Event.Scored(at, scores, isBest));
    }

    @Override
    public boolean isTolerated() {
        return true;
    }

    @Override
    public State save() {
        return keeper instanceof InMemory memory ? memory.save() : State.empty();
    }

    @Override
    public void restore(State state) {
        if (keeper instanceof InMemory memory) {
            memory.restore(state);
        }
    }

    @Override
    public String toString() {
        return "best " + trigger;
    }

    private static final class InMemory implements Keeper, Stateful {
        private double merit = Double.NaN;
        private Optional<State> state = Optional.empty();
        private boolean isKeeping;

        @Override
        public State save() {
            State saved = Double.isNaN(merit) ? State.empty() : State.empty().with("merit", merit);
            return state.isEmpty() || isKeeping ? saved : saved.with("state", state.orElseThrow());
        }

        /** The best itself holds no other best: to go back to it leaves it where it is. */
        @Override
        public void restore(State from) {
            double before = merit;
            merit = from.has("merit") ? from.real("merit") : Double.NaN;
            if (from.has("state")) {
                state = Optional.of(from.state("state"));
            } else if (merit != before) {
                state = Optional.empty();
            }
        }

        @Override
        public boolean offer(long step, SortedMap<String, Double> scores, Evaluation.Merit by, Supplier<State> now) {
            double offered = by.of(scores);
            if (!by.isBetter(offered, merit)) {
                return false;
            }
            merit = offered;
            isKeeping = true;
            try {
                state = Optional.of(now.get());
            } finally {
                isKeeping = false;
            }
            return true;
        }
    }
}
