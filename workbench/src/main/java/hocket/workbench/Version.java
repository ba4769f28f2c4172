package hocket.workbench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** Which Hocket this is. */
final class Version implements IVersionProvider {
    /** For example {@code 0.1.0-SNAPSHOT}. */
    static String number() {
        try (InputStream in = Version.class.getResourceAsStream("version")) {
            if (in == null) {
                throw new IllegalStateException("the jar of the workbench lacks hocket/workbench/version");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"hocket " + number() + ", Java " + Runtime.version()};
    }
}
