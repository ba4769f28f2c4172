package hocket.gan.data;

import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * An immutable set of images of one size in memory, with or without labels. Pixels are float32 in -1..1 (-1 is black),
 * row-major in the order (image, channel, row, column); a label is a class 0..K-1.
 */
public final class Images {
    /** The maximum number of elements of an array of this set: that of a Java array. */
    static final int MOST_VALUES = Integer.MAX_VALUE - 8;

    /**
     * The maximum number of classes: labels index tables, so a wrong label in a file must not allocate a huge table.
     */
    private static final int MOST_CLASSES = 65_536;

    private static final double BYTE_MIDDLE = 127.5;

    private static final int[] NO_LABELS = {};

    private static final Stream SPREAD = Streams.seed(0).at("spread");

    private final int count;
    private final int channels;
    private final int height;
    private final int width;
    private final float[] pixels;
    private final int[] labels; // empty, or one for each image
    private final int classes;

    private Images(int count, int channels, int height, int width, float[] pixels, int[] labels, int classes) {
        this.count = count;
        this.channels = channels;
        this.height = height;
        this.width = width;
        this.pixels = pixels;
        this.labels = labels;
        this.classes = classes;
    }

    /**
     * Makes a set of images without labels.
     *
     * @param channels channels of an image, at least 1
     * @param height rows of an image, at least 1
     * @param width columns of an image, at least 1
     * @param pixels values in -1..1, row-major (N, channels, height, width) with N at least 1; copied
     * @throws IllegalArgumentException if an extent is below 1, the length is not a positive multiple of an image's
     *     size, or a value is not a number in -1..1
     */
    public static Images of(int channels, int height, int width, float[] pixels) {
        Images images = owning(channels, height, width, pixels.clone());
        for (int i = 0; i < pixels.length; i++) {
            if (!(images.pixels[i] >= -1 && images.pixels[i] <= 1)) {
                throw new IllegalArgumentException("pixels of images must be in -1..1: " + images.pixels[i]
                        + " in image " + i / images.valuesPerImage() + " at element " + i % images.valuesPerImage());
            }
        }
        return images;
    }

    /** Makes a set without copying or checking the values, for readers that own and have checked them. */
    static Images owning(int channels, int height, int width, float[] pixels) {
        if (channels < 1 || height < 1 || width < 1) {
            throw new IllegalArgumentException("images need at least 1 channel, row and column, got (" + channels + ","
                    + height + "," + width + ")");
        }
        long plane = Math.multiplyFull(height, width);
        long size = plane > MOST_VALUES ? plane : plane * channels; // no overflow: too large already is too large
        if (pixels.length == 0 || pixels.length % size != 0) {
            throw new IllegalArgumentException("images of (" + channels + "," + height + "," + width
                    + ") need a positive multiple of " + size + " pixels, got " + pixels.length);
        }
        return new Images((int) (pixels.length / size), channels, height, width, pixels, NO_LABELS, 0);
    }

    /** Returns the pixel of a byte 0..255. */
    static float ofByte(double value) {
        return (float) (value / BYTE_MIDDLE - 1);
    }

    /** The number of images, at least 1. */
    public int count() {
        return count;
    }

    /** Channels of an image: 1 for grey, 3 for red, green, blue. */
    public int channels() {
        return channels;
    }

    /** Rows of an image. */
    public int height() {
        return height;
    }

    /** Columns of an image. */
    public int width() {
        return width;
    }

    /** Values of one image: channels times height times width. */
    public int valuesPerImage() {
        return channels * height * width;
    }

    /** A copy of all pixels, row-major (count, channels, height, width), in -1..1. */
    public float[] pixels() {
        return pixels.clone();
    }

    /** Returns what {@link #remark(float...)} says of these images. */
    Optional<String> remark() {
        return remark(pixels);
    }

    /** Returns what people should know of pixels none of which is below 0, as those of data in 0..1; otherwise nothing. */
    public static Optional<String> remark(float... pixels) {
        return IntStream.range(0, pixels.length).allMatch(i -> pixels[i] >= 0)
                ? Optional.of("no pixel is below 0, and black is -1; if floats are in 0..1, store 2x - 1 instead")
                : Optional.empty();
    }

    /**
     * A copy of one image, row-major (channels, height, width), in -1..1.
     *
     * @throws IndexOutOfBoundsException if the row is not in 0..count-1
     */
    public float[] image(int row) {
        int start = checkedRow(row) * valuesPerImage();
        return Arrays.copyOfRange(pixels, start, start + valuesPerImage());
    }

