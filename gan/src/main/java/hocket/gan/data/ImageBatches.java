package hocket.gan.data;

import hocket.schedulers.Source;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.feeds.ForwardingSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A source of batches of a set of images. */
final class ImageBatches extends ForwardingSource implements ImageSource {
    private final Source batches;
    private final Images images;
    private final List<String> notes;
    private final Optional<String> attribution;
    private final Supplier<List<DataFingerprint>> origins;

    ImageBatches(
            Images images,
            Source batches,
            List<String> notes,
            Optional<String> attribution,
            Supplier<List<DataFingerprint>> origins) {
        super(batches);
        this.batches = batches;
        this.images = images;
        this.notes = List.copyOf(notes);
        this.attribution = attribution;
        this.origins = origins;
    }

    @Override
    public Optional<Source> fresh() {
        return batches.fresh().map(each -> new ImageBatches(images, each, notes, attribution, origins));
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
    public Optional<String> attribution() {
        return attribution;
    }

    @Override
    public List<DataFingerprint> origins() {
        return origins.get();
    }
}
