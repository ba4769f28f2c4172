package hocket.schedulers;

/** A turn of Java. */
final class BoundAct extends BoundTurn {
    private final Turn.Act act;

    BoundAct(Turn.Act act) {
        super(act);
        this.act = act;
    }

    Event.Acted take(Run run, Event.Position at) {
        act.action().act(run);
        return new Event.Acted(at, act.name());
    }
}
