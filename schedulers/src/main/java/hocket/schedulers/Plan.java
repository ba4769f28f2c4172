package hocket.schedulers;

import hocket.schedulers.plans.Choose;
import hocket.schedulers.plans.RandomChoice;
import hocket.schedulers.plans.Repeat;
import hocket.schedulers.plans.Sequence;
import hocket.schedulers.plans.Simultaneous;
import hocket.schedulers.plans.Trial;
import hocket.schedulers.plans.Until;
import hocket.schedulers.plans.Walk;
import hocket.schedulers.plans.When;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a round consists of: a turn, or parts put together by a {@link Node}. Immutable data, bound to nothing; prints as it
 * was written. One walk reads it, for training as for looking ahead: see {@link Walk}.
 */
@Keyed(plain = Plan.Named.class)
public sealed interface Plan permits Turn, Plan.Named, Plan.Template, Node {
    /** What it is put together from; none for a turn. */
    List<Plan> parts();

    /**
     * This plan with turns in the place of their names.
     *
     * @param turns the turn of a name; throws where there is none
     * @throws IllegalArgumentException if a part refuses the turns that it gets
     */
    Plan resolved(Function<String, ? extends Plan> turns);

    /** The turn that this is; usually none. */
    default Optional<Turn> turn() {
        return Optional.empty();
    }

    /** The node that this is; usually none. */
    default Optional<Node<?>> node() {
        return Optional.empty();
    }

    /** The name that stands for a turn here; usually none. */
    default Optional<String> unresolved() {
        return Optional.empty();
    }

    /** The parts that it may take together, each group a list of positions in {@link #parts}; usually none. */
    default List<List<Integer>> together() {
        return List.of();
    }

    /**
     * A turn by its name, as files write it, until {@link #resolved} puts the turn in its place.
     *
     * @param name the turn's
     */
    record Named(@Setting(help = "a turn's name") String name) implements Plan {
        @Override
        public List<Plan> parts() {
            return List.of();
        }

        @Override
        public Plan resolved(Function<String, ? extends Plan> turns) {
            return turns.apply(name);
        }

        @Override
        public Optional<String> unresolved() {
            return Optional.of(name);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** What becomes a plan when it is given its turns, in {@link #resolved}. */
    non-sealed interface Template extends Plan {
        /**
         * The plan of these turns.
         *
         * @throws IllegalArgumentException if it cannot be made of them
         */
        Plan of(List<Plan> turns);

        @Override
        default Plan resolved(Function<String, ? extends Plan> turns) {
            return of(parts().stream().map(part -> part.resolved(turns)).toList());
        }
    }

    /** One part after the other. */
    static Plan sequence(Plan... parts) {
        return new Sequence(List.of(parts));
    }

    /** All gradients first, then all updates (as the simultaneous gradient descent of game theory). */
    static Plan simultaneous(Turn.Descend... turns) {
        return new Simultaneous(List.of(turns));
    }

    /** One of the parts, of the schedule's choice each time. */
    static Plan choose(Schedule<?> schedule, Plan... parts) {
        return new Choose(schedule, List.of(parts));
    }

    /** A part when a condition fires, looked at whenever its turn comes. */
    static Plan when(Condition<?> condition, Plan part) {
        return new When(condition, part);
    }

    /** A part again and again, until a condition fires or it was taken so often. */
    static Plan until(Condition<?> condition, Plan part, int most) {
        return new Until(condition, part, most);
    }

    /** One of the turns by chance, as likely as its weight says. */
    static Plan random(Map<? extends Turn, Double> weights) {
        Map<String, Double> byName = new LinkedHashMap<>();
        weights.forEach((turn, weight) -> byName.put(turn.name(), weight));
        return new RandomChoice(byName, List.copyOf(weights.keySet()));
    }

    /** A part on trial, of whose way so large a share is kept: 0 goes back, 1 stays. */
    static Plan trial(Plan part, double keep) {
        return new Trial(part, List.of(), 1, keep, false, false);
    }

    /** A part on trial: turns find their gradients where it has led to, and move the weights from where it began. */
    static Trial trial(Plan part, Turn.Descend... then) {
        return new Trial(part, List.of(then), 1, 0, false, false);
    }

    /** This part several times in a row. */
    default Plan times(int times) {
        return new Repeat(times, this);
    }

    /**
     * The turns in it by name, in the order in which they come first.
     *
     * @throws IncompatibleSetupException if two turns have one name
     */
    default Map<String, Turn> turnsByName() {
        Map<String, Turn> turns = new LinkedHashMap<>();
        List<Plan> open = new ArrayList<>(List.of(this));
        while (!open.isEmpty()) {
            Plan part = open.remove(0);
            part.turn().ifPresent(turn -> {
                Turn other = turns.putIfAbsent(turn.name(), turn);
                if (other != null && !other.equals(turn)) {
                    throw new IncompatibleSetupException(
                            "turns/" + turn.name(), "two turns of the plan are called " + turn.name());
                }
            });
            open.addAll(0, part.parts());
        }
        return turns;
    }

    /** Parts as they print: {@code (d, g)}. */
    static String joined(List<? extends Plan> parts) {
        return "(" + String.join(", ", parts.stream().map(Plan::toString).toList()) + ")";
    }
}
