package hocket.distributed.actors;

/** What came is not what the protocol says; the connection cannot go on. */
final class MalformedFrameException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedFrameException(String message) {
        super(message);
    }
}
