package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import java.util.ArrayList;
import java.util.List;

/** A condition on several conditions, each of which is evaluated every time. */
interface Combination extends Condition<Combination.Each> {
    /** The memory of each. */
    record Each(List<Record> states) {}

    /** Returns whether it fires, given whether each fires. */
    boolean holds(List<Boolean> each);

    @Override
    default Each start() {
        return new Each(conditions().stream().map(one -> Condition.start(one)).toList());
    }

    @Override
    default Each begin(ScheduleView view) {
        return new Each(
                conditions().stream().map(one -> Condition.begin(one, view)).toList());
    }

    @Override
    default Look<Each> look(Each each, ScheduleView view) {
        List<Boolean> fires = new ArrayList<>();
        List<Record> states = new ArrayList<>();
        for (Condition<?> one : conditions()) {
            Look<? extends Record> look = Condition.look(one, each.states().get(states.size()), view);
            fires.add(look.fires());
            states.add(look.then());
        }
        return new Look<>(holds(fires), new Each(states));
    }
}
