package hocket.schedulers.plans;

import hocket.schedulers.Count;
import hocket.schedulers.Move;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * A part that is repeated several times in a row.
 *
 * @param repeat number of repetitions
 * @param of the part
 */
public record Repeat(
        @Setting(help = "number of repetitions") Count repeat,
        @Setting(help = "the part to repeat") Plan of) implements Node<Repeat.At> {
    /** The repetitions so far and in total; both 0 before the first. */
    public record At(int done, int times) {}

    /** Repeats a part a fixed number of times. */
    public Repeat(int times, Plan of) {
        this(new Count.Times(times), of);
    }

    @Override
    public List<Plan> parts() {
        return List.of(of);
    }

    @Override
    public Plan with(List<Plan> parts) {
        return new Repeat(repeat, parts.get(0));
    }

    @Override
    public At start() {
        return new At(0, 0);
    }

    /** @throws IllegalArgumentException if the count is below 1 */
    @Override
    public Move<At> next(At at, ScheduleView view) {
        int times = at.times() == 0 ? repeat.at(view) : at.times();
        if (times < 1) {
            throw new IllegalArgumentException(
                    this + ": a count must be at least 1, was " + times + " in round " + view.round());
        }
        return at.done() < times ? Move.take(0, new At(at.done() + 1, times)) : Move.end(start());
    }

    @Override
    public String at(At at) {
        return at.times() == 0 ? "" : of + " " + at.done() + " of " + at.times();
    }

    @Override
    public String toString() {
        return repeat.equals(new Count.Times(1)) ? of.toString() : of + " × " + repeat;
    }
}
