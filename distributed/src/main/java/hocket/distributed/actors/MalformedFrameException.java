package hocket.distributed.actors;

/** A message that breaks the protocol; the connection must be closed. */
final class MalformedFrameException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedFrameException(String message) {
        super(message);
    }
}
