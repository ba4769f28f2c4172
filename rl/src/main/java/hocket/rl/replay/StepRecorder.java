package hocket.rl.replay;

import hocket.rl.actors.TrainingEnvironments;
import hocket.schedulers.state.State;

/** Makes the rows of a replay from the steps of environments: {@link Transitions} or {@link Sequences}. */
public sealed interface StepRecorder permits Transitions, Sequences {
    /** The replay that takes the rows. */
    Replay replay();

    /**
     * Takes what an agent sees and does in each environment, before they step. It adds no row, and if the step fails, the next
     * call replaces what it took.
     *
     * @param actions before their transform, one row after the other
     * @param memory the state of the policy's memory before the step; none without one
     */
    void acted(TrainingEnvironments all, float[] actions, float[] memory);

    /** Takes the rewards and ends of episodes of the step. */
    void stepped(TrainingEnvironments all);

    /** Saves the steps that are in no row yet. */
    State save();

    /**
     * Reads such a state.
     *
     * @return restores it
     * @throws IllegalArgumentException if it was saved with other settings
     */
    Runnable restoring(State state);
}
