package hocket.gan.data;

import hocket.schedulers.ForwardingSource;
import hocket.schedulers.Source;

/** Batches of points of a ring. */
final class RingBatches extends ForwardingSource implements RingSource {
    private final GaussianRing ring;

    RingBatches(GaussianRing ring, Source batches) {
        super(batches);
        this.ring = ring;
    }

    @Override
    public GaussianRing ring() {
        return ring;
    }
}
