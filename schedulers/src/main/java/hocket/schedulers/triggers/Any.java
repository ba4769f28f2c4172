package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Trigger;
import hocket.schedulers.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Fires when at least one of several conditions fires; each is evaluated every time. */
public record Any(@Setting(help = "conditions") List<Condition<?>> any) implements Condition<Any.Each> {
    /** The memory of each. */
    public record Each(List<Record> states) {}

    /** @throws IllegalArgumentException if there are none */
    public Any {
        any = List.copyOf(any);
        if (any.isEmpty()) {
            throw new IllegalArgumentException("any: needs at least one condition");
        }
    }

    @Override
    public String words() {
        return any.stream().map(Trigger::words).collect(Collectors.joining(" or "));
    }

    @Override
    public List<String> sourcesRead() {
        return any.stream().flatMap(one -> one.sourcesRead().stream()).toList();
    }

    @Override
    public List<String> seriesRead() {
        return any.stream().flatMap(one -> one.seriesRead().stream()).toList();
    }

    @Override
    public Each start() {
        return new Each(any.stream().map(one -> Condition.start(one)).toList());
    }

    @Override
    public Each begin(ScheduleView view) {
        return new Each(any.stream().map(one -> Condition.begin(one, view)).toList());
    }

    @Override
    public Look<Each> look(Each each, ScheduleView view) {
        boolean fires = false;
        List<Record> states = new ArrayList<>();
        for (int i = 0; i < any.size(); i++) {
            Look<? extends Record> look =
                    Condition.look(any.get(i), each.states().get(i), view);
            fires |= look.fires();
            states.add(look.then());
        }
        return new Look<>(fires, new Each(states));
    }
}
