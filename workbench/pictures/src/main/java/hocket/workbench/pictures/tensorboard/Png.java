package hocket.workbench.pictures.tensorboard;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The size and channels of a PNG image.
 *
 * @param channels 1 grey, 2 grey and alpha, 3 colours, 4 colours and alpha
 */
record Png(byte[] bytes, int width, int height, int channels) {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int WIDTH_AT = 16;
    private static final int COLOURS_AT = 25;

    /** Reads them from the header (PNG specification, 11.2.1); empty if the bytes are not a PNG. */
    static Optional<Png> of(byte[] bytes) {
        if (bytes.length <= COLOURS_AT || !Arrays.equals(bytes, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            return Optional.empty();
        }
        ByteBuffer header = ByteBuffer.wrap(bytes);
        int channels = switch (header.get(COLOURS_AT)) {
            case 0 -> 1;
            case 4 -> 2;
            case 6 -> 4;
            default -> 3; // with or without a palette
        };
        return Optional.of(new Png(bytes, header.getInt(WIDTH_AT), header.getInt(WIDTH_AT + Integer.BYTES), channels));
    }
}
