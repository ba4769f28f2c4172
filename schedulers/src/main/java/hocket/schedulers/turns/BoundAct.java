package hocket.schedulers.turns;

import hocket.programs.checks.Anomaly;
import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Turn;
import hocket.schedulers.runs.History;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
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
    private final List<Parameters.Cell> written = new ArrayList<>();
    private final List<Parameters.Cell> others = new ArrayList<>();
    private final long[] changes;

    BoundAct(Turn.Act act, Parameters parameters, History history) {
        super(act);
        this.act = act;
        this.history = history;
        SortedSet<Path> paths = Writes.written(act, parameters.declarations());
        for (Declaration declaration : parameters.declarations()) {
            (paths.contains(declaration.path()) ? written : others).add(parameters.cell(declaration.path()));
        }
        changes = new long[others.size()];
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

    /** The state of code that writes parameters, which goes back with them where a part of the plan looks ahead. */
    @Override
    State carried() {
        return !written.isEmpty() && act.action() instanceof Stateful action ? NonNull.saved(action) : State.empty();
    }

    @Override
    void carried(State states) {
        if (!written.isEmpty() && act.action() instanceof Stateful action) {
            NonNull.back("turn " + act.name(), action, states);
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

    /**
     * Runs the code.
     *
     * @throws IllegalStateException if it wrote another parameter than it declares
     */
    public Event.Acted take(Run run, Event.Position at) {
        Arrays.setAll(changes, i -> others.get(i).changes());
        reported.clear();
        act.action().act(run);
        for (int i = 0; i < changes.length; i++) {
            if (others.get(i).changes() != changes[i]) {
                throw new IllegalStateException("turn " + act.name() + " is a turn of Java and wrote "
                        + others.get(i).declaration().path() + ", which it does not declare: "
                        + (act.written().isEmpty() ? "it has no writes" : "its writes are " + act.written()));
            }
        }
        return new Event.Acted(at, act.name(), metrics());
    }

    /** Returns whether a call that failed has changed nothing that is saved. */
    public boolean isAsBefore() {
        return written.isEmpty() && act.action() instanceof RetryableAction action && action.canRetry();
    }

    /** @throws DivergedException if a parameter that it declares is not finite */
    public void requireFinite(Event.Position at) {
        for (Parameters.Cell cell : written) {
            Declaration of = cell.declaration();
            if (!Anomaly.isFinite(cell.buffer(), of.type())) {
                throw new DivergedException(
                        message(at, "it wrote a value that is not finite, which the store holds now"),
                        Optional.of(Anomaly.ofParameter(
                                of.path().text(), cell.array().read())));
            }
        }
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

    @Override
    void closeAction() throws Exception {
        if (act.action() instanceof AutoCloseable action) {
            action.close();
        }
    }
}
