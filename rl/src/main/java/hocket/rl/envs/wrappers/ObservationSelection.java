package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

/**
 * A wrapper that shows some of an observation's numbers only, in the order given: of CartPole-v1, {@code [0, 2]} hides the
 * velocities, so that an agent needs a memory.
 */
public final class ObservationSelection extends ForwardingEnvironment {
    private final int[] indices;
    private final float[] all;
    private final Box observations;

    /**
     * Wraps an environment.
     *
     * @param indices of the numbers that are seen, from 0
     * @throws IllegalArgumentException if observations are not of a box, or there is no such number, or it is given twice
     */
    public ObservationSelection(Environment inner, List<Integer> indices) {
        super(inner);
        Box box = BoxSpaces.require(inner, inner.observations(), "selected observations");
        boolean areThere = indices.stream().allMatch(index -> index >= 0 && index < box.width());
        if (!areThere || indices.isEmpty() || new HashSet<>(indices).size() < indices.size()) {
            throw new IllegalArgumentException(inner.name() + ": observed numbers must be different ones of 0 to "
                    + (box.width() - 1) + ", were " + indices);
        }
        this.indices = indices.stream().mapToInt(Integer::intValue).toArray();
        all = new float[box.width()];
        observations = box.arranged(Shape.of(this.indices.length), i -> this.indices[i]);
    }

    @Override
    public Space observations() {
        return observations;
    }

    @Override
    public void observe(float[] into, int at) {
        Arrays.fill(all, Float.NaN); // marks elements that are not written
        inner().observe(all, 0);
        for (int i = 0; i < indices.length; i++) {
            into[at + i] = all[indices[i]];
        }
    }
}
