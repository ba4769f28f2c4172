package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command in a process of its own, which serves a page.
 *
 * @param page its address
 * @param saying where it says what it says
 */
record Served(Process process, String page, Path saying) implements AutoCloseable {
    private static final Pattern PAGE = Pattern.compile("page +(http://\\S+)");

    /** Starts it, and waits until it says where its page is. */
    static Served start(Path here, String... arguments) throws Exception {
        return startBy(here, List.of(), arguments);
    }

    /**
     * The same.
     *
     * @param before what the process is started by
     */
    static Served startBy(Path here, List<String> before, String... arguments) throws Exception {
        Path said = Files.createTempFile(here, "said", ".txt");
        Process process = Forked.hocket(here, said, before, arguments);
        while (true) {
            Matcher page = PAGE.matcher(Files.readString(said));
            if (page.find()) {
                return new Served(process, page.group(1), said);
            }
            assertThat(process.waitFor(50, TimeUnit.MILLISECONDS))
                    .as(Files.readString(said))
                    .isFalse();
        }
    }

    /** What it has said so far. */
    String said() throws IOException {
        return Files.readString(saying);
    }

    /** Waits until it has ended. Gives its exit status. */
    int status() throws InterruptedException {
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
