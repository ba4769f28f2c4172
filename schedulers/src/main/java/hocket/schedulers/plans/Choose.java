package hocket.schedulers.plans;

import hocket.schedulers.Move;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * A part that a schedule chooses each time. The schedule names a turn by its name, another part by {@link #name}.
 *
 * @param choose the schedule
 * @param of the parts to choose from
 */
public record Choose(
        @Setting(help = "a schedule, by class") Schedule<?> choose,
        @Setting(help = "the parts it chooses from") List<Plan> of)
        implements Node<Record> {
    /** @throws IllegalArgumentException if there is nothing to choose from */
    public Choose {
        of = List.copyOf(of);
        if (of.isEmpty()) {
            throw new IllegalArgumentException("a schedule needs at least one turn to choose from");
        }
    }

    @Override
    public List<Plan> parts() {
        return of;
    }

    @Override
    public boolean isChoice() {
        return true;
    }

    @Override
    public Plan with(List<Plan> parts) {
        return new Choose(choose, parts);
    }

    /** Returns the name by which a part is chosen: a turn's name, or the part's printed form. */
    public static String name(Plan part) {
        return part.toString();
    }

    @Override
    public Record start() {
        return NonNull.by(choose, "start()", choose.start());
    }

    /** @throws IllegalArgumentException if the schedule chooses an unknown part */
    @Override
    public Move<Record> next(Record state, ScheduleView view) {
        return next(choose, state, view);
    }

    @SuppressWarnings("unchecked") // what a schedule is given is what it started with or gave back
    private <S extends Record> Move<Record> next(Schedule<S> schedule, Record state, ScheduleView view) {
        Schedule.Choice<S> choice = NonNull.by(schedule, "next()", schedule.next((S) state, view));
        NonNull.toRemember(schedule, "next()", choice.state());
        for (int i = 0; i < of.size(); i++) {
            if (name(of.get(i)).equals(choice.turn())) {
                return new Move.Take<>(i, choice.state(), true, choice.settings());
            }
        }
        throw new IllegalArgumentException(
                "schedule " + schedule + " chose " + choice.turn() + "; it may choose from " + of);
    }

    @Override
    public String toString() {
        String chooser =
                choose instanceof Record ? choose.toString() : choose.getClass().getName();
        return "choose(" + chooser + "; " + Plan.joined(of).substring(1);
    }
}
