package hocket.distributed.actors;

import hocket.distributed.actors.Frame.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** Puts frames together from bytes as they come. It holds one frame at most, and none that is longer than its kind may be. */
final class Frames {
    private static final Kind[] KINDS = Kind.values();

    private final ToIntFunction<Kind> longest;
    private final Consumer<Frame> whole;
    private final byte[] header = new byte[Frame.HEADER];
    private byte[] frame = header;
    private int filled;

    /**
     * @param longest the most bytes of a payload of a kind; negative where it may not come
     * @param whole takes each frame
     */
    Frames(ToIntFunction<Kind> longest, Consumer<Frame> whole) {
        this.longest = longest;
        this.whole = whole;
    }

    /** @throws MalformedFrameException if they are no frames, or one that may not come */
    void take(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            int wanted = (frame == header ? Frame.HEADER : frame.length) - filled;
            int part = Math.min(wanted, bytes.length - at);
            System.arraycopy(bytes, at, frame, filled, part);
            at += part;
            filled += part;
            if (part == wanted) {
                proceed();
            }
        }
    }

    /** Whether it is in the midst of a frame. */
    boolean isAmidst() {
        return filled > 0;
    }

    private void proceed() {
        ByteBuffer read = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        if (frame == header) {
            int length = length(read);
            frame = Arrays.copyOf(header, Frame.HEADER + length);
            if (length > 0) {
                return;
            }
            read = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        }
        if (read.getInt(12) != Frame.sum(frame, frame.length - Frame.HEADER)) {
            throw new MalformedFrameException("a frame whose checksum is not that of its bytes");
        }
        Kind kind = KINDS[read.getInt(4)];
        ByteBuffer payload = ByteBuffer.wrap(frame, Frame.HEADER, frame.length - Frame.HEADER)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
        frame = header;
        filled = 0;
        whole.accept(new Frame(kind, payload));
    }

    private int length(ByteBuffer read) {
        if (read.getInt(0) != Frame.MAGIC) {
            throw new MalformedFrameException("something that is no frame of this version of the protocol");
        }
        int kind = read.getInt(4);
        if (kind < 0 || kind >= KINDS.length || longest.applyAsInt(KINDS[kind]) < 0) {
            throw new MalformedFrameException(
                    "a frame " + (kind >= 0 && kind < KINDS.length ? KINDS[kind] : "of kind " + kind)
                            + ", which may not come here");
        }
        int length = read.getInt(8);
        int most = longest.applyAsInt(KINDS[kind]);
        if (length < 0 || length > most) {
            throw new MalformedFrameException(
                    "a frame " + KINDS[kind] + " of " + length + " bytes, where " + most + " may come");
        }
        return length;
    }
}
