package hocket.gan.data;

import hocket.schedulers.checkpoint.Reason;
import hocket.schedulers.checkpoint.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A float32 array in NumPy's file format, version 1.0: little-endian, row-major. This is how samples leave Hocket for
 * other programs ({@code numpy.load} reads the file).
 *
 * <p>Source: {@code numpy/lib/format.py}, "Format Version 1.0".
 */
public final class Npy {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    private static final int PREFIX = MAGIC.length + 2;
    private static final int ALIGNMENT = 64;
    private static final int CHUNK = 1 << 16;
    private static final Pattern HEADER = Pattern.compile("\\{\\s*'descr':\\s*'<f4',\\s*'fortran_order':\\s*False,"
            + "\\s*'shape':\\s*\\((?<shape>(\\d{1,10},\\s*)*(\\d{1,10})?)\\),?\\s*}\\s*");

    private final int[] shape;
    private final float[] data;

    private Npy(int[] shape, float[] data) {
        this.shape = shape;
        this.data = data;
    }

    /** A copy of the extents, outermost first; empty for a single number. */
    public int[] shape() {
        return shape.clone();
    }

    /** A copy of the values, row-major. */
    public float[] data() {
        return data.clone();
    }

    /**
     * Writes an array, replacing a file that is there.
     *
     * @param file where to; its folder must exist
     * @param data the values, row-major
     * @param shape the extents, outermost first, each at least 0; none for a single number
     * @throws IllegalArgumentException if the shape has not as many elements as there are values
     * @throws UncheckedIOException if the file cannot be written; the message names it
     */
    public static void write(Path file, float[] data, int... shape) {
        if (elements(shape) != data.length) {
            throw new IllegalArgumentException(
                    "an array of shape " + Arrays.toString(shape) + " cannot hold " + data.length + " values");
        }
        whole(file, beside -> {
            try (FileChannel out = open(beside)) {
                writeFully(out, ByteBuffer.wrap(header(shape, 0)));
                append(out, data);
            }
        });
    }

    /**
     * Writes an array whose rows come some at a time, so that they need not be held together; replaces a file that is there
     * once all have come.
     *
     * @param file where to; its folder must exist
     * @param expected how many rows there will be, if that is known; what is no file, such as a pipe, takes no other number
     * @param row the extents of a row, outermost first
     * @param rows is given what takes whole rows, row-major, any number at a time
     * @return how many rows came
     * @throws IllegalArgumentException if the values that came are no whole number of rows
     * @throws UncheckedIOException if the file cannot be written; the message names it
     */
    public static int write(Path file, int expected, int[] row, Consumer<Consumer<float[]>> rows) {
        int length = header(shape(Integer.MAX_VALUE, row), 0).length;
        long size = Math.max(1, elements(row));
        AtomicLong values = new AtomicLong();
        whole(file, beside -> {
            try (FileChannel out = open(beside)) {
                writeFully(out, ByteBuffer.wrap(header(shape(expected, row), length)));
                rows.accept(some -> {
                    values.addAndGet(some.length);
                    try {
                        append(out, some);
                    } catch (IOException e) {
                        throw new Unwritten(e);
                    }
                });
                if (values.get() % size != 0) {
                    throw new IllegalArgumentException(
                            values + " values are no whole number of rows of shape " + Arrays.toString(row));
                }
                int count = Math.toIntExact(values.get() / size);
                if (count != expected) {
                    out.write(ByteBuffer.wrap(header(shape(count, row), length)), 0);
                }
            } catch (Unwritten e) {
                throw e.getCause();
            }
        });
        return Math.toIntExact(values.get() / size);
    }

    /** That the array could not be written, through who makes the rows; what that one could not read is another matter. */
    private static final class Unwritten extends UncheckedIOException {
        Unwritten(IOException cause) {
            super(cause);
        }
    }

    private static int[] shape(int count, int[] row) {
        return IntStream.concat(IntStream.of(count), IntStream.of(row)).toArray();
    }

    private static void whole(Path file, WholeFile.Content content) {
        try {
            WholeFile.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the array " + file + ": " + Reason.of(e), e);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private static void append(FileChannel out, float[] data) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
        for (int done = 0; done < data.length; done += CHUNK / Float.BYTES) {
            int next = Math.min(CHUNK / Float.BYTES, data.length - done);
            chunk.clear().limit(next * Float.BYTES);
            chunk.asFloatBuffer().put(data, done, next);
            writeFully(out, chunk);
        }
    }

    /**
     * Reads a file as {@link #write} or {@code numpy.save} of a float32 array makes it.
     *
     * @throws DataException if the file is missing, of another version, type or order, or its size is not what its
     *     header says
     */
    public static Npy read(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new DataException(file, "there is no such file");
            }
            return parse(file, Files.readAllBytes(file));
        } catch (IOException e) {
            throw new DataException(file, "cannot be read: " + Reason.of(e), e);
        }
    }

    private static Npy parse(Path file, byte[] bytes) {
        if (bytes.length < PREFIX || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new DataException(file, "is no .npy file of version 1.0: it must start with 93 'NUMPY' 01 00");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int start = PREFIX + (buffer.getShort(MAGIC.length) & 0xffff);
        if (start > bytes.length) {
            throw new DataException(file, "its header ends at byte " + start + ", the file has " + bytes.length);
        }
        String header = new String(bytes, PREFIX, start - PREFIX, StandardCharsets.ISO_8859_1);
        Matcher matcher = HEADER.matcher(header);
        if (!matcher.matches()) {
            throw new DataException(
                    file, "must hold little-endian float32 ('<f4') in row-major order, says " + header.strip());
        }
        long[] extents = Pattern.compile("\\d+")
                .matcher(matcher.group("shape"))
                .results()
                .mapToLong(result -> Long.parseLong(result.group()))
                .toArray();
        long elements = elements(extents);
        if (elements != (bytes.length - start) / (double) Float.BYTES) {
            throw new DataException(
                    file,
                    "shape " + Arrays.toString(extents) + " needs 4 bytes for each element, the file has "
                            + (bytes.length - start) + " bytes of them");
        }
        int[] shape = Arrays.stream(extents).mapToInt(Math::toIntExact).toArray();
        float[] data = new float[(int) elements];
        buffer.position(start).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(data);
        return new Npy(shape, data);
    }

    /** @param least how long it is at least */
    private static byte[] header(int[] shape, int least) {
        String extents = Arrays.stream(shape).mapToObj(String::valueOf).collect(Collectors.joining(", "));
        String text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + extents + (shape.length == 1 ? "," : "")
                + "), }";
        int length = Math.max(least, (PREFIX + text.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        ByteBuffer header = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).putShort((short) (length - PREFIX)).put(text.getBytes(StandardCharsets.US_ASCII));
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        return header.put((byte) '\n').array();
    }

    private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private static long elements(int[] shape) {
        return elements(Arrays.stream(shape).asLongStream().toArray());
    }

    /** The product of the extents; -1 where one is negative or the product is larger than any array. */
    private static long elements(long[] extents) {
        boolean empty = false;
        long product = 1;
        for (long extent : extents) {
            if (extent < 0 || extent > Integer.MAX_VALUE) {
                return -1;
            }
            empty |= extent == 0;
            product = Math.min(product * Math.max(extent, 1), Integer.MAX_VALUE + 1L);
        }
        return empty ? 0 : product > Integer.MAX_VALUE ? -1 : product;
    }
}
