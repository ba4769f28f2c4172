package hocket.gan.data;

import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.formats.Dtype;
import hocket.schedulers.formats.FormatException;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.formats.Npz;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads images from NumPy's {@code .npy} and {@code .npz} files: (N, channels, height, width), (N, height, width) or (N,
 * height, width, channels) with 1 or 3 channels. Values are floats in -1..1 as {@code hocket sample} writes them, or
 * bytes 0..255, of which v becomes v / 127.5 - 1.
 */
public final class NpyImages {
    private static final int AXES = 4;

    /** The names of images and labels in archives of Keras ({@code x_train}), MedMNIST ({@code train_images}) and others. */
    private static final List<List<String>> NAMES = List.of(
            List.of("images", "labels"),
            List.of("image", "label"),
            List.of("x_train", "y_train"),
            List.of("train_images", "train_labels"),
            List.of("x", "y"));

    /** A generator without a bound, or one Gaussian, exceeds 1 a few times; pixels in 0..255 exceed it a lot. */
    private static final float MOST_GENERATED = 16;

    private NpyImages() {}

    /**
     * Reads generated images, whose values may exceed -1..1 up to -16..16.
     *
     * @return FLOAT32 (N, channels, height, width), finite
     * @throws DataException if the file cannot be read, has another shape or type, or a value is out of range
     */
    public static Tensor generated(Path file) {
        return pixels(file.toString(), open(file), MOST_GENERATED);
    }

    /**
     * Reads real images without labels from an {@code .npy} file.
     *
     * @throws DataException if the file cannot be read, has another shape or type, or a value is not in -1..1
     */
    static Images real(Path file) {
        return real(file.toString(), open(file));
    }

    /**
     * Reads real images from an {@code .npz} archive, with labels where it has them. Its arrays are called {@code images}
     * and {@code labels}, or as in the archives of Keras and MedMNIST, whose test images are not read.
     *
     * @throws DataException if the file cannot be read, has no array of such a name, or an array has another shape or
     *     type, or a value out of range
     */
    static Images archived(Path file) {
        Map<String, Npy> arrays = read(file.toString(), () -> Npz.read(file));
        for (List<String> names : NAMES) {
            Npy images = arrays.get(names.get(0));
            if (images != null) {
                Images real = real(file + ": " + names.get(0), images);
                Npy labels = arrays.get(names.get(1));
                return labels == null ? real : labelled(real, file + ": " + names.get(1), labels);
            }
        }
        throw new DataException(
                file,
                "its images must be called "
                        + NAMES.stream().map(names -> names.get(0)).collect(Collectors.joining(", "))
                        + "; its arrays are " + String.join(", ", arrays.keySet()));
    }

    /**
     * Returns images with the labels of an {@code .npy} file.
     *
     * @throws DataException as {@link #labels}, or if there are not as many labels as images
     */
    static Images labelled(Images images, Path file) {
        return labelled(images, file.toString(), open(file));
    }

    private static Images labelled(Images images, String name, Npy file) {
        int[] labels = labels(name, file);
        if (labels.length != images.count()) {
            throw new DataException(
                    name, "holds " + labels.length + " labels, but there are " + images.count() + " images");
        }
        return images.withLabels(labels);
    }

    /**
     * Reads labels: whole numbers (N) or (N, 1), at least 0.
     *
     * @throws DataException if the file cannot be read, has another shape or type, or a label is not in 0..65535
     */
    public static int[] labels(Path file) {
        return labels(file.toString(), open(file));
    }

    private static int[] labels(String name, Npy file) {
        Tensor labels = read(name, file::tensor);
        Shape shape = labels.shape();
        if (labels.type() != ElementType.INT64 || shape.rank() < 1 || shape.size() != shape.get(0)) {
            throw new DataException(name, "labels must be (N) whole numbers, but are " + shape + " " + labels.type());
        }
        long[] numbers = labels.longs();
        int[] classes = new int[numbers.length];
        for (int i = 0; i < classes.length; i++) {
            long label = numbers[i];
            if (label < 0 || label > Character.MAX_VALUE) {
                throw new DataException(name, "labels must be in 0..65535, label " + i + " is " + label);
            }
            classes[i] = (int) label;
        }
        return classes;
    }

