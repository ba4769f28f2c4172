package hocket.schedulers.turns;

/** An audit found that something was changed which the plan does not say: the message names path, turn and program. */
public final class AuditException extends IllegalStateException {
    AuditException(String message) {
        super(message);
    }
}
