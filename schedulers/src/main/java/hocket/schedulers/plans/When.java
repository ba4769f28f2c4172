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
 * A part that is taken if a condition fires, evaluated whenever the part comes up, and skipped otherwise.
 *
 * @param when the condition
 * @param of the part
 */
public record When(
        @Setting(help = "a condition, such as {rounds: 16}") Condition<?> when,

        @Setting(help = "the part that is taken when it fires")
        Plan of)
        implements Node<Record> {
    @Override
    public List<Plan> parts() {
        return List.of(of);
    }

    @Override
    public Optional<Condition<?>> condition() {
        return Optional.of(when);
    }

    @Override
    public Plan with(List<Plan> parts) {
        return new When(when, parts.get(0));
    }

    @Override
    public Record start() {
        return Condition.start(when);
    }

    @Override
    public Move<Record> next(Record state, ScheduleView view) {
        Condition.Look<? extends Record> look = Condition.look(when, state, view);
        return look.fires() ? Move.last(0, look.then()) : Move.end(look.then());
    }

    @Override
    public String toString() {
        return "when(" + when + ", " + of + ")";
    }
}
