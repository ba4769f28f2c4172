package hocket.gan.data;

import hocket.gan.data.ImageFolder.Listing;
import hocket.gan.data.StoredImages.LoadedImages;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.feeds.DataFingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the images of a folder one after the other, and counts conversions and skipped files. */
final class ImageFolderReader {
    private static final int NAMED = 3;

    private final Listing listing;
    private final int channels;
    private final boolean resizes;
    private int height;
    private int width;
    private @Nullable Path first;
    private float[] pixels = {};
    private int count;
    private final List<Integer> labels = new ArrayList<>();
    private final List<DataException> leftOut = new ArrayList<>();
    private int scaled;
    private int cut;
    private int greyed;
    private int transparent;

    private ImageFolderReader(Path folder, int channels, int height, int width) {
        if (channels != 1 && channels != 3) {
            throw new IllegalArgumentException("images have 1 channel (grey) or 3 (colour), asked for " + channels);
        }
        this.listing = Listing.of(folder);
        this.channels = channels;
        this.resizes = height > 0;
        this.height = height;
        this.width = width;
    }

    /**
     * Reads the images of a folder.
     *
     * @param height rows of the result, and {@code width} columns; 0 means the size of the first image, which all
     *     images must have
     * @param broken receives why an image is not a complete PNG or JPEG file; if it returns, the image is skipped
     * @throws DataException if the folder has no images, an image cannot be read, none is complete, or the sizes differ
     */
    static LoadedImages of(Path folder, int channels, int height, int width, Consumer<DataException> broken) {
        ImageFolderReader reading = new ImageFolderReader(folder, channels, height, width);
        for (int i = 0; i < reading.listing.files().size(); i++) {
            Path file = reading.listing.files().get(i);
            DecodedImage picture;
            try {
                picture = DecodedImage.read(file);
            } catch (IOException e) { // not related to the picture
                throw new DataException(file, "cannot be read: " + DiskFailureText.of(e), e);
            } catch (DataException e) {
                broken.accept(e);
                reading.leftOut.add(e);
                continue;
            }
            reading.add(i, picture);
        }
        List<Path> files = reading.listing.files();
        return new LoadedImages(
                reading.images(),
                reading.notes(),
                reading.changes(""),
                () -> List.of(DataFingerprint.of(folder, files)));
    }

    private void add(int index, DecodedImage picture) {
        Path file = listing.files().get(index);
        if (first == null) {
            begin(file, picture);
        }
        if (!resizes && (picture.height() != height || picture.width() != width)) {
            throw new DataException(
                    file,
                    "is " + picture.height() + " x " + picture.width() + " (height x width), but " + first + " is "
                            + height + " x " + width + "; images that are not resized must have one size");
        }
        int each = channels * height * width;
        ImageResizing.into(picture, channels, height, width, pixels, each * count);
        count++;
        if (listing.classes() > 0) {
            labels.add(listing.labels().get(index));
        }
        scaled += picture.height() == height && picture.width() == width ? 0 : 1;
        cut += (long) picture.height() * width == (long) picture.width() * height ? 0 : 1;
        transparent += picture.transparent ? 1 : 0;
        greyed += channels == 1 && picture.isColoured() ? 1 : 0;
    }

    /** Sets the size by the first complete image if none is given, and checks that all images fit into an array. */
    private void begin(Path file, DecodedImage picture) {
        height = resizes ? height : picture.height();
        width = resizes ? width : picture.width();
        long each = (long) channels * height * width;
        int files = listing.files().size();
        if (each > Images.MOST_VALUES / files) {
            throw new DataException(
                    listing.folder(),
                    files + " images of (" + channels + "," + height + "," + width + ") are more than the "
                            + Images.MOST_VALUES + " values that fit into memory as one array");
        }
        first = file;
        pixels = new float[(int) each * files];
    }

    private Images images() {
        if (count == 0) {
            throw new DataException(
                    listing.folder(),
                    "has no intact picture: " + leftOut.size() + " were left out, the first for this: "
                            + leftOut.get(0).getMessage());
        }
        float[] whole = leftOut.isEmpty() ? pixels : Arrays.copyOf(pixels, channels * height * width * count);
        Images images = Images.owning(channels, height, width, whole);
        int[] classes = labels.stream().mapToInt(Integer::intValue).toArray();
        return listing.classes() == 0 ? images : images.withLabels(classes, listing.classes());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(counted(listing.files().size(), "picture") + " found in " + listing.folder()
                + (listing.classes() == 0 ? "" : ", in " + counted(listing.classes(), "folder") + ", each a class"));
        if (scaled == 0) {
            notes.add("all are " + size() + " as they should be");
        }
        notes.addAll(changes("; channels: 3 keeps it"));
        named(
                        "broken picture",
                        "left out",
                        leftOut.stream().map(Throwable::getMessage).toList())
                .ifPresent(notes::add);
        named(
                        "file",
                        "of another kind skipped",
                        listing.others().stream()
                                .map(file -> listing.folder().relativize(file).toString())
                                .toList())
                .ifPresent(notes::add);
        return notes;
    }

    private String size() {
        return height + " x " + width;
    }

    /**
     * Returns how the images differ from their files, a line each.
     *
     * @param advice is added where pictures in colour became grey
     */
    private List<String> changes(String advice) {
        List<String> changes = new ArrayList<>();
        if (scaled > 0) {
            changes.add(scaled + " of " + count + " scaled to " + size()
                    + (cut == 0 ? "" : ", " + cut + " of them cropped to its proportions"));
        }
        if (greyed > 0) {
            changes.add(greyed + " of " + count + " were in colour and became grey" + advice);
        }
        if (transparent > 0) {
            changes.add(transparent + " of " + count + " are transparent in places; the colours hidden there are used");
        }
        return changes;
    }

    /** A note with the number of some files and the names of the first ones. */
    private static Optional<String> named(String what, String fate, List<String> names) {
        String first = names.stream().limit(NAMED).collect(Collectors.joining("; "));
        String more = names.size() > NAMED ? "; and " + (names.size() - NAMED) + " more" : "";
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(counted(names.size(), what) + " " + fate + ": " + first + more);
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
