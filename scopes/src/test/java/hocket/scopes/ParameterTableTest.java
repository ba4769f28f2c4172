package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParameterTableTest {
    private static Declaration declaration(String path, Kind kind, ElementType type, int... extents) {
        return new Declaration(Path.of(path), Shape.of(extents), type, Initialiser.zeros(), Fan.NONE, kind);
    }

    private static String table(Declaration... declarations) {
        try (Parameters parameters = Parameters.initialise(List.of(declarations), Streams.seed(7), Device.jvm())) {
            for (int i = 0; i < 1234 && parameters.contains(Path.of("generator/bn0/running_mean")); i++) {
                parameters.cell(Path.of("generator/bn0/running_mean")).written();
            }
            return parameters.toString();
        }
    }

    @Test
    void aStorePrintsAsATableWithinEightyColumns() {
        String table = table(
                declaration("discriminator/conv1/weight", Kind.WEIGHT, ElementType.FLOAT32, 64, 1, 4, 4),
                declaration("generator/project/weight", Kind.WEIGHT, ElementType.FLOAT32, 2048, 64),
                declaration("generator/bn0/running_mean", Kind.RUNNING_STATISTIC, ElementType.FLOAT32, 512),
                declaration("temperature", Kind.SETTING, ElementType.FLOAT32));
        assertThat(table)
                .isEqualTo(String.join(
                        "\n",
                        "path                        shape       elements  kind       written",
                        "discriminator/conv1/weight  (64,1,4,4)     1,024  weight           0",
                        "generator/bn0/running_mean  (512)            512  statistic    1,234",
                        "generator/project/weight    (2048,64)    131,072  weight           0",
                        "temperature                 ()                 1  setting          0",
                        "4 arrays                    FLOAT32      132,609"));
        assertThat(table.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void typesStandInTheRowsWhereTheyDiffer() {
        assertThat(table(
                        declaration("a/w", Kind.WEIGHT, ElementType.FLOAT32, 2),
                        declaration("b/w", Kind.WEIGHT, ElementType.FLOAT64, 3)))
                .contains("FLOAT32(2)", "FLOAT64(3)", "2 arrays  FLOAT32, FLOAT64");
    }

    @Test
    void anEmptyStorePrintsToo() {
        assertThat(table()).endsWith("0 arrays                0");
    }
}
