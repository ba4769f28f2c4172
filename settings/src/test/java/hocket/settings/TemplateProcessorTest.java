package hocket.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemplateProcessorTest {
    @Test
    void methodsAreWrittenOnceForEachValueAndRegistersAsVariables(@TempDir Path folder) throws IOException {
        String source = """
                package made;

                import hocket.settings.Each;
                import hocket.settings.Registers;
                import hocket.settings.Template;

                @Template("Sums")
                final class SumsTemplate {
                    enum Term { ITSELF, SQUARE }

                    static int sum(@Each Term term, @Each({1, 2}) int wide, int[] x) {
                        Integer unused = 7;
                        @Registers int[] sums = new int[wide];
                        for (int i = 0; i < x.length; i += wide) {
                            for (int k = 0; k < wide; k++) {
                                int v = x[i + k];
                                sums[k] += switch (term) {
                                    case ITSELF -> v;
                                    case SQUARE -> v * v;
                                };
                            }
                        }
                        int all = 0;
                        for (int k = 0; k < wide; k++) {
                            all += sums[k];
                        }
                        return all;
                    }
                }
                """;

        String written = Compiler.written(folder, new TemplateProcessor(), "SumsTemplate", source, "Sums");

        assertThat(written)
                .contains("final class Sums {", "case SQUARE -> switch (wide)", "case 2 -> sum_SQUARE_2(x);")
                .contains("int sums_0 = 0, sums_1 = 0;", "sums_1 += (v * v);", "int v = x[i + 1];")
                .doesNotContain("@Each", "@Registers", "@Template", "import hocket", "unused");
    }
}
