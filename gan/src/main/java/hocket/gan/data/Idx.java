package hocket.gan.data;

import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.DiskFailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads images and labels from IDX files, the format of MNIST and Fashion-MNIST: plain or gzip (by content, not by
 * name), with any of the format's element types. A file is checked before memory is allocated for it, and refused as a
 * whole.
 *
 * <p>Images have three dimensions (N, height, width), or four (N, channels, height, width) with 1 or 3 channels. A
 * value v in 0..maximum becomes the pixel v / (maximum / 2) - 1. Labels have one dimension and are whole numbers.
 *
 * <p>Source: Y. LeCun, C. Cortes, C. Burges, "The MNIST database of handwritten digits", section "file formats".
 */
public final class Idx {
    /** The largest pixel value in a file of unsigned bytes. */
    private static final double BYTE_MAXIMUM = 255;

    private static final int MOST_LISTED = 20;

    private Idx() {}

    /**
     * Reads images without labels, values 0..255.
     *
     * @throws DataException if the file is missing, malformed, or not images
     */
    public static Images images(Path images) {
        return images(images, BYTE_MAXIMUM);
    }

    /**
     * Reads images without labels.
     *
     * @param images an IDX file of images
     * @param maximum the value that becomes 1 (0 becomes -1): 255 for MNIST, 16 for optdigits, 1 for floats in 0..1
     * @throws DataException if the file is missing, malformed, not images, or has a value outside 0..maximum
     * @throws IllegalArgumentException if the maximum is not a positive number
     */
    public static Images images(Path images, double maximum) {
        try (IdxStream in = IdxStream.open(images)) {
            return readImages(in, maximum);
        }
    }

    /**
     * Reads images with labels, values 0..255.
     *
     * @throws DataException if a file is missing, malformed, not images or labels, or their counts differ
     */
    public static Images images(Path images, Path labels) {
        return images(images, labels, BYTE_MAXIMUM);
    }

    /**
     * Reads images with labels. The number of classes is the largest label plus one.
     *
     * @param images an IDX file of images
     * @param labels an IDX file of as many labels, each in 0..65535
     * @param maximum the value that becomes 1 (0 becomes -1): 255 for MNIST, 16 for optdigits, 1 for floats in 0..1
     * @throws DataException if a file is missing, malformed, not images or labels, their counts differ, or a value is
     *     outside its range
     * @throws IllegalArgumentException if the maximum is not a positive number
     */
    public static Images images(Path images, Path labels, double maximum) {
        try (IdxStream imagesIn = IdxStream.open(images);
                IdxStream labelsIn = IdxStream.open(labels)) {
            return readImages(imagesIn, labelsIn, maximum);
        }
    }

