package hocket.gan.data;

import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads CIFAR-10 in its "binary version": each record of a file is a label 0..9, a byte, and 3,072 bytes of an image (3,
 * 32, 32), red before green before blue, row-major. A byte v becomes the pixel v / 127.5 - 1.
 *
 * <p>Source: A. Krizhevsky, "The CIFAR-10 dataset", section "Binary version".
 */
final class CifarImages {
    private static final String NAME = ".*\\.bin";
    private static final String TRAINING = "data_batch_\\d+\\.bin";
    private static final int CHANNELS = 3;
    private static final int SIDE = 32;
    private static final int CLASSES = 10;
    private static final int PIXELS = CHANNELS * SIDE * SIDE;
    private static final int RECORD = 1 + PIXELS;

    /** The columns of {@link #read}. */
    static final List<Source.Column> COLUMNS = Images.columns(CHANNELS, SIDE, SIDE, true);

    private CifarImages() {}

    /** Returns whether a file has the name of CIFAR-10's. */
    static boolean isNamed(Path file) {
        return String.valueOf(file.getFileName()).matches(NAME);
    }

    /**
     * Returns the files of training images of a folder, {@code data_batch_1.bin} and so on; empty if it has none.
     *
     * @throws IOException if it cannot be listed
     */
    static List<Path> files(Path folder) throws IOException {
        return FileWork.in(folder).stream()
                .filter(file -> file.getFileName().toString().matches(TRAINING))
                .toList();
    }

    /**
     * Reads files one after the other.
     *
     * @return the images, with labels of ten classes
     * @throws DataException if a file cannot be read, is not a whole number of records, or has a label above 9
     */
    static Images read(List<Path> files) {
        long bytes = 0;
        for (Path file : files) {
            bytes += checkedSize(file);
        }
        long values = bytes / RECORD * PIXELS;
        if (values > Images.MOST_VALUES) {
            throw new DataException(
                    files.get(0),
                    "and the files after it have " + values + " values, at most " + Images.MOST_VALUES + " can be");
        }
        float[] pixels = new float[(int) values];
        int[] labels = new int[pixels.length / PIXELS];
        int done = 0;
        for (Path file : files) {
            done = read(file, done, labels, pixels);
        }
        if (done < labels.length) {
            throw new DataException(files.get(0), "and the files after it became shorter while they were read");
        }
        return Images.owning(CHANNELS, SIDE, SIDE, pixels).withLabels(labels, CLASSES);
    }

    private static long checkedSize(Path file) {
        try {
            long size = Files.size(file);
            if (size == 0 || size % RECORD != 0) {
                throw new DataException(
                        file,
                        "must have records of " + RECORD + " bytes, a label and 3 x 32 x 32 pixels as in CIFAR-10, but "
                                + "has " + size + " bytes");
            }
            return size;
        } catch (IOException e) {
            throw new DataException(file, "cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /** Reads the records of a file to images from {@code first} on, and returns the number of the next. */
    private static int read(Path file, int first, int[] labels, float[] pixels) {
        int image = first;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] record = in.readNBytes(RECORD);
            for (; record.length == RECORD && image < labels.length; record = in.readNBytes(RECORD)) {
                if (record[0] < 0 || record[0] >= CLASSES) {
                    throw new DataException(
                            file, "labels must be in 0..9, label " + (image - first) + " is " + (record[0] & 0xff));
                }
                labels[image] = record[0];
                for (int i = 0; i < PIXELS; i++) {
                    pixels[image * PIXELS + i] = Images.ofByte(record[1 + i] & 0xff);
                }
                image++;
            }
            return image;
        } catch (IOException e) {
            throw new DataException(file, "cannot be read: " + DiskFailureText.of(e), e);
        }
    }
}
