package hocket.gan.data;

import hocket.schedulers.Source;

/** A source of points of a mixture that is known, so that scores can be taken against it. */
public interface RingSource extends Source {
    /** What the points were drawn from. */
    GaussianRing ring();
}