    /** Returns the columns of images with or without labels, by the header of their file; throws as {@link #real}. */
    static List<Source.Column> columns(Path file, boolean labelled) {
        int[] size = Layout.of(file.toString(), open(file)).size();
        return Images.columns(size[0], size[1], size[2], labelled);
    }

    private static Images real(String name, Npy file) {
        Tensor images = pixels(name, file, 1);
        Shape shape = images.shape();
        return Images.owning(shape.get(1), shape.get(2), shape.get(3), images.floats());
    }

    /** The extents of images in a file: its channels are the first or the last axis of an image. */
    private record Layout(int[] extents, boolean channelsLast) {
        static Layout of(String name, Npy file) {
            List<Long> shape = file.shape();
            boolean isNumber = file.dtype() == Dtype.U8 || file.dtype().type() != ElementType.INT64;
            boolean isFirst = shape.size() == AXES && isColour(shape.get(1));
            boolean isLast = !isFirst && shape.size() == AXES && isColour(shape.get(AXES - 1));
            if (!isNumber || !isFirst && !isLast && shape.size() != AXES - 1) {
                throw new DataException(
                        name,
                        "images must be (N,channels,height,width), (N,height,width,channels) or (N,height,width) of "
                                + "float32 or uint8 with 1 or 3 channels, but are "
                                + shape.stream().map(String::valueOf).collect(Collectors.joining(",", "(", ")"))
                                + " of "
                                + file.dtype());
            }
            if (shape.contains(0L)) {
                throw new DataException(name, "holds no images, its shape is " + shape);
            }
            int[] extents = shape.stream()
                    .mapToInt(extent -> (int) Math.min(extent, Integer.MAX_VALUE))
                    .toArray();
            return new Layout(extents, isLast);
        }

        private static boolean isColour(long channels) {
            return channels == 1 || channels == 3;
        }

        /** Returns (channels, height, width). */
        int[] size() {
            int[] e = extents;
            if (e.length < AXES) {
                return new int[] {1, e[1], e[2]};
            }
            return channelsLast ? new int[] {e[3], e[1], e[2]} : new int[] {e[1], e[2], e[3]};
        }

        /** Returns the place in the file of element {@code i} of all images in the order of channels, rows, columns. */
        int place(int i) {
            if (!channelsLast) {
                return i;
            }
            int channels = extents[AXES - 1];
            int plane = extents[1] * extents[2];
            int image = i / (channels * plane);
            int inImage = i % (channels * plane);
            return image * channels * plane + inImage % plane * channels + inImage / plane;
        }
    }

    private static Tensor pixels(String name, Npy file, float most) {
        Layout layout = Layout.of(name, file);
        Tensor array = read(name, file::tensor);
        boolean isBytes = file.dtype() == Dtype.U8;
        int[] size = layout.size();
        Shape shape = Shape.of(array.shape().get(0), size[0], size[1], size[2]);
        int row = shape.size() / shape.get(0);
        float[] pixels = new float[shape.size()];
        for (int i = 0; i < pixels.length; i++) {
            double value = array.get(layout.place(i));
            pixels[i] = isBytes ? Images.ofByte(value) : (float) value;
            if (!(Math.abs(pixels[i]) <= most)) {
                throw new DataException(
                        name,
                        "floats must be in -1..1 (uint8 may be 0..255)"
                                + (most > 1 ? ", of a generator without a bound at most in -16..16" : "")
                                + ", but image "
                                + i / row + " has " + pixels[i] + " at element " + i % row);
            }
        }
        return Tensor.of(shape, pixels);
    }

    private static Npy open(Path file) {
        return read(file.toString(), () -> Npy.open(file));
    }

    /** Reads from a file. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T read(String name, Reading<T> reading) {
        try {
            return reading.read();
        } catch (FormatException e) {
            throw new DataException(name, e.reason(), e);
        } catch (IOException e) {
            throw new DataException(name, "cannot be read: " + DiskFailureText.of(e), e);
        }
    }
}
