package hocket.gan.data;

import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A source of the images of a folder: a column {@code image} (FLOAT32, (channels, height, width), -1..1) and, where
 * there are labels, a column {@code label} (INT64). Reads IDX files by {@link Idx#directory} where there are any, else
 * images by {@link ImageFolder}, where each subfolder is a class.
 *
 * @param data the folder
 * @param side the height and width in pixels that images are scaled and cropped to; IDX files keep their size
 * @param channels of image files: 1 for grey, 3 for red, green, blue; IDX files keep theirs
 * @param images the number of images used, spread evenly over all; 0 means all
 * @param broken how broken images are handled; a broken IDX file is always refused
 */
public record ImageFiles(
        @Setting(help = "folder of IDX files (Fashion-MNIST's, MNIST's), or of PNG or JPEG images")
        Path data,

        @Setting(usually = "28", least = 1, help = "images are resized and cropped to this height and width in pixels")
        int side,

        @Setting(usually = "1", help = "1 for grey images, 3 for colour")
        int channels,

        @Setting(usually = "0", least = 0, help = "number of images to use; 0 for all")
        int images,

        @Setting(usually = "refuse", help = "whether a folder with a broken image is refused, or the image skipped")
        ImageFolder.Broken broken)
        implements SourceDefinition, ImageFilesCopies {
    private static final Path FASHION = Path.of("/usr/share/datasets/fashion-mnist");
    private static final String IDX = ".*-(images|labels)[-.]idx[13]-ubyte(\\.gz)?";

    /** @throws IllegalArgumentException if side is below 1, channels neither 1 nor 3, or images below 0 */
    public ImageFiles {
        ImageFilesCopies.check(side, images);
        if (channels != 1 && channels != 3) {
            throw new IllegalArgumentException("channels: must be 1 or 3, was " + channels);
        }
    }

    @Override
    public ImageSource open(String name, int batch, boolean shuffled) {
        ImageFolder.LoadedFolder found = read();
        Images some = some(found.images());
        List<String> notes = new ArrayList<>(found.notes());
        if (some.count() < found.images().count()) {
            notes.add(some.count() + " of " + found.images().count() + " used, spread evenly over all");
        }
        return some.batches(name, batch, shuffled, notes, found.origins());
    }

    @Override
    public Optional<List<Source.Column>> declaredColumns() {
        try {
            return Optional.of(
                    Files.isDirectory(data) && isIdx(data)
                            ? Idx.columns(data)
                            : Images.columns(
                                    channels,
                                    side,
                                    side,
                                    ImageFolder.Listing.of(data).classes() > 0));
        } catch (DataException | IOException e) {
            return Optional.empty(); // opening the data says why
        }
    }

    /** Returns whether a folder holds IDX files. */
    static boolean isIdx(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.anyMatch(entry -> entry.getFileName().toString().matches(IDX));
        }
    }

    private ImageFolder.LoadedFolder read() {
        if (!Files.isDirectory(data)) {
            throw new DataException(
                    data,
                    (Files.exists(data)
                                    ? "is a file; expected a folder of images"
                                    : "there is no such folder of images")
                            + (data.equals(FASHION) ? "; Debian's package dataset-fashion-mnist installs it" : ""));
        }
        try {
            if (!isIdx(data)) {
                return ImageFolder.readWithNotes(data, channels, side, side, broken);
            }
            Images images = Idx.directory(data);
            return new ImageFolder.LoadedFolder(
                    images,
                    List.of(images + " in the IDX files of " + data),
                    () -> Idx.files(data).stream().map(DataFingerprint::of).toList());
        } catch (IOException e) {
            throw new DataException(data, "cannot be listed: " + DiskFailureText.of(e), e);
        }
    }

    private Images some(Images all) {
        return images > 0 && images < all.count() ? all.spread(images) : all;
    }
}
