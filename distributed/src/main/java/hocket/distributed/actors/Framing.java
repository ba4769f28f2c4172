package hocket.distributed.actors;

import hocket.distributed.actors.ProtocolFrame.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** Assembles frames from received bytes. It holds one frame at most, within the length limit of its kind. */
final class Framing {
    /** The reason of a loss whose connection ended between two frames. */
    static final String CLOSED = "its connection was closed";

    /** The reason of a loss whose connection ended within a frame. */
    static final String CUT = "its connection was closed within a frame";

    private static final Kind[] KINDS = Kind.values();

    private final ToIntFunction<Kind> longest;
    private final Consumer<ProtocolFrame> whole;
    private final byte[] header = new byte[ProtocolFrame.HEADER];
    private byte[] frame = header;
    private int filled;

    /**
     * @param longest largest payload of a kind in bytes; negative if the kind is not allowed
     * @param whole receives each frame
     */
    Framing(ToIntFunction<Kind> longest, Consumer<ProtocolFrame> whole) {
        this.longest = longest;
        this.whole = whole;
    }

    /** @throws MalformedFrameException if the bytes are not frames, or a frame is not allowed */
    void take(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            int wanted = (frame == header ? ProtocolFrame.HEADER : frame.length) - filled;
            int part = Math.min(wanted, bytes.length - at);
            System.arraycopy(bytes, at, frame, filled, part);
            at += part;
            filled += part;
            if (part == wanted) {
                proceed();
            }
        }
    }

    /** Returns whether a frame is incomplete. */
    boolean isAmidst() {
        return filled > 0;
    }

    private void proceed() {
        ByteBuffer read = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        if (frame == header) {
            int length = length(read);
            frame = Arrays.copyOf(header, ProtocolFrame.HEADER + length);
            if (length > 0) {
                return;
            }
            read = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        }
        if (read.getInt(12) != ProtocolFrame.sum(frame, frame.length - ProtocolFrame.HEADER)) {
            throw new MalformedFrameException("a frame whose checksum is not that of its bytes");
        }
        Kind kind = KINDS[read.getInt(4)];
        ByteBuffer payload = ByteBuffer.wrap(frame, ProtocolFrame.HEADER, frame.length - ProtocolFrame.HEADER)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
        frame = header;
        filled = 0;
        whole.accept(new ProtocolFrame(kind, payload));
    }

    private int length(ByteBuffer read) {
        if (read.getInt(0) != ProtocolFrame.MAGIC) {
            throw new MalformedFrameException("something that is not a frame of this version of the protocol");
        }
        int kind = read.getInt(4);
        if (kind < 0 || kind >= KINDS.length || longest.applyAsInt(KINDS[kind]) < 0) {
            throw new MalformedFrameException(
                    "a frame " + (kind >= 0 && kind < KINDS.length ? KINDS[kind] : "of kind " + kind)
                            + ", which is not allowed at this point");
        }
        int length = read.getInt(8);
        int most = longest.applyAsInt(KINDS[kind]);
        if (length < 0 || length > most) {
            throw new MalformedFrameException(
                    "a frame " + KINDS[kind] + " of " + length + " bytes; it may have at most " + most);
        }
        return length;
    }
}
