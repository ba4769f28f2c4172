package hocket.workbench.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The reader of standard output has ended, such as {@code head} once it has its lines: nobody wants the rest. */
public final class ReaderGoneException extends UncheckedIOException {
    private static final long serialVersionUID = 1;

    ReaderGoneException(IOException cause) {
        super("standard output has no reader any more", cause);
    }
}
