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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The turns of a round: one turn, or parts that a {@link Node} combines. Immutable and bound to no store; prints as it
 * was written. {@link Walk} reads it, both for training and for looking ahead.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Plan plan = sequence(d.times(5), g, ema);
 * Plan seldom = Plan.random(Map.of(d, 0.8, g, 0.2));
 * }</pre>
 */
@Keyed(plain = Plan.Named.class)
public sealed interface Plan permits Turn, Plan.Named, Plan.Template, Node {
    /** Returns the parts; none for a turn. */
    List<Plan> parts();

    /**
     * Returns this plan with turns in the place of their names.
     *
     * @param turns the turn of a name; throws where there is none
     * @throws IllegalArgumentException if a part does not allow its turns
     */
    Plan resolved(Function<String, ? extends Plan> turns);

    /** Returns this plan as a turn, if it is one. */
    default Optional<Turn> turn() {
        return Optional.empty();
    }

    /** Returns this plan as a node, if it is one. */
    default Optional<Node<?>> node() {
        return Optional.empty();
    }

    /** Returns the name of an unresolved turn; usually none. */
    default Optional<String> unresolved() {
        return Optional.empty();
    }

    /** Returns the groups of parts that it may take together, as positions in {@link #parts}; usually none. */
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

    /** A plan that is made from its turns by {@link #resolved}. */
    non-sealed interface Template extends Plan {
        /**
         * Makes the plan of these turns.
         *
         * @throws IllegalArgumentException if these turns do not allow it
         */
        Plan of(List<Plan> turns);

        @Override
        default Plan resolved(Function<String, ? extends Plan> turns) {
            return of(parts().stream().map(part -> part.resolved(turns)).toList());
        }
    }

    /** Takes one part after the other. */
    static Plan sequence(Plan... parts) {
        return new Sequence(List.of(parts));
    }

    /** Computes all gradients first, then makes all updates (the simultaneous gradient descent of game theory). */
    static Plan simultaneous(Turn.Descend... turns) {
        return new Simultaneous(List.of(turns));
    }

    /** Takes one of the parts, which the schedule chooses each time. */
    static Plan choose(Schedule<?> schedule, Plan... parts) {
        return new Choose(schedule, List.of(parts));
    }

    /** Takes a part if a condition fires, which is evaluated whenever the part comes up. */
    static Plan when(Condition<?> condition, Plan part) {
        return new When(condition, part);
    }

    /** Repeats a part until a condition fires or a number of times is reached. */
    static Plan until(Condition<?> condition, Plan part, int most) {
        return new Until(condition, part, most);
    }

    /** Takes one of the turns at random, with probability proportional to its weight; the order of the map does not matter. */
    static Plan random(Map<? extends Turn, Double> weights) {
        List<? extends Turn> turns = weights.keySet().stream()
                .sorted(Comparator.comparing(Turn::name))
                .toList();
        Map<String, Double> byName = new LinkedHashMap<>();
        turns.forEach(turn -> byName.put(turn.name(), weights.get(turn)));
        return new RandomChoice(byName, List.copyOf(turns));
    }

    /** Takes a part on trial and keeps a share of its change: 0 restores the state before it, 1 keeps all. */
    static Plan trial(Plan part, double keep) {
        return new Trial(part, List.of(), 1, keep, false, false);
    }

    /** Takes a part on trial: turns compute their gradients at its result and update the weights from before it. */
    static Trial trial(Plan part, Turn.Descend... then) {
        return new Trial(part, List.of(then), 1, 0, false, false);
    }

    /** Repeats this part several times in a row. */
    default Plan times(int times) {
        return new Repeat(times, this);
    }

    /**
     * Returns its turns by name, in the order of their first appearance.
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

    /** Prints parts as {@code (d, g)}. */
    static String joined(List<? extends Plan> parts) {
        return "(" + String.join(", ", parts.stream().map(Plan::toString).toList()) + ")";
    }
}
