package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;

/** Fires each time from a number of completed rounds on. */
public record After(
        @Setting(least = 0, help = "from this many completed rounds on")
        long after) implements Condition.Stateless, AfterCopies {
    /** @throws IllegalArgumentException if the number is negative */
    public After {
        AfterCopies.check(after);
    }

    @Override
    public String words() {
        return "from round " + NumberText.grouped(after) + " on";
    }

    @Override
    public boolean holds(ScheduleView view) {
        return view.round() >= after;
    }
}
