package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;

/** A link behind which nothing happens at some updates: what follows neither runs nor counts, and no weight moves. */
public interface Gate extends GradientTransformation {
    /**
     * Whether what follows runs.
     *
     * @param count the number of this update of the link, from 1
     */
    boolean opens(long count);
}
