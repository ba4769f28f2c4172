package hocket.schedulers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a round consists of: a turn, or turns put together. Immutable data, bound to nothing; prints as it was written.
 */
public sealed interface Plan permits Turn, Plan.Sequence, Plan.Repeat, Plan.Simultaneous, Plan.Choose {
    /** What it is put together from, each part once; none for a turn. */
    List<? extends Plan> parts();

    /** One part after the other. */
    record Sequence(List<Plan> parts) implements Plan {
        public Sequence {
            parts = List.copyOf(parts);
            if (parts.isEmpty()) {
                throw new IllegalArgumentException("a sequence needs at least one part");
            }
        }

        @Override
        public String toString() {
            return "sequence" + joined(parts);
        }
    }

    /** A part several times. */
    record Repeat(int times, Plan part) implements Plan {
        public Repeat {
            if (times < 1) {
                throw new IllegalArgumentException("times must be a whole number of at least 1, was " + times);
            }
        }

        @Override
        public List<Plan> parts() {
            return List.of(part);
        }

        @Override
        public String toString() {
            return part + " × " + times;
        }
    }

    /** Turns whose gradients are all computed before the first of them writes. */
    record Simultaneous(List<Turn.Descend> turns) implements Plan {
        public Simultaneous {
            turns = List.copyOf(turns);
            if (turns.size() < 2) {
                throw new IllegalArgumentException("a simultaneous group needs at least two turns, got " + turns);
            }
            for (int i = 0; i < turns.size(); i++) {
                if (turns.indexOf(turns.get(i)) < i) {
                    throw new IllegalArgumentException("a simultaneous group takes a turn once, got " + turns);
                }
            }
        }

        @Override
        public List<Turn.Descend> parts() {
            return turns;
        }

        @Override
        public String toString() {
            return "simultaneous" + joined(turns);
        }
    }

    /** One of the turns, chosen by a schedule each time. */
    record Choose(Schedule<?> schedule, List<Turn> turns) implements Plan {
        public Choose {
            turns = List.copyOf(turns);
            if (turns.isEmpty()) {
                throw new IllegalArgumentException("a schedule needs at least one turn to choose from");
            }
        }

        @Override
        public List<Turn> parts() {
            return turns;
        }

        @Override
        public String toString() {
            String chooser = schedule instanceof Record
                    ? schedule.toString()
                    : schedule.getClass().getName();
            return "choose(" + chooser + "; " + joined(turns).substring(1);
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

    /** A turn of the schedule's choice. */
    static Plan choose(Schedule<?> schedule, Turn... turns) {
        return new Choose(schedule, List.of(turns));
    }

    /** This part several times in a row. */
    default Plan times(int times) {
        return new Repeat(times, this);
    }

    /**
     * The turns in it by name, in the order in which they come first.
     *
     * @throws IllegalArgumentException if two turns have one name
     */
    default Map<String, Turn> turnsByName() {
        Map<String, Turn> turns = new LinkedHashMap<>();
        List<Plan> open = new ArrayList<>(List.of(this));
        while (!open.isEmpty()) {
            Plan part = open.remove(0);
            if (part instanceof Turn turn) {
                Turn other = turns.putIfAbsent(turn.name(), turn);
                if (other != null && !other.equals(turn)) {
                    throw new IllegalArgumentException("two turns of the plan are called " + turn.name());
                }
            } else {
                open.addAll(0, part.parts());
            }
        }
        return turns;
    }

    private static String joined(List<? extends Plan> parts) {
        return "(" + String.join(", ", parts.stream().map(Plan::toString).toList()) + ")";
    }
}
