package hocket.distributed.actors;

/**
 * The learner's answer to an admitted actor.
 *
 * @param seed seed of its environments and actions
 * @param credits trajectories that it may send before it receives more
 */
record LearnerHandshake(long seed, int credits) {
    ProtocolFrame frame() {
        return new ProtocolFrame(
                ProtocolFrame.Kind.WELCOME,
                ProtocolFrame.room(Long.BYTES + Integer.BYTES)
                        .putLong(seed)
                        .putInt(credits)
                        .flip());
    }

    static LearnerHandshake of(ProtocolFrame protocolFrame) {
        return Codec.read(protocolFrame, from -> new LearnerHandshake(from.getLong(), from.getInt()));
    }
}
