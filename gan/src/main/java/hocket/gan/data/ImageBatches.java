package hocket.gan.data;

import hocket.schedulers.ForwardingSource;
import hocket.schedulers.Source;
import java.util.List;

/** Batches of a set of images. */
final class ImageBatches extends ForwardingSource implements ImageSource {
    private final Images images;
    private final List<String> notes;

    ImageBatches(Images images, Source batches, List<String> notes) {
        super(batches);
        this.images = images;
        this.notes = List.copyOf(notes);
    }

    @Override
    public Images images() {
        return images;
    }

    @Override
    public List<String> notes() {
        return notes;
    }
}
