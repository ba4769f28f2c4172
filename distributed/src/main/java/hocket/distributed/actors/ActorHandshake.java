package hocket.distributed.actors;

import java.nio.ByteBuffer;

/**
 * The first message of an actor.
 *
 * @param token the learner's token
 * @param rank the actor's number, from 0
 * @param process its process number on its machine
 * @param made its experiment and programs
 */
record ActorHandshake(String token, int rank, long process, BuildInfo made) {
    /** The largest size in bytes. */
    static final int LONGEST = 64 << 10;

    ProtocolFrame frame() {
        byte[][] texts = {
            Codec.bytes(token),
            Codec.bytes(made.name()),
            Codec.bytes(Codec.lines(made.settings())),
            Codec.bytes(made.digest())
        };
        int length = Integer.BYTES + Long.BYTES;
        for (byte[] text : texts) {
            length += Integer.BYTES + text.length;
        }
        ByteBuffer payload = ProtocolFrame.room(length).putInt(rank).putLong(process);
        for (byte[] text : texts) {
            Codec.put(payload, text);
        }
        return new ProtocolFrame(ProtocolFrame.Kind.HELLO, payload.flip());
    }

    static ActorHandshake of(ProtocolFrame protocolFrame) {
        return Codec.read(protocolFrame, from -> {
            int rank = from.getInt();
            long process = from.getLong();
            String token = Codec.string(from);
            String name = Codec.string(from);
            String settings = Codec.string(from);
            String digest = Codec.string(from);
            if (!digest.matches("[0-9a-f]{64}")) {
                throw new IllegalArgumentException("its digest is not a SHA-256");
            }
            return new ActorHandshake(token, rank, process, new BuildInfo(name, Codec.settings(settings), digest));
        });
    }
}