    /**
     * Reads the training images and labels of a folder that holds MNIST, Fashion-MNIST or similar data under the usual
     * names: {@code train-images-idx3-ubyte} and {@code train-labels-idx1-ubyte}, with a dot for the second dash or
     * not, with {@code .gz} or not. Values are 0..255.
     *
     * @throws DataException if one of the two is missing (the message lists the names tried and the folder's files), or
     *     is refused as by {@link #images(Path, Path)}
     */
    public static Images directory(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new DataException(
                    folder,
                    Files.exists(folder) ? "is a file; expected a folder of IDX files" : "there is no such folder");
        }
        List<Path> files = files(folder);
        return images(files.get(0), files.get(1));
    }

    /** The files that {@link #directory} reads, images first; throws as it does. */
    static List<Path> files(Path folder) {
        return List.of(find(folder, "train-images", "idx3-ubyte"), find(folder, "train-labels", "idx1-ubyte"));
    }

    /** Returns the columns of the data that {@link #directory} reads, from the images' header; throws as it does. */
    static List<Source.Column> columns(Path folder) {
        return columns(files(folder).get(0), true);
    }

    /** Returns the columns of images with or without labels, from their header; throws as {@link #images(Path)}. */
    static List<Source.Column> columns(Path file, boolean labelled) {
        try (IdxStream images = IdxStream.open(file)) {
            checkImages(images, BYTE_MAXIMUM);
            int[] extents = images.extents();
            int last = extents.length - 1;
            return Images.columns(last == 3 ? extents[1] : 1, extents[last - 1], extents[last], labelled);
        }
    }

    /** Reads images and labels from open streams, and leaves them open. */
    static Images readImages(IdxStream images, IdxStream labels, double maximum) {
        checkImages(images, maximum);
        if (labels.extents().length != 1 || !labels.type.isWhole()) {
            throw labels.refused("labels must have 1 dimension of whole numbers, this file has " + labels.dimensions()
                    + " elements of type " + labels.type);
        }
        if (labels.elements != images.extents()[0]) {
            throw labels.refused("holds " + labels.elements + " labels, but " + images.name + " holds "
                    + images.extents()[0] + " images");
        }
        int[] classes = readLabels(labels);
        return readImages(images, maximum).withLabels(classes);
    }

    private static Images readImages(IdxStream in, double maximum) {
        checkImages(in, maximum);
        int[] extents = in.extents();
        float[] pixels = new float[in.elements];
        double half = maximum / 2;
        in.decode((index, value) -> {
            if (!(value >= 0 && value <= maximum)) {
                int each = pixels.length / extents[0];
                throw in.refused("values must be in 0.." + number(maximum) + ", element " + index % each + " of image "
                        + index / each + " is " + number(value));
            }
            pixels[index] = (float) (value / half - 1);
        });
        int last = extents.length - 1;
        return Images.owning(last == 3 ? extents[1] : 1, extents[last - 1], extents[last], pixels);
    }

    private static void checkImages(IdxStream in, double maximum) {
        if (!(maximum > 0 && maximum < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the value of full ink must be a positive number, was " + maximum);
        }
        int[] extents = in.extents();
        boolean four = extents.length == 4 && (extents[1] == 1 || extents[1] == 3);
        if (extents.length != 3 && !four) {
            throw in.refused("images must have dimensions (N, height, width) or (N, 1 or 3, height, width), this file"
                    + " has " + in.dimensions());
        }
    }

    private static int[] readLabels(IdxStream in) {
        int[] labels = new int[in.elements];
        in.decode((index, value) -> {
            if (value < 0 || value > 65_535) {
                throw in.refused("labels must be in 0..65535, label " + index + " is " + number(value));
            }
            labels[index] = (int) value;
        });
        return labels;
    }

    private static Path find(Path folder, String start, String end) {
        List<String> names = new ArrayList<>();
        for (String separator : List.of("-", ".")) {
            for (String packed : List.of("", ".gz")) {
                names.add(start + separator + end + packed);
            }
        }
        for (String name : names) {
            if (Files.isRegularFile(folder.resolve(name))) {
                return folder.resolve(name);
            }
        }
        throw new DataException(
                folder, "none of " + String.join(", ", names) + " is there; the folder holds " + listing(folder));
    }

    /** The contents of a folder as text, for a message. */
    static String listing(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            List<String> names = entries.map(entry -> entry.getFileName() + (Files.isDirectory(entry) ? "/" : ""))
                    .sorted()
                    .toList();
            if (names.isEmpty()) {
                return "nothing";
            }
            String shown = String.join(", ", names.subList(0, Math.min(MOST_LISTED, names.size())));
            return names.size() > MOST_LISTED ? shown + " and " + (names.size() - MOST_LISTED) + " more" : shown;
        } catch (IOException e) {
            throw new DataException(folder, "cannot be listed: " + DiskFailureText.of(e), e);
        }
    }

    /** Formats a number, a whole one without the ".0". */
    private static String number(double value) {
        return value == (long) value ? String.valueOf((long) value) : String.valueOf(value);
    }
}
