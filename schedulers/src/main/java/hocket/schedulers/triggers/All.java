package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.Trigger;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.stream.Collectors;

/** Fires when all of several conditions fire; each is evaluated every time. */
public record All(@Setting(help = "conditions") List<Condition<?>> all) implements Combination {
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
    public List<Condition<?>> conditions() {
        return all;
    }

    @Override
    public boolean holds(List<Boolean> each) {
        return !each.contains(false);
    }
}
