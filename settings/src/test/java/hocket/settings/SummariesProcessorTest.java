package hocket.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SummariesProcessorTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A rate. It falls. | A rate.",
                "R1 (Mescheder et al. 2018): {@code weight/2}. Slow. | R1 (Mescheder et al. 2018): weight/2.",
                "By Goodfellow et al. The first one. | By Goodfellow et al. The first one.",
                "A rate of {@code {adam: {rate: 2}}} | A rate of {adam: {rate: 2}}.",
                "By {@link Rate#of(int, long) the rate}, {@link Rate#of(int, long)}, {@link hocket.Rate}. | By the rate, of, Rate.",
                "A rate. {@code begin} is its start. | A rate.",
                "Rates of 0.5, as in version 1.2 of it | Rates of 0.5, as in version 1.2 of it.",
                "A <b>bold</b> &lt; rate:<ul><li>one</ul> | A bold < rate.",
                "A rate <p>Of a turn. | A rate.",
            })
    void aSummaryIsTheFirstSentenceWithoutMarkup(String docstring, String summary) {
        assertThat(SummariesProcessor.summary(docstring)).isEqualTo(summary);
    }

    @Test
    void aSummaryEndsBeforeTags() {
        assertThat(SummariesProcessor.summary(" A rate\n of a turn\n\n @param rate the rate\n"))
                .isEqualTo("A rate of a turn.");
        assertThat(SummariesProcessor.summary(" @param rate the rate\n")).isEmpty();
    }

    private void list(String classes) throws IOException {
        Path list = folder.resolve("META-INF/hocket/classes");
        Files.createDirectories(list.getParent());
        Files.writeString(list, classes);
    }

    @Test
    void listedClassesWithADocstringHaveALineEach() throws Exception {
        list("# ours\np.A$Inner\n\np.B\np.A\n");
        String source =
                "package p; /** The outer one. */ public class A { /** The inner one. */ static class Inner {} } class B {}";
        Compiler.compile(folder, new SummariesProcessor(), "A", source);
        assertThat(folder.resolve("META-INF/hocket/summaries"))
                .hasContent("p.A$Inner\tThe inner one.\np.A\tThe outer one.\n");
    }

    @Test
    void aListedClassThatIsNotInTheSourcesIsAnError() throws Exception {
        list("java.lang.String\n");
        assertThat(Compiler.compiles(folder, new SummariesProcessor(), "A", "class A {}"))
                .isFalse();
    }

    @Test
    void aModuleWithoutAListHasNoSummaries() throws Exception {
        Compiler.compile(folder, new SummariesProcessor(), "A", "package p; /** The outer one. */ public class A {}");
        assertThat(folder.resolve("META-INF")).doesNotExist();
    }
}
