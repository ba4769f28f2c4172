package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.stream.Collectors;

/** Fires at each number of completed rounds of a list. */
@Keyed.Name("at")
public record AtRounds(
        @Setting(least = 0, help = "numbers of completed rounds: a list")
        List<Long> at) implements Condition.Stateless, AtRoundsCopies {
    /** @throws IllegalArgumentException if a number is negative, or the list is empty: it would never fire */
    public AtRounds {
        AtRoundsCopies.check(at);
        at = List.copyOf(at);
        if (at.isEmpty()) {
            throw new IllegalArgumentException("at: an empty list never fires; name the rounds, as in [100, 1000]");
        }
    }

    @Override
    public String words() {
        return "after " + (at.size() == 1 ? "round " : "rounds ")
                + at.stream().map(NumberText::grouped).collect(Collectors.joining(", "));
    }

    @Override
    public boolean holds(ScheduleView view) {
        return at.contains(view.round());
    }
}
