package hocket.rl.actors;

import hocket.programs.execution.BoundProgram;
import hocket.scopes.Shape;

/**
 * The states of a policy's memory in some environments, from step to step; nothing of a policy without one. The policy
 * replaces them where an episode starts.
 */
public final class PolicyMemory {
    private final Policy policy;
    private final int count;
    private final float[] state;
    private final float[] starts;

    /** Makes states of zeros. */
    public PolicyMemory(Policy policy, int count) {
        this.policy = policy;
        this.count = count;
        state = new float[count * policy.stateShape().map(Shape::size).orElse(0)];
        starts = new float[count];
    }

    /** The states before the next step, one environment after the other. */
    public float[] state() {
        return state;
    }

    /**
     * Feeds the states to the policy's program.
     *
     * @param isStart whether each environment is at the first step of an episode
     */
    public void feed(BoundProgram bound, boolean[] isStart) {
        if (state.length == 0) {
            return;
        }
        for (int e = 0; e < count; e++) {
            starts[e] = isStart[e] ? 1 : 0;
        }
        Policy.feed(bound, bound.position(Policy.STATE), state, count);
        Policy.feed(bound, bound.position(Policy.START), starts, count);
    }

    /** Takes the states that the program gave, after it has run. */
    public void take(BoundProgram bound) {
        if (state.length > 0) {
            bound.result(policy.program().targets().size() - 1).asFloatBuffer().get(state);
        }
    }
}
