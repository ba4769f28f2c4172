package hocket.rl.replay;

import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.returns.AdvantageEstimator;
import hocket.rl.returns.ValueNormalisation;
import hocket.schedulers.Run;
import hocket.schedulers.state.State;
import java.util.Map;

/** A turn of Java that collects steps of environments, and rows with advantages: its state, and how a failed turn is rolled back. */
abstract class OnPolicyRollout implements TableCollector {
    /** Names of columns by those that releases before 0.1 saved. */
    private static final Map<String, String> FORMER = Map.of(
            "observations", Policy.OBSERVATION,
            "actions", "action",
            "log_probabilities", "log_probability",
            "values", "value",
            "advantages", "advantage",
            "returns", "return");

    final TrainingEnvironments environments;
    final AdvantageEstimator estimate;
    final Table table;
    private final RollbackState rollback;

    OnPolicyRollout(TrainingEnvironments environments, AdvantageEstimator estimate, Table table) {
        this.environments = environments;
        this.estimate = estimate;
        this.table = table;
        rollback = new RollbackState(environments, this::saveSteps, this::restoreSteps);
    }

    @Override
    public final Table table() {
        return table;
    }

    @Override
    public final void act(Run run) {
        rollback.collect(() -> collect(run));
    }

    /** Collects rows; calls {@link #begin} first. */
    abstract void collect(Run run);

    /** Begins a collection: a failure from now on rolls back to the present state. */
    final void begin(Run run) {
        environments.begin(run);
        rollback.keep();
        estimate.begins(environments.episodeStarts());
    }

    @Override
    public final State save() {
        return rollback.toSave().with("rows", table.save());
    }

    @Override
    public final void restore(State state) {
        State rows = savedRows(state);
        table.require(rows);
        restoreSteps(state);
        rollback.forget();
        table.restore(rows);
    }

    @Override
    public final boolean canRetry() {
        return rollback.hasFailed();
    }

    /** Saves what a collection changes before its rows are whole. */
    State saveSteps() {
        return State.empty().with("worlds", environments.save()).with("estimate", estimate.save());
    }

    void restoreSteps(State state) {
        environments.restore(state.state("worlds"));
        if (state.has("estimate")) { // before 0.1 no estimator had a state
            estimate.restore(state.state("estimate"));
        }
    }

    /** Copies the statistics by which the other normalised observations and returns. */
    @Override
    public final void inherit(State saved) {
        State before = estimate.save();
        ValueNormalisation.inherit(saved.has("estimate") ? saved.state("estimate") : State.empty(), estimate);
        try {
            environments.inherit(saved.state("worlds"));
        } catch (RuntimeException e) {
            estimate.restore(before);
            throw e;
        }
    }

    @Override
    public final void close() {
        environments.close();
    }

    /** Returns the rows in a saved state of this turn. */
    State savedRows(State turn) {
        return rows(turn);
    }

    /** Returns the saved rows of a turn: what its table saves. Releases before 0.1 saved them beside the turn's state. */
    static State rows(State turn) {
        if (turn.has("rows")) {
            return turn.state("rows");
        }
        State rows = State.empty().with("collected", turn.whole("collected"));
        for (Map.Entry<String, String> name : FORMER.entrySet()) {
            if (turn.has(name.getKey())) {
                rows = rows.with(name.getValue(), turn.tensor(name.getKey()));
            }
        }
        return rows;
    }
}
