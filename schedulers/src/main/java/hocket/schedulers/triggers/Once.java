package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Setting;
import java.util.List;

/** Fires when another condition fires for the first time, and never again. */
public record Once(@Setting(help = "a condition") Condition<?> once) implements Condition<Once.State> {
    /** Whether it has fired, and the memory of the other condition. */
    public record State(boolean fired, Record of) {}

    @Override
    public String words() {
        return "the first time " + once.words();
    }

    @Override
    public List<Condition<?>> conditions() {
        return List.of(once);
    }

    @Override
    public State start() {
        return new State(false, Condition.start(once));
    }

    @Override
    public State begin(ScheduleView view) {
        return new State(false, Condition.begin(once, view));
    }

    @Override
    public Look<State> look(State state, ScheduleView view) {
        if (state.fired()) {
            return new Look<>(false, state);
        }
        Look<? extends Record> look = Condition.look(once, state.of(), view);
        return new Look<>(look.fires(), new State(look.fires(), look.then()));
    }
}
