package hocket.gan.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Checks that a PNG or JPEG file is complete by walking its outer structure, because the decoders of {@code
 * javax.imageio} decode half a file to half an image, sometimes without a warning.
 *
 * <p>Sources: PNG specification (W3C), section 5; ITU-T T.81 (JPEG), annex B.
 */
final class ImageFileVerification {
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    private ImageFileVerification() {}

    /**
     * Checks a file and returns its format, by content: {@code png} or {@code jpeg}.
     *
     * @throws DataException if it is neither, or not complete
     */
    static String formatOf(String name, byte[] file) {
        if (startsWith(file, PNG)) {
            checkPng(name, file);
            return "png";
        }
        if (file.length >= 2 && file[0] == (byte) 0xff && file[1] == (byte) 0xd8) {
            checkJpeg(name, file);
            return "jpeg";
        }
        StringBuilder start = new StringBuilder();
        for (int i = 0; i < Math.min(8, file.length); i++) {
            start.append(String.format(" %02x", file[i]));
        }
        throw new DataException(
                name,
                "is neither a PNG (89 50 4e 47 0d 0a 1a 0a) nor a JPEG image (ff d8): "
                        + (file.length == 0 ? "it is empty" : "it starts with" + start));
    }

    /** Checks that every chunk fits and has its checksum, up to IEND. Bytes after that are ignored. */
    private static void checkPng(String name, byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file);
        int at = PNG.length;
        while (true) {
            if (file.length - at < 12) {
                throw new DataException(
                        name,
                        "the PNG is cut: a chunk at byte " + at + " takes at least 12 bytes, there are "
                                + (file.length - at));
            }
            long length = bytes.getInt(at) & 0xffff_ffffL;
            String type = new String(file, at + 4, 4, StandardCharsets.ISO_8859_1);
            if (length > file.length - at - 12) {
                throw new DataException(
                        name,
                        "the PNG is cut or broken: chunk " + printable(type) + " at byte " + at + " takes "
                                + (length + 12) + " bytes, there are " + (file.length - at));
            }
            CRC32 crc = new CRC32();
            crc.update(file, at + 4, (int) length + 4);
            int stored = bytes.getInt(at + 8 + (int) length);
            if ((int) crc.getValue() != stored) {
                throw new DataException(
                        name,
                        String.format(
                                "the PNG is broken: the checksum of chunk %s at byte %d is 0x%08x, the file says 0x%08x",
                                printable(type), at, crc.getValue(), stored));
            }
            at += (int) length + 12;
            if (type.equals("IEND")) {
                return;
            }
        }
    }

    /** Walks segments by their lengths and entropy-coded data to the next marker, until the end-of-image marker. */
    private static void checkJpeg(String name, byte[] file) {
        int at = 2;
        while (true) {
            at = nextMarker(file, at);
            if (at >= file.length) {
                throw new DataException(
                        name, "the JPEG is cut: no end-of-image marker (ff d9) in its " + file.length + " bytes");
            }
            int marker = file[at++] & 0xff;
            if (marker == 0xd9) {
                return;
            }
            if (hasLength(marker)) {
                int left = file.length - at;
                int length = left < 2 ? 2 : (file[at] & 0xff) << 8 | (file[at + 1] & 0xff);
                if (length < 2 || length > left) {
                    throw new DataException(
                            name,
                            String.format(
                                    "the JPEG is cut or broken: segment ff %02x at byte %d takes %d bytes, there are %d",
                                    marker, at - 2, length, left));
                }
                at += length;
            }
        }
    }

    /** The index of the next marker's code at or after a byte; fill bytes and stuffed zeros are not markers. */
    private static int nextMarker(byte[] file, int from) {
        for (int at = from; at + 1 < file.length; at++) {
            if (file[at] == (byte) 0xff && file[at + 1] != 0 && file[at + 1] != (byte) 0xff) {
                return at + 1;
            }
        }
        return file.length;
    }

    /** Returns whether a length follows a marker; restart markers and a few others have none. */
    private static boolean hasLength(int marker) {
        return marker != 0x01 && !(marker >= 0xd0 && marker <= 0xd8);
    }

    private static String printable(String type) {
        return type.chars().allMatch(c -> c > 32 && c < 127) ? type : "of no known type";
    }

    private static boolean startsWith(byte[] file, byte[] start) {
        return file.length >= start.length
                && ByteBuffer.wrap(file, 0, start.length).equals(ByteBuffer.wrap(start));
    }
}
