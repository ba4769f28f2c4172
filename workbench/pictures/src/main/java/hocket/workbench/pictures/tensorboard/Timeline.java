package hocket.workbench.pictures.tensorboard;

import hocket.schedulers.Event;
import hocket.workbench.runs.SampleName;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/** Maps rounds and epochs of a run to turns and times, by linear interpolation between known points. */
final class Timeline {
    /** The tolerance for sums of epochs, which are close to integers. */
    private static final double CLOSE = 1e-9;

    private final List<Event.Position> known = new ArrayList<>(List.of(new Event.Position(0, 0, 0)));

    /** Adds a point, not before the others. */
    void add(Event.Position at) {
        if (at.step() > last()) {
            known.add(at);
        }
    }

    /** Returns the turn of the last point. */
    long last() {
        return known.get(known.size() - 1).step();
    }

    /** Returns the turn of an image by its name; empty if it is after the last point. */
    OptionalLong step(SampleName name) {
        boolean isRound = name.isRound() || name.within().isPresent();
        ToDoubleFunction<Event.Position> by = isRound ? Event.Position::round : Event.Position::epoch;
        double asked = name.within().orElse(name.number());
        for (int i = 0; i < known.size(); i++) {
            double there = by.applyAsDouble(known.get(i));
            if (there >= asked - CLOSE) {
                if (i == 0) {
                    return OptionalLong.of(0);
                }
                Event.Position before = known.get(i - 1);
                double from = by.applyAsDouble(before);
                double part = (asked - from) / (there - from);
                return OptionalLong.of(
                        before.step() + Math.round(part * (known.get(i).step() - before.step())));
            }
        }
        return OptionalLong.empty();
    }
}
