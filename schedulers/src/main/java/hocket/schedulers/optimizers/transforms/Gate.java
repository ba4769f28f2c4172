package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;

/** A transformation that skips some updates: later ones neither run nor count, and no weight changes. */
public interface Gate extends GradientTransformation {
    /**
     * Returns whether later transformations run.
     *
     * @param count the number of this update of the transformation, from 1
     */
    boolean opens(long count);
}
