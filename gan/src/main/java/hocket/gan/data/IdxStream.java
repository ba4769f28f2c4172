package hocket.gan.data;

import hocket.schedulers.checkpoint.DiskFailureText;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * An open IDX file, plain or gzip (by its first two bytes, not by its name). Opening reads the header and checks it
 * against the size of the file, so that memory for {@link #elements} is at most a constant times the file's size;
 * {@link #decode} then streams the elements.
 *
 * <p>Source: the description at the end of Y. LeCun's page "The MNIST database of handwritten digits".
 */
final class IdxStream implements Closeable {
    /** Receives the elements in file order. */
    interface ElementConsumer {
        void accept(int index, double value);
    }

    private static final int CHUNK = 1 << 16; // a multiple of every element's size
    private static final int MOST_DIMENSIONS = 8;

    /**
     * The maximum compression of deflate: 1032 bytes in one. The compressed size therefore bounds the size in a header.
     */
    private static final long MOST_DEFLATED = 1032;

    /** The name of this file in messages. */
    final String name;

    private final InputStream in;
    private final boolean packed;
    final IdxType type;
    private final int[] extents;
    /** The product of the dimensions. */
    final int elements;

    private IdxStream(String name, long bytes, InputStream raw) throws IOException {
        this.name = name;
        InputStream sniffed = new BufferedInputStream(raw, CHUNK);
        sniffed.mark(2);
        packed = sniffed.read() == 0x1f && sniffed.read() == 0x8b;
        sniffed.reset();
        in = packed ? new GZIPInputStream(sniffed, CHUNK) : sniffed;

        ByteBuffer magic = header(4, "the magic number");
        checkMagic(magic);
        type = IdxType.ofCode(name, magic.get(2) & 0xff);
        extents = new int[checkedRank(magic.get(3) & 0xff)];
        ByteBuffer dimensions = header(4 * extents.length, extents.length + " dimensions");
        for (int i = 0; i < extents.length; i++) {
            extents[i] = dimensions.getInt(4 * i);
            if (extents[i] < 1) {
                throw refused(String.format(
                        "dimension %d must be in 1..2147483647, is %d (0x%08x)", i, extents[i], extents[i]));
            }
        }
        elements = checkedElements(bytes);
    }

    /** Opens a file and checks its header. */
    static IdxStream open(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new DataException(
                    file, Files.exists(file) ? "is not a file; expected an IDX file" : "there is no such file");
        }
        try {
            return open(file.toString(), Files.size(file), Files.newInputStream(file));
        } catch (IOException e) {
            throw new DataException(file, "cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /** Returns whether a file starts as IDX files do, plain, gzip or written little-endian. */
    static boolean startsAsIdx(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] start = in.readNBytes(4);
            return start.length > 1
                    && (start[0] == 0 && start[1] == 0
                            || start[0] == 0x1f && start[1] == (byte) 0x8b
                            || start.length == 4 && start[2] == 0 && start[3] == 0);
        } catch (IOException e) {
            throw new DataException(file, "cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /** Opens bytes in memory and checks their header. */
    static IdxStream of(String name, byte[] bytes) {
        return open(name, bytes.length, new ByteArrayInputStream(bytes));
    }

    private static IdxStream open(String name, long bytes, InputStream raw) {
        IdxStream opened = null;
        try {
            opened = new IdxStream(name, bytes, raw);
            return opened;
        } catch (IOException e) {
            throw unreadable(name, e);
        } finally {
            if (opened == null) {
                closeQuietly(raw);
            }
        }
    }

    /** The dimensions, outermost first, each at least 1. */
    int[] extents() {
        return extents.clone();
    }

    /** Reads all elements, once, and checks that nothing follows them. */
    void decode(ElementConsumer sink) {
        byte[] chunk = new byte[CHUNK];
        ByteBuffer view = ByteBuffer.wrap(chunk);
        long bytes = (long) elements * type.bytes;
        int index = 0;
        try {
            for (long done = 0; done < bytes; ) {
                int wanted = (int) Math.min(CHUNK, bytes - done);
                int got = in.readNBytes(chunk, 0, wanted);
                if (got < wanted) {
                    throw refused("dimensions " + dimensions() + " (" + word() + ") need " + bytes
                            + " bytes after the header, the data ends after " + (done + got));
                }
                for (int offset = 0; offset < wanted; offset += type.bytes) {
                    sink.accept(index++, type.read(view, offset));
                }
                done += wanted;
            }
            if (in.read() != -1) { // for gzip this also compares the checksum
                throw refused("dimensions " + dimensions() + " (" + word() + ") need " + bytes
                        + " bytes after the header, more follow");
            }
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    @Override
    public void close() {
        closeQuietly(in);
    }

    /** The dimensions as text: {@code 100 x 8 x 8}. */
    String dimensions() {
        return Arrays.stream(extents).mapToObj(String::valueOf).collect(Collectors.joining(" x "));
    }

    DataException refused(String reason) {
        return new DataException(name, reason);
    }

    private ByteBuffer header(int length, String what) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw refused("not an IDX file: the header is cut: " + what + " take " + length + " bytes, there are "
                    + bytes.length);
        }
        return ByteBuffer.wrap(bytes);
    }

    private void checkMagic(ByteBuffer magic) {
        if (magic.get(0) == 0 && magic.get(1) == 0) {
            return;
        }
        boolean reversed = magic.get(2) == 0 && magic.get(3) == 0;
        throw refused(String.format(
                "the first two bytes of an IDX file must be 0x00 0x00, are 0x%02x 0x%02x%s",
                magic.get(0), magic.get(1), reversed ? "; it seems to be written little-endian" : ""));
    }

    private int checkedRank(int rank) {
        if (rank < 1 || rank > MOST_DIMENSIONS) {
            throw refused("the fourth byte of an IDX file is its number of dimensions and must be in 1.."
                    + MOST_DIMENSIONS + ", is " + rank);
        }
        return rank;
    }

    private int checkedElements(long fileBytes) {
        BigInteger product = BigInteger.ONE;
        for (int extent : extents) {
            product = product.multiply(BigInteger.valueOf(extent));
        }
        BigInteger needed = product.multiply(BigInteger.valueOf(type.bytes));
        long held = packed ? fileBytes * MOST_DEFLATED : fileBytes - 4 - 4L * extents.length;
        boolean fits =
                packed ? needed.compareTo(BigInteger.valueOf(held)) <= 0 : needed.equals(BigInteger.valueOf(held));
        if (!fits) {
            throw refused("dimensions " + dimensions() + " (" + word() + ") need " + needed
                    + " bytes after the header, the file "
                    + (packed ? "of " + fileBytes + " bytes cannot unpack to more than " + held : "has " + held));
        }
        if (product.compareTo(BigInteger.valueOf(Images.MOST_VALUES)) > 0) {
            throw refused("dimensions " + dimensions() + " are " + product + " values, at most " + Images.MOST_VALUES
                    + " fit into memory as one array");
        }
        return product.intValueExact();
    }

    private String word() {
        return switch (type) {
            case UBYTE -> "unsigned bytes";
            case BYTE -> "bytes";
            case SHORT -> "shorts";
            case INT -> "ints";
            case FLOAT -> "floats";
            case DOUBLE -> "doubles";
        };
    }

    private static DataException unreadable(String name, IOException e) {
        if (e instanceof EOFException) {
            return new DataException(name, "the gzip stream is cut: it ends before its data does", e);
        }
        return new DataException(
                name,
                (e instanceof ZipException ? "the gzip stream is broken: " : "cannot be read: ")
                        + DiskFailureText.of(e),
                e);
    }

    private static void closeQuietly(InputStream in) {
        try {
            in.close();
        } catch (IOException e) {
            // Everything was read, or another error was already found.
        }
    }

    /** The element types of an IDX file, with the codes of its third byte. Multi-byte elements are big-endian. */
    enum IdxType {
        UBYTE(0x08, 1),
        BYTE(0x09, 1),
        SHORT(0x0B, 2),
        INT(0x0C, 4),
        FLOAT(0x0D, 4),
        DOUBLE(0x0E, 8);

        private final int code;
        /** The number of bytes of an element. */
        final int bytes;

        IdxType(int code, int bytes) {
            this.code = code;
            this.bytes = bytes;
        }

        /** Returns whether elements are whole numbers. */
        boolean isWhole() {
            return this != FLOAT && this != DOUBLE;
        }

        /** Reads the element at a byte offset of a big-endian buffer; a double holds every type exactly. */
        double read(ByteBuffer buffer, int offset) {
            return switch (this) {
                case UBYTE -> buffer.get(offset) & 0xff;
                case BYTE -> buffer.get(offset);
                case SHORT -> buffer.getShort(offset);
                case INT -> buffer.getInt(offset);
                case FLOAT -> buffer.getFloat(offset);
                case DOUBLE -> buffer.getDouble(offset);
            };
        }

        /** Returns the type of a code; refuses the named file if there is none. */
        static IdxType ofCode(String name, int code) {
            for (IdxType type : values()) {
                if (type.code == code) {
                    return type;
                }
            }
            throw new DataException(
                    name,
                    String.format(
                            "the third byte of an IDX file says the type of its elements: 0x08 (ubyte), 0x09 (byte), "
                                    + "0x0b (short), 0x0c (int), 0x0d (float) or 0x0e (double); here it is 0x%02x",
                            code));
        }
    }
}
