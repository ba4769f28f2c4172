package hocket.schedulers.turns;

import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Turn;
import hocket.schedulers.runs.History;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A bound turn of Java. If its code is {@link Stateful}, its state is saved with the run. */
public final class BoundAct extends BoundTurn {
    /** The key of the code's state in saved states. */
    static final String ACTION = "action";

    private final Turn.Act act;
    private final History history;
    private final @Nullable State begin;
    private final TreeMap<String, Double> reported = new TreeMap<>();

    BoundAct(Turn.Act act, History history) {
        super(act);
        this.act = act;
        this.history = history;
        history.knows(act);
        this.begin = act.action() instanceof Stateful action ? NonNull.saved(action) : null;
    }

    @Override
    void reset() {
        super.reset();
        if (act.action() instanceof Stateful action && begin != null) {
            NonNull.back("turn " + act.name(), action, begin);
        }
    }

    @Override
    public State save() {
        State state = super.save();
        return act.action() instanceof Stateful action ? state.with(ACTION, NonNull.saved(action)) : state;
    }

    @Override
    public void restore(State state) {
        super.restore(state);
        if (act.action() instanceof Stateful action) {
            NonNull.back("turn " + act.name(), action, state.state(ACTION));
        }
    }

    @Override
    public Event take(Taking by) {
        return by.act(this);
    }

    public void report(String name, double value) {
        reported.put(name, value);
    }

    public Event.Acted take(Run run, Event.Position at) {
        long writes = run.parameters().writes();
        reported.clear();
        act.action().act(run);
        if (run.parameters().writes() != writes) {
            throw new IllegalStateException("turn " + act.name()
                    + " is a turn of Java and wrote parameters: only turns that descend or follow may, since the plan"
                    + " says what those write");
        }
        return new Event.Acted(at, act.name(), metrics());
    }

    private Event.Metrics metrics() {
        if (reported.isEmpty()) {
            return Event.Metrics.none();
        }
        double[] values = new double[reported.size()];
        int i = 0;
        for (var entry : reported.entrySet()) {
            values[i++] = entry.getValue();
            history.series(act.name() + "/" + entry.getKey()).add(entry.getValue());
        }
        return new Event.Metrics(List.copyOf(reported.keySet()), values);
    }
}
