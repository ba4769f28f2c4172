package hocket.schedulers;

import java.util.List;

/** A turn of Java. */
final class BoundAct extends BoundTurn {
    private final Turn.Act act;

    BoundAct(Turn.Act act) {
        super(act);
        this.act = act;
    }

    @Override
    Event take(Scheduler scheduler, List<Feeding> feeds, Event.Position at) {
        act.action().act(scheduler.view());
        return new Event.Acted(at, act.name());
    }
}
