package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.Trigger;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.stream.Collectors;

/** Fires when at least one of several conditions fires; each is evaluated every time. */
public record Any(@Setting(help = "conditions") List<Condition<?>> any) implements Combination {
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
    public List<Condition<?>> conditions() {
        return any;
    }

    @Override
    public boolean holds(List<Boolean> each) {
        return each.contains(true);
    }
}
