package hocket.workbench.live.views;

import hocket.schedulers.Event;
import hocket.schedulers.Setup;
import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The position of a run that is not training: at its newest checkpoint, or at its last metric if that is later.
 *
 * @param setup its experiment
 * @param curves that it recorded
 * @param saved its newest checkpoint without arrays; empty if there is none
 */
record RunPosition(Setup setup, LiveCurves curves, State saved) {
    private static final String RATE = "rate";

    Event.Position at() {
        Event.Position recorded = curves.last();
        if (!saved.has("step") || !saved.has("round")) {
            return recorded;
        }
        long step = saved.whole("step");
        long round = saved.whole("round");
        boolean isLater = step > recorded.step() || (step == recorded.step() && round > recorded.round());
        return isLater ? new Event.Position(step, round, epoch(recorded)) : recorded;
    }

    /** Returns the epoch of the first feed: from the checkpoint's count of rows, else from the last metric. */
    private double epoch(Event.Position recorded) {
        if (setup.feeds().isEmpty() || !saved.has("sources")) {
            return recorded.epoch();
        }
        State sources = saved.state("sources");
        String first = setup.feeds().get(0).source().name();
        State cursor = sources.has(first) ? sources.state(first) : State.empty();
        if (!List.of("epoch", "cursor", "rows", "batch").stream().allMatch(cursor::has) || cursor.whole("batch") < 1) {
            return recorded.epoch();
        }
        long drawn = cursor.whole("rows") / cursor.whole("batch") * cursor.whole("batch");
        return cursor.whole("epoch") + (drawn == 0 ? 0 : (double) cursor.whole("cursor") / drawn);
    }

    /** Returns the settings of its rules: the rates that it recorded last, and later changes. */
    SortedMap<String, Double> settings() {
        SortedMap<String, Double> settings = new TreeMap<>();
        setup.descending().forEach(turn -> {
            LiveCurve rate = curves.byName().get(turn.name() + "/" + RATE);
            if (rate != null) {
                settings.put(turn.name() + "/" + RATE, rate.last());
            }
            branch(branch(branch(saved, "turns"), turn.name()), "set").items().forEach((name, value) -> {
                if (value instanceof Saved.Real real) {
                    settings.put(turn.name() + "/" + name, real.value());
                }
            });
        });
        return settings;
    }

    /** Returns the plan of its rounds from now on, in words. */
    String plan() {
        String usual = setup.phases().get(0).plan().toString();
        String swapped = text("swapped_next").isEmpty() ? text("swapped") : text("swapped_next");
        try {
            return swapped.isEmpty() ? usual : setup.plan(swapped).toString();
        } catch (IllegalArgumentException e) {
            return swapped; // turns that the file no longer has
        }
    }

    private String text(String name) {
        return saved.items().get(name) instanceof Saved.Text text ? text.value() : "";
    }

    private static State branch(State of, String name) {
        return of.items().get(name) instanceof State inner ? inner : State.empty();
    }
}
