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
 * The first turns of a run, gone through without taking them, by the walk that training goes by: schedules are asked as they
 * would be, but no turn has reported a figure, and nothing is drawn from any source. What a schedule may not ask for is
 * refused here as it is there.
 */
public final class Rehearsal {
    /**
     * What is taken at once.
     *
     * @param turns their names: one, or several that are taken together
     * @param round the round it is in
     * @param ahead how many parts look ahead just then: what is taken may be undone
     * @param back whether its gradients move the weights from where they were before looking ahead
     */
    public record Beat(List<String> turns, long round, int ahead, boolean back) {
        public Beat {
            turns = List.copyOf(turns);
        }
    }

    /** What belongs to one phase, by name. */
    public record Stretch(String phase, List<Beat> beats) {
        public Stretch {
            beats = List.copyOf(beats);
        }

        /** The turns, one after the other. */
        public List<String> turns() {
            return beats.stream().flatMap(beat -> beat.turns().stream()).toList();
        }
    }

    private final List<Stretch> stretches = new ArrayList<>();
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
     * Goes through phases.
     *
     * @param rounds how many rounds each phase has, as far as that is known; beyond what is shown where it is not
     * @param most how many turns to go through; fewer where the phases end, or a schedule fails
     */
    public static Rehearsal of(List<Phase> phases, ToLongFunction<Phase> rounds, long seed, int most) {
        return new Rehearsal(phases, rounds, seed, most, Optional.empty());
    }

    /**
     * The same; who counts epochs of another source fails.
     *
     * @param sources names of sources and of their columns
     */
    static Rehearsal of(List<Phase> phases, ToLongFunction<Phase> rounds, int most, Collection<String> sources) {
        return new Rehearsal(phases, rounds, 0, most, Optional.of(sources));
    }

    /** The turns, phase by phase; those without any are left out. */
    public List<Stretch> stretches() {
        return List.copyOf(stretches);
    }

    /** What a schedule threw, or that it chose what it may not: the run would end there. */
    public Optional<Throwable> failure() {
        return failure;
    }

    /** Whether the run is sure to fail so: no figures were asked for, or some that nobody reports. */
    boolean isCertain() {
        return failure.isPresent() && (!view.guessed || failure.get() instanceof Unknown);
    }

    /** Somebody asked for what is not there. */
    private static final class Unknown extends IllegalArgumentException {
        Unknown(String message) {
            super(message);
        }
    }

    /** Whether a schedule asked for figures: then the run may go another way. */
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
                stretches.add(new Stretch(phase.name(), taken.beats));
            }
        }
    }

    /** Counts what a phase would take. */
    private final class Taken implements Walk.Performer {
        final List<Beat> beats = new ArrayList<>();
        int ahead;

        /** Rounds without a turn since the last one. */
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
            beats.add(new Beat(turns.stream().map(Turn::name).toList(), view.round, ahead, back));
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

    /** A run whose turns report nothing. */
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
