package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Setting;
import java.util.List;

/** Fires when another condition does not. */
public record Not(@Setting(help = "a condition") Condition<?> not) implements Condition<Record> {
    @Override
    public String words() {
        return "unless " + not.words();
    }

    @Override
    public List<Condition<?>> conditions() {
        return List.of(not);
    }

    @Override
    public Record start() {
        return Condition.start(not);
    }

    @Override
    public Record begin(ScheduleView view) {
        return Condition.begin(not, view);
    }

    @Override
    public Look<Record> look(Record state, ScheduleView view) {
        Look<? extends Record> look = Condition.look(not, state, view);
        return new Look<>(!look.fires(), look.then());
    }
}
