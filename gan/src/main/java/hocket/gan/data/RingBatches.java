package hocket.gan.data;

import hocket.schedulers.Source;
import hocket.schedulers.feeds.ForwardingSource;
import java.util.Optional;

/** A source of batches of points of a Gaussian ring. */
final class RingBatches extends ForwardingSource implements RingSource {
    private final Source batches;
    private final GaussianRing ring;

    RingBatches(GaussianRing ring, Source batches) {
        super(batches);
        this.batches = batches;
        this.ring = ring;
    }

    @Override
    public Optional<Source> fresh() {
        return batches.fresh().map(each -> new RingBatches(ring, each));
    }

    @Override
    public GaussianRing ring() {
        return ring;
    }
}
