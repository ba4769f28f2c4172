package hocket.schedulers;

/**
 * One part of a run: a plan that repeats until a budget, counted from the beginning of the phase, is reached.
 *
 * <p>For example:
 *
 * <pre>{@code
 * scheduler.phases(List.of(new Phase("critic", d, rounds(100)), new Phase("both", sequence(d, g), rounds(900))));
 * }</pre>
 *
 * @param name letters, digits, _ or -
 */
public record Phase(String name, Plan plan, Budget budget) {
    public Phase {
        if (!name.matches("[A-Za-z0-9_-]+")) {
            throw new IllegalArgumentException(
                    "a phase's name must be letters, digits, _ or -, at least one, was \"" + name + "\"");
        }
    }

    @Override
    public String toString() {
        return name + ": " + plan;
    }
}
