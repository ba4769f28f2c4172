package hocket.gan.parts;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;

/** A network that scores rows, high for real ones; in a file {@code discriminator: {dcgan: {norm: spectral}}}. */
@Keyed
@FunctionalInterface
public interface Discriminator {
    /**
     * Builds the network in the open module or scope.
     *
     * @param rows of any shape
     * @param condition of the rows
     * @throws IllegalArgumentException if it cannot score rows of that shape, or needs a condition
     */
    Scored score(Value rows, RowCondition condition);

    /** Builds the network without a condition and returns its logit. */
    default Value logit(Value rows) {
        return score(rows, RowCondition.none()).logit();
    }

    /** Returns the number of rows that a batch needs at least, if it compares the rows of a batch; otherwise 1. */
    default int fewestRows() {
        return 1;
    }

    /** Returns whether its weights are normalised such that its Lipschitz constant is bounded. */
    default boolean isLipschitzConstrained() {
        return false;
    }
}
