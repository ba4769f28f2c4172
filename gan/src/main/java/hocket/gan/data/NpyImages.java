package hocket.gan.data;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.formats.Dtype;
import hocket.schedulers.formats.FormatException;
import hocket.schedulers.formats.Npy;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images from NumPy's {@code .npy} files: (N, channels, height, width), floats in -1..1 as {@code hocket sample}
 * writes them, or bytes 0..255, of which v becomes v / 127.5 - 1.
 */
public final class NpyImages {
    private static final int AXES = 4;
    private static final double BYTE_MIDDLE = 127.5;

    /** A generator without a bound exceeds 1 a little; pixels in 0..255 exceed it a lot. */
    private static final float MOST_GENERATED = 2;

    private NpyImages() {}

    /**
     * Reads generated images, whose values may exceed -1..1 up to -2..2.
     *
     * @return FLOAT32 (N, channels, height, width), finite
     * @throws DataException if the file cannot be read, has another shape or type, or a value is out of range
     */
    public static Tensor generated(Path file) {
        return read(file, MOST_GENERATED);
    }

    /**
     * Reads real images, without labels.
     *
     * @throws DataException if the file cannot be read, has another shape or type, or a value is not in -1..1
     */
    public static Images real(Path file) {
        Tensor images = read(file, 1);
        Shape shape = images.shape();
        return Images.owning(shape.get(1), shape.get(2), shape.get(3), images.floats());
    }

    /**
     * Reads labels: whole numbers (N), at least 0.
     *
     * @throws DataException if the file cannot be read, has another shape or type, or a label is not in 0..65535
     */
    public static int[] labels(Path file) {
        Tensor labels = read(file, () -> Npy.open(file).tensor());
        if (labels.shape().rank() != 1 || labels.type() != ElementType.INT64) {
            throw new DataException(
                    file, "labels must be (N) whole numbers, but are " + labels.shape() + " " + labels.type());
        }
        int[] classes = new int[labels.shape().size()];
        for (int i = 0; i < classes.length; i++) {
            double label = labels.get(i);
            if (label < 0 || label > Character.MAX_VALUE) {
                throw new DataException(file, "labels must be in 0..65535, label " + i + " is " + (long) label);
            }
            classes[i] = (int) label;
        }
        return classes;
    }

    private static Tensor read(Path file, float most) {
        Npy npy = read(file, () -> Npy.open(file));
        Tensor array = read(file, npy::tensor);
        Shape shape = array.shape();
        boolean isBytes = npy.dtype() == Dtype.U8;
        if (shape.rank() != AXES || array.type() == ElementType.INT64 && !isBytes) {
            throw new DataException(
                    file,
                    "images must be (N,channels,height,width) of float32 or uint8, but are " + shape + " of "
                            + npy.dtype());
        }
        int row = shape.size() / shape.get(0);
        float[] pixels = new float[shape.size()];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (float) (isBytes ? array.get(i) / BYTE_MIDDLE - 1 : array.get(i));
            if (!(Math.abs(pixels[i]) <= most)) {
                throw new DataException(
                        file,
                        "floats must be in -1..1 (uint8 may be 0..255), but image " + i / row + " has " + pixels[i]
                                + " at element " + i % row);
            }
        }
        return Tensor.of(shape, pixels);
    }

    /** Reads from a file. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T read(Path file, Reading<T> reading) {
        try {
            return reading.read();
        } catch (FormatException e) {
            throw new DataException(file, e.reason(), e);
        } catch (IOException e) {
            throw new DataException(file, "cannot be read: " + DiskFailureText.of(e), e);
        }
    }
}
