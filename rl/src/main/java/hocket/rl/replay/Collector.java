package hocket.rl.replay;

import hocket.rl.spaces.Space;
import hocket.schedulers.Run;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;

/**
 * A turn of Java that collects rows for {@link Minibatches} to train on before the next collection. The saved state
 * holds the collected rows and their environments.
 */
public abstract sealed class Collector implements Turn.Action, Stateful permits Rollout, TrajectoryBatch {
    private static final String[] TRAINED = {
        "observations", "actions", "log_probabilities", "values", "advantages", "returns"
    };

    final Space observationSpace;
    final Space actionSpace;
    private final int rows;
    private long collected;

    final int observationWidth;
    final int actionWidth;
    final float[] observations;
    final float[] actions;
    final float[] logProbabilities;
    final float[] values;
    final float[] advantages;
    final float[] returns;

    /**
     * @param observations takes each row's observation
     * @param actions takes each row's action
     */
    Collector(Space observationSpace, Space actionSpace, float[] observations, float[] actions) {
        this.observationSpace = observationSpace;
        this.actionSpace = actionSpace;
        this.observations = observations;
        this.actions = actions;
        observationWidth = observationSpace.width();
        actionWidth = actionSpace.width();
        rows = actions.length / actionWidth;
        logProbabilities = new float[rows];
        values = new float[rows];
        advantages = new float[rows];
        returns = new float[rows];
    }

    /** The number of rows of each collection. */
    public final int rows() {
        return rows;
    }

    /** The number of collections so far. */
    final long collected() {
        return collected;
    }

    @Override
    public final void act(Run run) {
        collect(run);
        collected++;
    }

    /** Notes about the collector for people, one line each. */
    List<String> notes() {
        return List.of();
    }

    /** Fills the arrays and reports metrics. */
    abstract void collect(Run run);

    @Override
    public State save() {
        State state = State.empty().with("collected", collected);
        float[][] all = trained();
        for (int i = 0; collected > 0 && i < all.length; i++) {
            state = state.with(TRAINED[i], Tensor.of(Shape.of(all[i].length), all[i]));
        }
        return state;
    }

    /**
     * Restores a saved state.
     *
     * @param environments restores the environments, after the rest was found to fit
     */
    final void restore(State state, Runnable environments) {
        long saved = state.whole("collected");
        float[][] all = trained();
        float[][] values = new float[all.length][];
        for (int i = 0; i < all.length; i++) {
            values[i] = saved > 0 ? state.tensor(TRAINED[i]).floats() : new float[all[i].length];
            if (values[i].length != all[i].length) {
                throw new IllegalArgumentException("rollout: " + TRAINED[i] + " was saved with " + values[i].length
                        + " numbers, here it has " + all[i].length);
            }
        }
        environments.run();
        for (int i = 0; i < all.length; i++) {
            System.arraycopy(values[i], 0, all[i], 0, all[i].length);
        }
        collected = saved;
    }

    /** The arrays that are trained on, in the order of {@link #TRAINED}. */
    private float[][] trained() {
        return new float[][] {observations, actions, logProbabilities, values, advantages, returns};
    }
}
