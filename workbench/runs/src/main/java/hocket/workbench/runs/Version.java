package hocket.workbench.runs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of Hocket. */
public final class Version {
    private Version() {}

    /** Returns the version, such as {@code 0.1.0-SNAPSHOT}. */
    public static String number() {
        try (InputStream in = Version.class.getResourceAsStream("version")) {
            if (in == null) {
                throw new IllegalStateException("the jar of the workbench lacks hocket/workbench/runs/version");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