    /** Returns whether all channels of every pixel are equal. */
    public boolean isGrey() {
        int plane = height * width;
        return IntStream.range(0, count * plane).allMatch(i -> {
            int at = i / plane * valuesPerImage() + i % plane;
            return IntStream.range(1, channels).allMatch(channel -> pixels[at] == pixels[at + channel * plane]);
        });
    }

    /** Returns the first channel of all images, with their labels and the same number of classes. */
    public Images firstChannel() {
        int plane = height * width;
        float[] first = new float[count * plane];
        for (int i = 0; i < count; i++) {
            System.arraycopy(pixels, i * valuesPerImage(), first, i * plane, plane);
        }
        return new Images(count, 1, height, width, first, labels, classes);
    }

    /** Returns whether every image has a label. */
    public boolean isLabelled() {
        return classes > 0;
    }

    /** K, the number of classes: labels are 0..K-1, of which some may not occur. 0 for a set without labels. */
    public int classes() {
        return classes;
    }

    /**
     * A copy of the labels, one an image, each in 0..classes-1.
     *
     * @throws IllegalStateException if the set has no labels
     */
    public int[] labels() {
        checkLabelled();
        return Arrays.copyOf(labels, count);
    }

    /**
     * Copies images, in the given order, into a buffer at its position, which advances by count times {@link
     * #valuesPerImage()}. Allocates nothing; meant for filling batches.
     *
     * @param rows the images' indices, each in 0..count-1; repetitions are allowed
     * @param count the number of entries of {@code rows} to use, from the first
     * @param out takes the result, with room for all of it
     * @throws IllegalArgumentException if there are fewer rows or less room; then nothing was copied
     * @throws IndexOutOfBoundsException if a row is not in 0..count-1
     */
    public void gather(int[] rows, int count, FloatBuffer out) {
        int size = valuesPerImage();
        checkBatch(rows, count, (long) count * size, out.remaining());
        for (int i = 0; i < count; i++) {
            out.put(pixels, checkedRow(rows[i]) * size, size);
        }
    }

    /**
     * Copies labels, in the given order, into a buffer at its position, which advances by count.
     *
     * @param rows the images' indices, each in 0..count-1; repetitions are allowed
     * @param count the number of entries of {@code rows} to use, from the first
     * @param out takes the result, with room for all of it
     * @throws IllegalArgumentException if there are fewer rows or less room; then nothing was copied
     * @throws IllegalStateException if the set has no labels
     * @throws IndexOutOfBoundsException if a row is not in 0..count-1
     */
    public void gatherLabels(int[] rows, int count, LongBuffer out) {
        checkLabelled();
        checkBatch(rows, count, count, out.remaining());
        for (int i = 0; i < count; i++) {
            out.put(labels[checkedRow(rows[i])]);
        }
    }

    /**
     * n of the images, in order, by {@link #spread(int, int)}, with their labels and the same number of classes.
     *
     * @throws IllegalArgumentException if n is not in 1..count
     */
    public Images spread(int n) {
        if (n == count) {
            return this;
        }
        if (n < 1 || n > count) {
            throw new IllegalArgumentException(
                    "spread(n) needs n in 1.." + count + " (the images there are), was " + n);
        }
        return at(spread(n, count));
    }

    /**
     * Returns {@code n} row numbers of {@code 0..count - 1} in order, one at random of each of n equal parts, always the same. So
     * rows that are sorted by class, as a folder's are, and rows whose classes take turns, as samples' do, keep their shares.
     */
    public static int[] spread(int n, int count) {
        UniformRandomProvider random = SPREAD.generator(0);
        return IntStream.range(0, n)
                .map(i -> {
                    int from = (int) ((long) i * count / n);
                    int to = (int) ((i + 1L) * count / n);
                    return from + random.nextInt(to - from);
                })
                .toArray();
    }

    /**
     * Returns some of the images, in the given order, with their labels and the same number of classes.
     *
     * @param rows the images' indices, each in 0..count-1; at least one, repetitions are allowed
     * @throws IllegalArgumentException if rows is empty
     * @throws IndexOutOfBoundsException if a row is not in 0..count-1
     */
    public Images at(int... rows) {
        if (rows.length == 0) {
            throw new IllegalArgumentException("at(rows) needs at least one row");
        }
        FloatBuffer some = FloatBuffer.allocate(rows.length * valuesPerImage());
        gather(rows, rows.length, some);
        int[] classesOfSome =
                isLabelled() ? IntStream.of(rows).map(row -> labels[row]).toArray() : NO_LABELS;
        return new Images(rows.length, channels, height, width, some.array(), classesOfSome, classes);
    }

