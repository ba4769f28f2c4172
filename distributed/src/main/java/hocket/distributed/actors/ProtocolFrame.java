package hocket.distributed.actors;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A message between a learner and an actor. On the wire, little-endian: four bytes {@code HKT1} (name and version of
 * the protocol), the kind in four, the length of the payload, CRC32C over kind, length and payload, the payload.
 *
 * @param kind what is said
 * @param payload from position 0 to its limit, little-endian
 */
record ProtocolFrame(Kind kind, ByteBuffer payload) {
    /** Bytes before the payload. */
    static final int HEADER = 16;

    /** {@code HKT} and the version of the protocol. */
    static final int MAGIC = 'H' | 'K' << 8 | 'T' << 16 | '1' << 24;

    /** The kinds of messages; the ordinal is the number on the wire. */
    enum Kind {
        /** Actor: introduces itself with its experiment and programs. */
        HELLO,
        /** Learner: it may begin. */
        WELCOME,
        /** Learner: rejects the actor, with the reason. */
        REFUSED,
        /** Actor: a trajectory. It uses up a credit. */
        TRAJECTORY,
        /** Learner: a credit for one more trajectory. */
        CREDIT,
        /** Actor: requests a policy newer than a version. */
        ASK,
        /** Learner: the newest policy, or the answer that there is no newer one. */
        POLICY,
        /** Either: it is still running. */
        BEAT,
        /** Learner: the run is over, as planned. */
        GOODBYE,
        /** Actor: it ends, with the reason. */
        FAILED
    }

    /** Returns a frame that has a kind only. */
    static ProtocolFrame of(Kind kind) {
        return new ProtocolFrame(kind, ByteBuffer.allocate(0));
    }

    /** Returns an empty payload of this size. */
    static ByteBuffer room(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the frame's bytes on the wire. */
    byte[] bytes() {
        ByteBuffer all = room(HEADER + payload.limit());
        all.putInt(MAGIC).putInt(kind.ordinal()).putInt(payload.limit()).putInt(0);
        all.put(payload.duplicate().rewind());
        all.putInt(HEADER - Integer.BYTES, sum(all.array(), payload.limit()));
        return all.array();
    }

    /** Returns the checksum of a whole frame. */
    static int sum(byte[] frame, int length) {
        CRC32C sum = new CRC32C();
        sum.update(frame, Integer.BYTES, 2 * Integer.BYTES);
        sum.update(frame, HEADER, length);
        return (int) sum.getValue();
    }
}
