package hocket.schedulers.turns;

/** An audit found a change that the plan does not allow; the message names path, turn and program. */
public final class AuditException extends IllegalStateException {
    AuditException(String message) {
        super(message);
    }
}
