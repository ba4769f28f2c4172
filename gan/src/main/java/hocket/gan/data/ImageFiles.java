package hocket.gan.data;

import hocket.gan.data.StoredImages.LoadedImages;
import hocket.schedulers.Source;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A source of the images of a folder or file: a column {@code image} (FLOAT32, (channels, height, width), -1..1) and,
 * where there are labels, a column {@code label} (INT64). {@link StoredImages} lists the kinds of files.
 *
 * @param data the folder or file
 * @param side the height and width in pixels that images are scaled and cropped to; arrays of images keep their size
 * @param channels of image files: 1 for grey, 3 for red, green, blue; arrays keep theirs
 * @param images the number of images used, spread evenly over all; 0 means all
 * @param broken how broken images are handled; a broken array is always refused
 */
public record ImageFiles(
        @Setting(
                help =
                        "folder of PNG or JPEG images, of IDX (MNIST) or of CIFAR-10 files, or a file .npy, .npz, .bin or IDX")
        Path data,

        @Setting(
                usually = "" + SIDE,
                least = 1,
                help = "images are resized and cropped to this height and width in pixels")
        int side,

        @Setting(usually = "1", help = "1 for grey images, 3 for colour")
        int channels,

        @Setting(usually = "0", least = 0, help = "number of images to use; 0 for all")
        int images,

        @Setting(usually = "refuse", help = "whether a folder with a broken image is refused, or the image skipped")
        ImageFolder.Broken broken)
        implements SourceDefinition, ImageFilesCopies {
    private static final int SIDE = 28;
    private static final Path FASHION = Path.of("/usr/share/datasets/fashion-mnist");

    /** @throws IllegalArgumentException if side is below 1, channels neither 1 nor 3, or images below 0 */
    public ImageFiles {
        ImageFilesCopies.check(side, images);
        if (channels != 1 && channels != 3) {
            throw new IllegalArgumentException("channels: must be 1 or 3, was " + channels);
        }
    }

    @Override
    public ImageSource open(String name, int batch, boolean shuffled) {
        if (!Files.exists(data)) {
            throw new DataException(
                    data,
                    "there is no such folder of images"
                            + (data.equals(FASHION) ? "; Debian's package dataset-fashion-mnist installs it" : ""));
        }
        LoadedImages found = StoredImages.at(data).read(channels, side, side, broken);
        Images some = some(found.images());
        List<String> notes = new ArrayList<>(found.notes());
        if (side != SIDE && (some.height() != side || some.width() != side)) {
            notes.add("images keep their " + some.height() + " x " + some.width()
                    + "; side resizes those of a folder of PNG or JPEG files only");
        }
        if (some.count() < found.images().count()) {
            notes.add(some.count() + " of " + found.images().count() + " used, spread evenly over all");
        }
        return some.batches(name, batch, shuffled, notes, found.origins());
    }

    @Override
    public Optional<List<Source.Column>> declaredColumns() {
        try {
            return StoredImages.at(data).columns(channels, side, side);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // opening the data says why
        }
    }

    private Images some(Images all) {
        return images > 0 && images < all.count() ? all.spread(images) : all;
    }
}
