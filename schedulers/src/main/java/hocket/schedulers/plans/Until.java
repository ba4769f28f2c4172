package hocket.schedulers.plans;

import hocket.schedulers.Condition;
import hocket.schedulers.Move;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.Optional;

/**
 * A part that repeats until a condition fires, which is evaluated after each time: at least once, at most {@code most}
 * times.
 *
 * @param until the condition
 * @param of the part
 * @param most largest number of repetitions
 */
public record Until(
        @Setting(help = "a condition, such as {below: {metric: d/loss, value: 0.4}}")
        Condition<?> until,

        @Setting(help = "the part that repeats until it fires")
        Plan of,

        @Setting(usually = "1000", least = 1, most = 1e6, help = "largest number of repetitions")
        int most)
        implements Node<Until.At>, UntilCopies {
    /** The repetitions so far, and the condition's memory. */
    public record At(int done, Record condition) {}

    /** @throws IllegalArgumentException if the limit is below 1 */
    public Until {
        UntilCopies.check(most);
    }

    @Override
    public List<Plan> parts() {
        return List.of(of);
    }

    @Override
    public Optional<Condition<?>> condition() {
        return Optional.of(until);
    }

    @Override
    public Plan with(List<Plan> parts) {
        return new Until(until, parts.get(0), most);
    }

    @Override
    public At start() {
        return new At(0, Condition.start(until));
    }

    @Override
    public Move<At> next(At at, ScheduleView view) {
        if (at.done() == 0) {
            return Move.take(0, new At(1, at.condition()));
        }
        Condition.Look<? extends Record> look = Condition.look(until, at.condition(), view);
        return look.fires() || at.done() >= most
                ? Move.end(new At(0, look.then()))
                : Move.take(0, new At(at.done() + 1, look.then()));
    }

    @Override
    public String at(At at) {
        return at.done() == 0 ? "" : of + " " + at.done() + " of at most " + most;
    }

    @Override
    public String toString() {
        return "until(" + until + ", " + of + ", at most " + most + ")";
    }
}
