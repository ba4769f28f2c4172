package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.updates.GradientTransformations;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * An optimizer whose updates of embedding tables take the rows that this step looks up, and leave the weights, slots and
 * decay of all others as they are, as PyTorch's {@code SparseAdam} and TensorFlow's {@code LazyAdam}. Without it an
 * optimizer is dense: momentum and decay move rows that a step does not look up. The count of updates, by which Adam
 * corrects its averages, is the table's in both cases. A row whose gradient is 0 is in use if it was looked up.
 *
 * <p>An update takes time in proportion to these rows, not to the table. Other weights are updated as without it.
 *
 * @param lazy the optimizer; no link may need the rows that are not in use
 */
public record Lazy(
        @Setting(help = "optimizer that updates the rows of tables that are looked up, and no others")
        UpdateRule lazy) implements UpdateRule {
    /** @throws IllegalArgumentException if it is lazy already, or a link needs whole weights, naming it */
    public Lazy {
        if (lazy instanceof Lazy) {
            throw new IllegalArgumentException("lazy: the optimizer is lazy already");
        }
        for (GradientTransformation link : lazy.links()) {
            if (link instanceof Lamb || link.slots().stream().anyMatch(Slot::isOfWeight)) {
                throw new IllegalArgumentException("lazy: " + GradientTransformations.key(link)
                        + " needs whole weights, and lazy updates take some of their rows");
            }
        }
    }

    @Override
    public List<GradientTransformation> links() {
        return lazy.links();
    }
}
