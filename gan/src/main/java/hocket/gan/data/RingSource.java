package hocket.gan.data;

import hocket.schedulers.Source;

/** A source of points of a known Gaussian mixture, which scores compare generated points with. */
public interface RingSource extends Source {
    /** The mixture of the points. */
    GaussianRing ring();
}
