package hocket.schedulers.formats;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.FileWork;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * An array in NumPy's file format, as {@code numpy.save} writes it and {@code numpy.load} reads it: numbers and
 * booleans, little- or big-endian, row-major or column-major. Written are FLOAT32, FLOAT64 and INT64, little-endian and
 * row-major, in version 1.0.
 *
 * <p>Refused are objects (they would be code), strings, times, complex numbers and records, and files that are longer than
 * their array.
 *
 * <p>Source: {@code numpy/lib/format.py}, "Format Version 1.0" to "3.0".
 */
public final class Npy {
    private static final int CHUNK = 1 << 16;

    private final String file;
    private final Bytes bytes;
    private final NpyHeader header;
    private final long size;

    Npy(String file, Bytes bytes) throws IOException {
        this.file = file;
        this.bytes = bytes;
        this.size = bytes.size();
        this.header =
                NpyHeader.read(file, bytes.range(0, (int) Math.min(size, NpyHeader.PREFIX + NpyHeader.MOST_TEXT)));
        long needed = header.bytes(file);
        if (needed != size - header.length()) {
            throw new FormatException(
                    file,
                    "shape " + header.shape() + " of " + header.dtype() + " needs " + needed + " bytes, there are "
                            + (size - header.length()));
        }
    }

    /**
     * Opens a file: reads its header, and checks it against the size.
     *
     * @throws FormatException if it is not an .npy file, of another type, or shorter or longer than its header says
     * @throws IOException if it cannot be read
     */
    public static Npy open(Path file) throws IOException {
        return new Npy(file.toString(), Bytes.of(file));
    }

    /**
     * Opens a file in memory, such as one from a network. Throws as {@link #open}.
     *
     * @param name what to call it in an error
     * @param bytes all of it, between position and limit; not to be changed while it is used
     */
    public static Npy of(String name, ByteBuffer bytes) throws IOException {
        return new Npy(name, Bytes.of(bytes));
    }

    /** Returns the type of the elements in the file. */
    public Dtype dtype() {
        return header.dtype();
    }

    /** The extents, outermost first, each at least 0; empty for a single number. */
    public List<Long> shape() {
        return header.shape();
    }

    /**
     * A copy of the array, row-major: float16 and float32 as FLOAT32, float64 as FLOAT64, whole numbers and booleans as
     * INT64.
     *
     * @throws FormatException if it has an extent of 0 or more than 2^31 - 1 bytes as a {@link Tensor}, a boolean is
     *     neither 0 nor 1, or a whole number is beyond INT64
     * @throws IOException if the file cannot be read
     */
    public Tensor tensor() throws IOException {
        try {
            Shape shape = Shape.of(shape().stream().mapToInt(Math::toIntExact).toArray());
            shape.bytes(dtype().type());
            if (bytes.size() != size) {
                throw new FormatException(
                        file, "had " + size + " bytes when it was opened, has " + bytes.size() + " now");
            }
            ByteBuffer elements =
                    bytes.range(header.length(), (int) (size - header.length())).order(header.order());
            return dtype().tensor(shape, header.fortran() ? rowMajor(shape, elements) : elements);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new FormatException(file, dtype() + shape().toString() + " cannot be a tensor: " + e.getMessage(), e);
        }
    }

    /** The elements in the order in which the last axis runs fastest, of those in the order in which the first does. */
    private ByteBuffer rowMajor(Shape shape, ByteBuffer elements) {
        int width = dtype().bytes();
        ByteBuffer sorted = ByteBuffer.allocate(elements.remaining()).order(elements.order());
        int[] index = new int[shape.rank()];
        for (int i = 0; i < shape.size(); i++) {
            int from = 0;
            for (int axis = shape.rank() - 1; axis >= 0; axis--) {
                from = from * shape.get(axis) + index[axis];
            }
            sorted.put(elements.slice(from * width, width));
            for (int axis = shape.rank() - 1; axis >= 0 && ++index[axis] == shape.get(axis); axis--) {
                index[axis] = 0;
            }
        }
        return sorted.flip();
    }

    /**
     * Writes an array, replacing a file that is there.
     *
     * @param file where to; its folder must exist
     * @throws IllegalArgumentException if it has more than 64 axes
     * @throws UncheckedIOException if the file cannot be written; the message names it
     */
    public static void write(Path file, Tensor array) {
        List<ByteBuffer> parts = parts(array);
        whole(file, beside -> {
            try (FileChannel out = channel(beside)) {
                for (ByteBuffer part : parts) {
                    writeFully(out, part);
                }
            }
        });
    }

    /** A file of an array: its header and its elements, which are not copied. */
    public static List<ByteBuffer> parts(Tensor array) {
        byte[] header = NpyHeader.write(Dtype.of(array.type()), array.shape().extents(), 0);
        return List.of(ByteBuffer.wrap(header), array.buffer());
    }

    /**
     * Writes a FLOAT32 array whose rows come some at a time, so that they need not be held together; replaces a file that
     * is there once all have come.
     *
     * @param file where to; its folder must exist
     * @param expected number of rows, if known; a pipe and the like accept no other number
     * @param row the extents of a row, outermost first
     * @param rows receives a consumer of complete rows, row-major, any number at a time
     * @return the number of rows
     * @throws IllegalArgumentException if the values that came are not a whole number of rows
     * @throws UncheckedIOException if the file cannot be written; the message names it
     */
    public static int write(Path file, int expected, int[] row, Consumer<Consumer<float[]>> rows) {
        int length = NpyHeader.write(Dtype.F32, shape(Integer.MAX_VALUE, row), 0).length;
        long size = Math.max(1, elements(row));
        AtomicLong values = new AtomicLong();
        whole(file, beside -> {
            try (FileChannel out = channel(beside)) {
                writeFully(out, ByteBuffer.wrap(NpyHeader.write(Dtype.F32, shape(expected, row), length)));
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
                            values + " values are not a whole number of rows of shape " + Arrays.toString(row));
                }
                int count = Math.toIntExact(values.get() / size);
                if (count != expected) {
                    out.write(ByteBuffer.wrap(NpyHeader.write(Dtype.F32, shape(count, row), length)), 0);
                }
            } catch (Unwritten e) {
                throw e.getCause();
            }
        });
        return Math.toIntExact(values.get() / size);
    }

    /** A failure to write the array, passed through the code that makes rows; failures of that code differ from it. */
    private static final class Unwritten extends UncheckedIOException {
        Unwritten(IOException cause) {
            super(cause);
        }
    }

    private static int[] shape(int count, int[] row) {
        return IntStream.concat(IntStream.of(count), IntStream.of(row)).toArray();
    }

    private static void whole(Path file, AtomicFile.Content content) {
        FileWork.make("cannot write the array " + file, () -> AtomicFile.write(file, content));
    }

    private static FileChannel channel(Path file) throws IOException {
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

    private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private static long elements(int[] extents) {
        return Arrays.stream(extents).asLongStream().reduce(1, Math::multiplyExact);
    }
}
