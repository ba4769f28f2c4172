package hocket.gan.data;

import hocket.schedulers.ForwardingSource;
import hocket.schedulers.Source;

/** Batches of a set of images. */
final class ImageBatches extends ForwardingSource implements ImageSource {
    private final Images images;

    ImageBatches(Images images, Source batches) {
        super(batches);
        this.images = images;
    }

    @Override
    public Images images() {
        return images;
    }
}
