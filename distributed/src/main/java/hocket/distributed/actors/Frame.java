package hocket.distributed.actors;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * What is said at once, between a learner and an actor. On the wire, little-endian: four bytes {@code HKT1} (name and version
 * of the protocol), the kind in four, the length of the payload, CRC32C over kind, length and payload, the payload.
 *
 * @param kind what is said
 * @param payload from position 0 to its limit, little-endian
 */
record Frame(Kind kind, ByteBuffer payload) {
    /** Bytes before the payload. */
    static final int HEADER = 16;

    /** {@code HKT} and the version of the protocol. */
    static final int MAGIC = 'H' | 'K' << 8 | 'T' << 16 | '1' << 24;

    /** What may be said; its place is its number on the wire. */
    enum Kind {
        /** Actor: who it is, and what it is made of. */
        HELLO,
        /** Learner: it may begin. */
        WELCOME,
        /** Learner: it may not, and why. */
        REFUSED,
        /** Actor: what happened. Takes a credit. */
        TRAJECTORY,
        /** Learner: one trajectory more may come. */
        CREDIT,
        /** Actor: wants a policy newer than a version. */
        ASK,
        /** Learner: the newest policy, or that there is none that is newer. */
        POLICY,
        /** Either: is there. */
        BEAT,
        /** Learner: all is over, as it should be. */
        GOODBYE,
        /** Actor: why it ends. */
        FAILED
    }

    /** Nothing but its kind. */
    static Frame of(Kind kind) {
        return new Frame(kind, ByteBuffer.allocate(0));
    }

    /** A payload of so many bytes, to be filled. */
    static ByteBuffer room(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** As it goes over the wire. */
    byte[] bytes() {
        ByteBuffer all = room(HEADER + payload.limit());
        all.putInt(MAGIC).putInt(kind.ordinal()).putInt(payload.limit()).putInt(0);
        all.put(payload.duplicate().rewind());
        all.putInt(HEADER - Integer.BYTES, sum(all.array(), payload.limit()));
        return all.array();
    }

    /** The checksum of a whole frame. */
    static int sum(byte[] frame, int length) {
        CRC32C sum = new CRC32C();
        sum.update(frame, Integer.BYTES, 2 * Integer.BYTES);
        sum.update(frame, HEADER, length);
        return (int) sum.getValue();
    }
}
