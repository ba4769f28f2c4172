package hocket.rl.replay;

import hocket.rl.actors.Policy;
import hocket.rl.returns.AdvantageEstimator;
import hocket.schedulers.state.State;
import java.util.Map;

/** Reads rollouts as releases before 0.1 saved them, too. */
final class FormerRollouts {
    private static final Map<String, String> NAMES = Map.of(
            "observations", Policy.OBSERVATION,
            "actions", "action",
            "log_probabilities", "log_probability",
            "values", "value",
            "advantages", "advantage",
            "returns", "return");

    private FormerRollouts() {}

    /** Returns the saved rows of a turn: what its table saves. */
    static State rows(State turn) {
        if (turn.has("rows")) {
            return turn.state("rows");
        }
        State rows = State.empty().with("collected", turn.whole("collected"));
        for (Map.Entry<String, String> name : NAMES.entrySet()) {
            if (turn.has(name.getKey())) {
                rows = rows.with(name.getValue(), turn.tensor(name.getKey()));
            }
        }
        return rows;
    }

    /** Restores an estimator from the saved state of a turn; before 0.1 none had a state. */
    static void restore(AdvantageEstimator estimate, State turn) {
        if (turn.has("estimate")) {
            estimate.restore(turn.state("estimate"));
        }
    }
}
