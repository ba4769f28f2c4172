package hocket.workbench.inference;

/** So many rows wait that no more are taken; the same may be asked again soon. */
public final class BusyException extends RuntimeException {
    BusyException(int waiting) {
        super(waiting + " rows wait for an answer already: ask again");
    }
}
