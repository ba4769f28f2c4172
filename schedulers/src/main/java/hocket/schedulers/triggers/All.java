package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Trigger;
import hocket.schedulers.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Fires when all of several conditions fire; each is evaluated every time. */
public record All(@Setting(help = "conditions") List<Condition<?>> all) implements Condition<All.Each> {
    /** The memory of each. */
    public record Each(List<Record> states) {}

    /** @throws IllegalArgumentException if there are none */
    public All {
        all = List.copyOf(all);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("all: needs at least one condition");
        }
    }

    @Override
    public String words() {
        return all.stream().map(Trigger::words).collect(Collectors.joining(" and "));
    }

    @Override
    public List<String> sourcesRead() {
        return all.stream().flatMap(one -> one.sourcesRead().stream()).toList();
    }

    @Override
    public List<String> seriesRead() {
        return all.stream().flatMap(one -> one.seriesRead().stream()).toList();
    }

    @Override
    public Each start() {
        return new Each(all.stream().map(one -> Condition.start(one)).toList());
    }

    @Override
    public Each begin(ScheduleView view) {
        return new Each(all.stream().map(one -> Condition.begin(one, view)).toList());
    }

    @Override
    public Look<Each> look(Each each, ScheduleView view) {
        boolean fires = true;
        List<Record> states = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Look<? extends Record> look =
                    Condition.look(all.get(i), each.states().get(i), view);
            fires &= look.fires();
            states.add(look.then());
        }
        return new Look<>(fires, new Each(states));
    }
}
