package hocket.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoubleTwinProcessorTest {
    @Test
    void theTwinForDoubleIsTheClassForFloatWithTheTypeReplaced(@TempDir Path folder) throws IOException {
        String floats = """
                package made;

                import java.nio.FloatBuffer;

                /** Sums for float. */
                final class FloatSums {
                    static double sum(FloatBuffer floats, double start) {
                        float last = Float.MIN_VALUE;
                        return (float) start + last + floats.get(0);
                    }
                }
                """;
        String source = floats.replace("import java", "import hocket.settings.DoubleTwin;\nimport java")
                .replace("final class", "@DoubleTwin\nfinal class");

        String doubles = Compiler.written(folder, new DoubleTwinProcessor(), "FloatSums", source, "DoubleSums");

        assertThat(doubles.replaceAll("@javax.annotation.processing.Generated.*\n", ""))
                .isEqualTo(floats.replace("Float", "Double").replace("float", "double"));
    }
}
