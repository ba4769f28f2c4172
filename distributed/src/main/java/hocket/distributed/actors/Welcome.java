package hocket.distributed.actors;

/**
 * What a learner answers an actor that may begin.
 *
 * @param seed of its worlds and choices
 * @param credits trajectories that it may send before it is given more
 */
record Welcome(long seed, int credits) {
    Frame frame() {
        return new Frame(
                Frame.Kind.WELCOME,
                Frame.room(Long.BYTES + Integer.BYTES)
                        .putLong(seed)
                        .putInt(credits)
                        .flip());
    }

    static Welcome of(Frame frame) {
        return Letters.read(frame, from -> new Welcome(from.getLong(), from.getInt()));
    }
}
