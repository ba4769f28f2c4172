package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;

/** Fires when a number of turns were taken since the last time, at the end of the first round that completes them. */
@Keyed.Name("turns")
public record EveryTurns(
        @Setting(least = 1, help = "after this many turns") long turns)
        implements Condition<EveryTurns.At>, EveryTurnsCopies {
    /** The turns at the last evaluation. */
    public record At(long step) {}

    /** @throws IllegalArgumentException if the number is below 1 */
    public EveryTurns {
        EveryTurnsCopies.check(turns);
    }

    @Override
    public String words() {
        return NumberText.every(turns, "turn");
    }

    @Override
    public boolean isPeriodic() {
        return true;
    }

    @Override
    public At start() {
        return new At(0);
    }

    @Override
    public At begin(ScheduleView view) {
        return new At(view.step());
    }

    @Override
    public Look<At> look(At at, ScheduleView view) {
        return new Look<>(view.step() / turns > at.step() / turns, new At(view.step()));
    }
}
