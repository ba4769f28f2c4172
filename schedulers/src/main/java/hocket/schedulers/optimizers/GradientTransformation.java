package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Keyed;
import hocket.scopes.Path;
import java.util.List;

/**
 * A link of a chain: a record of its settings, with a method that changes the update. The value that passes along the
 * chain is the update, at first the gradient; at the end w ← w − update. So a rule such as Adam multiplies by its rate,
 * and later links receive the step that it would take.
 *
 * <p>A custom link needs {@link #update} only, and {@link #slots} for state of each weight:
 *
 * <pre>
 * public record SignDescent(&#64;Setting(help = "learning rate") Rate rate)
 *         implements GradientTransformation {
 *     public void update(Chunk chunk) {
 *         double[] u = chunk.update();
 *         for (int i = 0; i &lt; chunk.length(); i++) {
 *             u[i] = chunk.rate() * Math.signum(u[i]);
 *         }
 *     }
 * }
 * </pre>
 *
 * It computes in double for weights of either type, one element like another: several threads work on several chunks. Its
 * settings are its components: numbers, and {@link Rate}s, of which it has at most one.
 */
@Keyed
public non-sealed interface GradientTransformation extends UpdateRule {
    /** Returns the slots of each weight, in the order of {@link Chunk#slot}; changes of settings do not affect them. */
    default List<Slot> slots() {
        return List.of();
    }

    /** Returns whether it changes the update of a weight; called once for each. */
    default boolean touches(Path weight) {
        return true;
    }

    /**
     * Computes numbers that are the same for all elements of one update, once, before {@link #update}.
     *
     * @param count the number of this update of the link, from 1
     * @param rate as {@link Chunk#rate}
     * @param numbers array for {@link Chunk#numbers}, of zeros: what the next update needs belongs into {@link #slots}
     */
    default void prepare(long count, double rate, double[] numbers) {}

    /** Changes the update and the slots of some elements. */
    void update(Chunk chunk);

    @Override
    default List<GradientTransformation> links() {
        return List.of(this);
    }
}
