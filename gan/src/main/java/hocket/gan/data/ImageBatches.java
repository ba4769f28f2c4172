package hocket.gan.data;

import hocket.schedulers.ForwardingSource;
import hocket.schedulers.Source;
import java.util.List;
import java.util.Optional;

/** Batches of a set of images. */
final class ImageBatches extends ForwardingSource implements ImageSource {
    private final Images images;
    private final List<String> notes;
    private final Optional<String> origin;

    ImageBatches(Images images, Source batches, List<String> notes, Optional<String> origin) {
        super(batches);
        this.images = images;
        this.notes = List.copyOf(notes);
        this.origin = origin;
    }

    @Override
    public Images images() {
        return images;
    }

    @Override
    public List<String> notes() {
        return notes;
    }

    @Override
    public Optional<String> origin() {
        return origin;
    }
}
