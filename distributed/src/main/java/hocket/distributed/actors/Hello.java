package hocket.distributed.actors;

import java.nio.ByteBuffer;

/**
 * What an actor says first.
 *
 * @param token that the learner told those who may come
 * @param rank which of the actors it is, from 0
 * @param process its number, where it runs
 * @param made what it is made of
 */
record Hello(String token, int rank, long process, Made made) {
    /** The most bytes that one may have. */
    static final int LONGEST = 64 << 10;

    Frame frame() {
        byte[][] texts = {
            Letters.bytes(token),
            Letters.bytes(made.name()),
            Letters.bytes(Letters.lines(made.settings())),
            Letters.bytes(made.digest())
        };
        int length = Integer.BYTES + Long.BYTES;
        for (byte[] text : texts) {
            length += Integer.BYTES + text.length;
        }
        ByteBuffer payload = Frame.room(length).putInt(rank).putLong(process);
        for (byte[] text : texts) {
            Letters.put(payload, text);
        }
        return new Frame(Frame.Kind.HELLO, payload.flip());
    }

    static Hello of(Frame frame) {
        return Letters.read(frame, from -> {
            int rank = from.getInt();
            long process = from.getLong();
            String token = Letters.string(from);
            String name = Letters.string(from);
            String settings = Letters.string(from);
            String digest = Letters.string(from);
            if (!digest.matches("[0-9a-f]{64}")) {
                throw new IllegalArgumentException("its digest is none");
            }
            return new Hello(token, rank, process, new Made(name, Letters.settings(settings), digest));
        });
    }
}
