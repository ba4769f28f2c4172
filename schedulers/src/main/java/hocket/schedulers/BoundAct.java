package hocket.schedulers;

/** A turn of Java. */
final class BoundAct extends BoundTurn {
    private final Turn.Act act;

    BoundAct(Turn.Act act) {
        super(act);
        this.act = act;
    }

    Event.Acted take(Run run, Event.Position at) {
        long writes = run.parameters().writes();
        act.action().act(run);
        if (run.parameters().writes() != writes) {
            throw new IllegalStateException("turn " + act.name()
                    + " is Java that acts, and wrote parameters: only turns that descend or follow may, since the plan"
                    + " says what those write");
        }
        return new Event.Acted(at, act.name());
    }
}
