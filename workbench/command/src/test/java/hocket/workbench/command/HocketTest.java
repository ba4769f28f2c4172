package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of errors that no one foresaw, and of those that a person can do something about. */
class HocketTest {
    /** A command whose result cannot be written. */
    private static Ran writing(Throwable thrown, String... args) {
        StringWriter err = new StringWriter();
        PrintWriter broken = new PrintWriter(new StringWriter()) {
            @Override
            public void println(String line) {
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) thrown;
            }
        };
        Terminal terminal = new Terminal(broken, new PrintWriter(err), StandardCharsets.UTF_8, false, 80);
        int status = new Hocket(new CommandContext(terminal, Path.of(""))).execute(args);
        return new Ran(status, "", err.toString());
    }

    @Test
    void anErrorOfItsOwnDoesNotPoseAsAMessage() {
        Ran ran = writing(new IllegalStateException("the pen is out of ink"), "list");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .isEqualTo("hocket: internal error: java.lang.IllegalStateException:"
                        + " the pen is out of ink; --trace shows where\n");
        assertThat(writing(new IllegalArgumentException("no"), "list", "--trace")
                        .err())
                .startsWith("hocket: internal error: ")
                .contains("\tat hocket.workbench.");
    }

    @Test
    void theListAsJsonIsAnArrayOfNamesAndSummaries() {
        Ran ran = Ran.hocket(Path.of(""), "list", "--json");
        JsonNode all = Parsed.document(ran.out());
        assertThat(all.isArray()).isTrue();
        List<String> names = new ArrayList<>();
        all.forEach(each -> {
            assertThat(each.size()).isEqualTo(2);
            assertThat(each.get("summary").asText()).isNotEmpty();
            names.add(each.get("name").asText());
        });
        assertThat(names).contains("digits-gan", "cartpole-ppo").doesNotHaveDuplicates();
    }

    @Test
    void helpThatCannotBePrintedIsAFailureWithALine() {
        Ran ran = writing(new UncheckedIOException("no more", new IOException("no more")), "--help");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).isEqualTo("hocket: no more\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "run -h", "--version"})
    void helpHasNoColoursAlsoWhereItGoesToATerminal(String asked) {
        System.setProperty("picocli.ansi", "true");
        try {
            Ran ran = Ran.hocket(Path.of(""), asked.split(" "));
            assertThat(ran.status()).isZero();
            assertThat(ran.out()).contains("ocket").doesNotContain("\u001b", "\\u001b");
        } finally {
            System.clearProperty("picocli.ansi");
        }
    }

    @Test
    void aDiskThatIsFullIsNoErrorOfItsOwn() {
        IOException full = new IOException("No space left on device");
        Ran ran = writing(new UncheckedIOException("out.txt could not be written: " + full.getMessage(), full), "list");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).isEqualTo("hocket: out.txt could not be written: No space left on device\n");
    }

    @Test
    void memoryThatIsNotThereIsALineAndAFailure() {
        Ran ran = writing(new OutOfMemoryError("Java heap space"), "list");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.errLines()).hasSize(1);
        assertThat(ran.err())
                .startsWith("hocket: out of memory: more than the Java heap of ")
                .contains("HOCKET_JAVA_OPTIONS=-Xmx8g");
    }
}
