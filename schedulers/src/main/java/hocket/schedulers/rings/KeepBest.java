package hocket.schedulers.rings;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * Keeps the complete state of a run whenever its parameters score best so far. It evaluates other episodes than the
 * final evaluation, so that the final score is not biased by the choice. The state is kept in memory unless another
 * place is set.
 */
public final class KeepBest implements Ring, Stateful {
    private static final int EPISODES = 20;

    /** The place where the best is kept. */
    public interface Keeper {
        /**
         * Keeps a state that is better than all before; of equals the first stays.
         *
         * @param step number of turns taken
         * @param state called only if it is kept
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
     * @param usual the evaluation of the result
     * @param episodes number of episodes here; empty for 20, or for the usual evaluation if that has no episodes
     * @throws IllegalArgumentException if it has no deciding score, or no episodes
     */
    public KeepBest(Trigger trigger, Evaluation usual, OptionalInt episodes) {
        this.trigger = trigger;
        this.once = List.of("best", usual, episodes);
        this.evaluation = over(usual, episodes);
        this.merit = usual.merit()
                .orElseThrow(
                        () -> new IllegalArgumentException("best: the evaluation names no score by which one is best"));
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

    @Override
    public void keepBestIn(Keeper other) {
        keeper = other;
    }

    /** Returns the best so far if it is kept in memory; empty before the first, or with another place. */
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
        run.scheduler().settle(); // a keeper with checkpoints looks for existing ones
        boolean isBest = keeper.offer(at.step(), scores, merit, run.scheduler()::save);
        run.emit(new Event.Scored(at, scores, isBest));
    }

    /** A failure to write the best state ends the run, as one to write a checkpoint does. */
    @Override
    public boolean isTolerated(Throwable failure) {
        return !(failure instanceof UncheckedIOException);
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

        /** Keeps the present best when it is restored, since the best's own state contains none. */
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
