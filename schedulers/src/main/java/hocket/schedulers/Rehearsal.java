package hocket.schedulers;

import hocket.scopes.Nearest;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * The first turns of a run, gone through without taking them: schedules are asked as they would be, but no turn has
 * reported a figure. What a schedule may not ask for is refused here as it is there.
 */
public final class Rehearsal {
    /** Turns in a row that belong to one phase, by name. */
    public record Stretch(String phase, List<String> turns) {
        public Stretch {
            turns = List.copyOf(turns);
        }
    }

    private final List<Stretch> stretches = new ArrayList<>();
    private final View view;
    private final int most;
    private Optional<RuntimeException> failure = Optional.empty();

    private Rehearsal(List<Phase> phases, ToLongFunction<Phase> rounds, long seed, int most) {
        this.most = most;
        this.view = new View(
                Plan.sequence(phases.stream().map(Phase::plan).toArray(Plan[]::new))
                        .turnsByName(),
                seed);
        try {
            phases.forEach(phase -> take(phase, rounds.applyAsLong(phase)));
        } catch (RuntimeException e) {
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
        return new Rehearsal(phases, rounds, seed, most);
    }

    /** The turns, phase by phase; those without any are left out. */
    public List<Stretch> stretches() {
        return List.copyOf(stretches);
    }

    /** What a schedule threw, or that it chose what it may not: the run would end there. */
    public Optional<RuntimeException> failure() {
        return failure;
    }

    /** Whether a schedule asked for figures: then the run may go another way. */
    public boolean guessed() {
        return view.guessed;
    }

    private void take(Phase phase, long rounds) {
        Schedules schedules = new Schedules(phase.plan());
        List<String> turns = new ArrayList<>();
        try {
            for (long i = 0; i < rounds && view.step < most; i++) {
                take(phase.plan(), schedules, turns);
                view.round++;
            }
        } finally {
            if (!turns.isEmpty()) {
                stretches.add(new Stretch(phase.name(), turns));
            }
        }
    }

    private void take(Plan part, Schedules schedules, List<String> turns) {
        if (view.step >= most) {
            return;
        }
        if (part instanceof Turn turn) {
            turns.add(turn.name());
            view.taken(turn);
        } else if (part instanceof Plan.Choose choose) {
            take(schedules.next(choose, view), schedules, turns);
        } else {
            int times = part instanceof Plan.Repeat repeat ? repeat.times() : 1;
            for (int i = 0; i < times && view.step < most; i++) {
                part.parts().forEach(each -> take(each, schedules, turns));
            }
        }
    }

    /** A run whose turns report nothing. */
    private static final class View implements ScheduleView {
        private final History history = new History();
        private final Map<String, Long> counts = new LinkedHashMap<>();
        private final Stream random;
        private boolean guessed;
        private long step;
        private long round;

        View(Map<String, Turn> turns, long seed) {
            this.random = Streams.seed(seed).at("schedule");
            turns.values().forEach(turn -> {
                counts.put(turn.name(), 0L);
                if (turn instanceof Turn.Descend descend) {
                    descend.series().forEach(history::series);
                }
            });
        }

        void taken(Turn turn) {
            counts.merge(turn.name(), 1L, Long::sum);
            step++;
        }

        @Override
        public OptionalDouble average(String series, int window) {
            guessed = true;
            return history.average(series, window);
        }

        @Override
        public long count(String turn) {
            Long count = counts.get(turn);
            if (count == null) {
                throw new IllegalArgumentException("no turn is called " + turn + Nearest.among(turn, counts.keySet()));
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
        public Stream random() {
            return random;
        }
    }
}
