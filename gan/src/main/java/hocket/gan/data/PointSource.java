package hocket.gan.data;

import hocket.schedulers.Source;

/** A source of synthetic points, which scores compare generated points with. */
public interface PointSource extends Source {
    /** The definition of the points. */
    SyntheticPoints points();
}
