package hocket.schedulers.plans;

import hocket.schedulers.Node;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Turn;
import hocket.schedulers.runs.History;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.scopes.SimilarNames;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * A dry run of the first turns, by the same walk that training uses: schedules are asked as in training, but no turn
 * reports a metric and no source is drawn from. A schedule's invalid request fails here as in training.
 */
public final class Rehearsal {
    /**
     * A step of the dry run.
     *
     * @param turns their names: one, or several that are taken together
     * @param round number of the round
     * @param ahead number of parts that look ahead, so that the step may be undone
     * @param back whether its gradients update the weights from before looking ahead
     */
    public record TakenTurns(List<String> turns, long round, int ahead, boolean back) {
        public TakenTurns {
            turns = List.copyOf(turns);
        }
    }

    /** Counts of one phase, by name. */
    public record Interval(String phase, List<TakenTurns> beats) {
        public Interval {
            beats = List.copyOf(beats);
        }

        /** The turns in their order. */
        public List<String> turns() {
            return beats.stream().flatMap(beat -> beat.turns().stream()).toList();
        }
    }

    private final List<Interval> intervals = new ArrayList<>();
    private final View view;
    private final int most;
    private Optional<Throwable> failure = Optional.empty();

    private Rehearsal(
            List<Phase> phases,
            ToLongFunction<Phase> rounds,
            long seed,
            int most,
            Optional<? extends Collection<String>> sources) {
        this.most = most;
        this.view = new View(
                Plan.sequence(phases.stream().map(Phase::plan).toArray(Plan[]::new))
                        .turnsByName(),
                seed,
                sources);
        try {
            phases.forEach(phase -> take(phase, rounds.applyAsLong(phase)));
        } catch (Throwable e) {
            UserCodeFailure.rethrowIfFatal(e);
            failure = Optional.of(e);
        }
    }

    /**
     * Walks through phases.
     *
     * @param rounds number of rounds of each phase; more than shown where it is not known
     * @param most number of turns to walk through; fewer where the phases end or a schedule fails
     */
    public static Rehearsal of(List<Phase> phases, ToLongFunction<Phase> rounds, long seed, int most) {
        return new Rehearsal(phases, rounds, seed, most, Optional.empty());
    }

    /**
     * Walks through phases; counting epochs of another source fails.
     *
     * @param sources names of sources and of their columns
     */
    static Rehearsal of(List<Phase> phases, ToLongFunction<Phase> rounds, int most, Collection<String> sources) {
        return new Rehearsal(phases, rounds, 0, most, Optional.of(sources));
    }

    /** Returns the turns by phase; phases without turns are left out. */
    public List<Interval> intervals() {
        return List.copyOf(intervals);
    }

    /** Returns the failure of a schedule, or its invalid choice, at which the run would end. */
    public Optional<Throwable> failure() {
        return failure;
    }

    /** Returns whether the run is certain to fail so: no metrics were requested, or some that no turn reports. */
    boolean isCertain() {
        return failure.isPresent() && (!view.guessed || failure.get() instanceof Unknown);
    }

    /** Returns the number of the round in which it ended. */
    long round() {
        return view.round;
    }

    /** A request for something unknown. */
    private static final class Unknown extends IllegalArgumentException {
        Unknown(String message) {
            super(message);
        }
    }

    /** Returns whether a schedule requested metrics, so that the real run may differ. */
    public boolean guessed() {
        return view.guessed;
    }

    private void take(Phase phase, long rounds) {
        Walk walk = new Walk(phase.plan());
        Cursor at = walk.start();
        Taken taken = new Taken();
        long end = rounds > Long.MAX_VALUE - view.round ? Long.MAX_VALUE : view.round + rounds;
        try {
            while (view.round < end && view.step < most && taken.empty < most) {
                Walk.Next next = walk.next(at, view);
                at = next.then();
                next.instruction().by(taken);
            }
        } finally {
            if (!taken.beats.isEmpty()) {
                intervals.add(new Interval(phase.name(), taken.beats));
            }
        }
    }

    /** Counts the turns of a phase. */
    private final class Taken implements Walk.Performer {
        final List<TakenTurns> beats = new ArrayList<>();
        int ahead;

        /** The number of rounds without a turn since the last one. */
        long empty;

        @Override
        public void play(Turn turn) {
            taken(List.of(turn), false);
        }

        @Override
        public void together(List<Turn.Descend> turns, boolean back) {
            taken(turns, back);
        }

        private void taken(List<? extends Turn> turns, boolean back) {
            beats.add(new TakenTurns(turns.stream().map(Turn::name).toList(), view.round, ahead, back));
            turns.forEach(view::taken);
            empty = 0;
        }

        @Override
        public void remember(int number, Node<?> part, boolean sameSample) {
            ahead++;
        }

        @Override
        public void goBack(double share) {
            ahead--;
        }

        @Override
        public void endRound() {
            view.round++;
            empty++;
        }
    }

    /** A view of a run whose turns report nothing. */
    private static final class View implements ScheduleView {
        private final History history = new History();
        private final Map<String, Long> counts = new LinkedHashMap<>();
        private final Streams streams;
        private final Stream random;
        private boolean guessed;
        private long step;
        private long round;

        private final Optional<? extends Collection<String>> sources;

        View(Map<String, Turn> turns, long seed, Optional<? extends Collection<String>> sources) {
            this.sources = sources;
            this.streams = Streams.seed(seed);
            this.random = streams.at("schedule");
            turns.values().forEach(turn -> {
                counts.put(turn.name(), 0L);
                history.knows(turn);
            });
        }

        void taken(Turn turn) {
            counts.merge(turn.name(), 1L, Long::sum);
            step++;
        }

        @Override
        public OptionalDouble average(String series, int window) {
            guessed = true;
            try {
                return history.average(series, window);
            } catch (IllegalArgumentException e) {
                throw new Unknown(String.valueOf(e.getMessage()));
            }
        }

        @Override
        public long reports(String series) {
            average(series, 1);
            return history.reports(series);
        }

        @Override
        public long count(String turn) {
            Long count = counts.get(turn);
            if (count == null) {
                throw new Unknown("no turn is called " + turn + SimilarNames.among(turn, counts.keySet()));
            }
            return count;
        }

        @Override
        public long step() {
            return step;
        }

        @Override
        public long round() {
            return round;
        }

        @Override
        public double epoch(String source) {
            guessed = true;
            if (sources.isPresent() && !sources.get().contains(source)) {
                throw new Unknown("no source is called " + source + " or has a column that is"
                        + SimilarNames.among(source, sources.get()));
            }
            return 0;
        }

        @Override
        public double setting(String name) {
            guessed = true;
            return 0;
        }

        @Override
        public Stream random() {
            return random;
        }

        @Override
        public Stream random(String name) {
            return streams.at("plan/" + name);
        }
    }
}
