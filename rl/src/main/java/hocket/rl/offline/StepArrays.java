package hocket.rl.offline;

import hocket.rl.spaces.Space;
import hocket.schedulers.settings.Limits;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Steps of episodes one after the other, as the arrays of {@link OfflineData}. */
public final class StepArrays {
    private final Space observations;
    private final Space actions;
    private final List<float[]> seen = new ArrayList<>();
    private final List<float[]> taken = new ArrayList<>();
    private final List<float[]> next = new ArrayList<>();
    private final List<float[]> ends = new ArrayList<>();
    private final List<Double> rewards = new ArrayList<>();

    /** Makes arrays without steps. */
    public StepArrays(Space observations, Space actions) {
        this.observations = observations;
        this.actions = actions;
    }

    /**
     * Adds a step.
     *
     * @param action as the environment received it
     * @param after the observation after the step
     */
    public void add(
            float[] observation, float[] action, double reward, float[] after, boolean terminated, boolean truncated) {
        Limits.elements(
                "recorded observations: steps and numbers of each, of fewer --episodes",
                rewards.size() + 1,
                observation.length,
                Float.BYTES);
        seen.add(observation);
        taken.add(action);
        rewards.add(reward);
        next.add(after);
        ends.add(new float[] {terminated ? 1 : 0, truncated ? 1 : 0});
    }

    /**
     * Returns the arrays, by name.
     *
     * @param low the return that a normalised score of 0 stands for
     * @param high the return that a normalised score of 100 stands for
     */
    public SortedMap<String, Tensor> arrays(double low, double high) {
        SortedMap<String, Tensor> arrays = new TreeMap<>();
        int steps = rewards.size();
        arrays.put("observations", floats(observations.shape(), seen));
        arrays.put("next_observations", floats(observations.shape(), next));
        arrays.put("actions", actions.type() == ElementType.FLOAT32 ? floats(actions.actionShape(), taken) : indices());
        arrays.put(
                "rewards",
                Tensor.of(
                        Shape.of(steps),
                        rewards.stream().mapToDouble(Double::doubleValue).toArray()));
        arrays.put("terminations", flags(0));
        arrays.put("truncations", flags(1));
        arrays.put(OfflineData.LOW, Tensor.of(Shape.scalar(), new double[] {low}));
        arrays.put(OfflineData.HIGH, Tensor.of(Shape.scalar(), new double[] {high}));
        return arrays;
    }

    private static Tensor floats(Shape shape, List<float[]> rows) {
        float[] all = new float[rows.size() * shape.size()];
        for (int i = 0; i < rows.size(); i++) {
            System.arraycopy(rows.get(i), 0, all, i * shape.size(), shape.size());
        }
        return Tensor.of(shape.prepend(rows.size()), all);
    }

    private Tensor indices() {
        long[] all = new long[taken.size() * actions.width()];
        for (int i = 0; i < all.length; i++) {
            all[i] = (long) taken.get(i / actions.width())[i % actions.width()];
        }
        return Tensor.of(actions.actionShape().prepend(taken.size()), all);
    }

    private Tensor flags(int column) {
        long[] all = new long[ends.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = (long) ends.get(i)[column];
        }
        return Tensor.of(Shape.of(all.length), all);
    }
}
