package hocket.gan.data;

import java.nio.file.Path;

/**
 * Thrown when a file or folder of data is refused. The message starts with its path and names the rule, the expected
 * and the actual value. Nothing has been changed when this is thrown.
 */
public final class DataException extends IllegalArgumentException {
    public DataException(String name, String reason) {
        super(name + ": " + reason);
    }

    public DataException(Path file, String reason) {
        this(file.toString(), reason);
    }

    public DataException(Path file, String reason, Throwable cause) {
        super(file + ": " + reason, cause);
    }

    public DataException(String name, String reason, Throwable cause) {
        super(name + ": " + reason, cause);
    }

    private DataException(DataException refused, String hint) {
        super(refused.getMessage() + "; " + hint, refused);
    }

    /**
     * Returns the same refusal whose message ends with a hint.
     *
     * @param hint what avoids it
     */
    public DataException hinting(String hint) {
        return new DataException(this, hint);
    }
}