    /**
     * Returns these images with other labels; the number of classes is the largest label plus one.
     *
     * @param labels the label of each image, at least 0; copied
     * @throws IllegalArgumentException if there are not as many labels as images, or one is not in 0..65535
     */
    public Images withLabels(int[] labels) {
        int largest = 0;
        for (int label : labels) {
            largest = Math.max(largest, label);
        }
        return withLabels(labels, Math.min(largest, MOST_CLASSES - 1) + 1);
    }

    /**
     * Returns these images with other labels and a given number of classes.
     *
     * @param labels the label of each image, each in 0..classes-1; copied
     * @param classes the number of classes, 1..65536
     * @throws IllegalArgumentException if there are not as many labels as images, or one is not in 0..classes-1
     */
    public Images withLabels(int[] labels, int classes) {
        if (classes < 1 || classes > MOST_CLASSES) {
            throw new IllegalArgumentException("classes must be in 1.." + MOST_CLASSES + ", was " + classes);
        }
        if (labels.length != count) {
            throw new IllegalArgumentException(count + " images need as many labels, got " + labels.length);
        }
        for (int i = 0; i < labels.length; i++) {
            if (labels[i] < 0 || labels[i] >= classes) {
                throw new IllegalArgumentException(
                        "the label of image " + i + " must be in 0.." + (classes - 1) + ", was " + labels[i]);
            }
        }
        return new Images(count, channels, height, width, pixels, labels.clone(), classes);
    }

    /**
     * A table of the images with a column {@code image} (FLOAT32, (channels, height, width)) and, where there are
     * labels, a column {@code label} (INT64, one number a row).
     */
    public Rows rows() {
        Rows rows = Rows.of("image", Tensor.of(Shape.of(count, channels, height, width), pixels()));
        if (!isLabelled()) {
            return rows;
        }
        long[] wide = new long[count];
        gatherLabels(IntStream.range(0, count).toArray(), count, LongBuffer.wrap(wide));
        return rows.and("label", Tensor.of(Shape.of(count), wide));
    }

    /** The columns of {@link #rows} of images of a size. */
    static List<Source.Column> columns(int channels, int height, int width, boolean labelled) {
        Source.Column image = new Source.Column("image", Shape.of(channels, height, width), ElementType.FLOAT32);
        return labelled ? List.of(image, new Source.Column("label", Shape.of(), ElementType.INT64)) : List.of(image);
    }

    /** A source of shuffled batches of {@link #rows}, called {@code image}. */
    public ImageSource batches(int batch) {
        return batches("image", batch, true);
    }

    /**
     * A source of batches.
     *
     * @param shuffled whether every epoch has a new order
     * @throws IllegalArgumentException if the batch is below 1 or above the number of images
     */
    ImageSource batches(String name, int batch, boolean shuffled) {
        return batches(name, batch, shuffled, List.of(), List::of);
    }

    /**
     * A source of batches with notes about the images; throws as {@link #batches(String, int, boolean)}.
     *
     * @param origins the files that the images were read from
     */
    ImageSource batches(
            String name, int batch, boolean shuffled, List<String> notes, Supplier<List<DataFingerprint>> origins) {
        return new ImageBatches(this, rows().batches(name, batch, shuffled), notes, Optional.empty(), origins);
    }

    /** For example {@code 1797 images of (1,8,8), 10 classes}. */
    @Override
    public String toString() {
        return count + " images of (" + channels + "," + height + "," + width + "), "
                + (isLabelled() ? classes + " classes" : "no labels");
    }

    private void checkLabelled() {
        if (!isLabelled()) {
            throw new IllegalStateException("these images have no labels: " + this);
        }
    }

    private static void checkBatch(int[] rows, int count, long wanted, int room) {
        if (count < 0 || count > rows.length) {
            throw new IllegalArgumentException("a batch of " + count + " images names only " + rows.length + " rows");
        }
        if (wanted > room) {
            throw new IllegalArgumentException(
                    "a batch of " + count + " images needs room for " + wanted + " values, the buffer has " + room);
        }
    }

    private int checkedRow(int row) {
        if (row < 0 || row >= count) {
            throw new IndexOutOfBoundsException("image " + row + " of a set of " + count);
        }
        return row;
    }
}
