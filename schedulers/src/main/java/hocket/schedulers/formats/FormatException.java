package hocket.schedulers.formats;

import java.io.IOException;

/**
 * A file was refused: it is not what its format says. The message names the file, the thing in it, the rule and what was
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

    /** The message without the file, to follow what names it. */
    public String reason() {
        return reason;
    }
}
