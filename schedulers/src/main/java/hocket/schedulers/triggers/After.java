package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;

/** Fires each time from a number of completed rounds on. */
public record After(
        @Setting(least = 0, help = "from this many completed rounds on")
        long after) implements Condition<After.Nothing>, AfterCopies {
    /** The memory of this condition, which is empty. */
    public record Nothing() {}

    /** @throws IllegalArgumentException if the number is negative */
    public After {
        AfterCopies.check(after);
    }

    @Override
    public String words() {
        return "from round " + NumberText.grouped(after) + " on";
    }

    @Override
    public Nothing start() {
        return new Nothing();
    }

    @Override
    public Look<Nothing> look(Nothing state, ScheduleView view) {
        return new Look<>(view.round() >= after, state);
    }
}
