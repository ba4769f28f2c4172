package hocket.workbench.live.inference;

/** The queue of rows is full; the request may be repeated soon. */
public final class BusyException extends RuntimeException {
    BusyException(int waiting) {
        super(waiting + " rows are waiting for an answer already: try again");
    }
}
