package hocket.schedulers.formats;

import java.io.IOException;

/**
 * A file was refused because it violates its format. The message names the file, the thing in it, the rule and what was
 * found.
 */
public final class FormatException extends IOException {
    private final String reason;

    FormatException(String file, String reason) {
        super(file + ": " + reason);
        this.reason = reason;
    }

    FormatException(String file, String reason, Throwable cause) {
        super(file + ": " + reason, cause);
        this.reason = reason;
    }

    /** Returns the message without the file, to follow its name. */
    public String reason() {
        return reason;
    }
}
