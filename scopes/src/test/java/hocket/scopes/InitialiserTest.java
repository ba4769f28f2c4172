package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.scopes.Declaration.Fan;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InitialiserTest {
    private static final Shape SHAPE = Shape.of(64, 100);
    private static final int COUNT = SHAPE.size();

    private static double[] values(Initialiser initialiser, Fan fan) {
        return initialiser.values(SHAPE, fan, Streams.seed(7).at("a/w"));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double deviation(double[] values) {
        double mean = mean(values);
        return Math.sqrt(Arrays.stream(values)
                .map(x -> (x - mean) * (x - mean))
                .average()
                .orElseThrow());
    }

    @Test
    void constantsAreConstant() {
        assertThat(values(Initialiser.zeros(), Fan.NONE)).hasSize(COUNT).containsOnly(0);
        assertThat(values(Initialiser.constant(-0.5), Fan.NONE)).containsOnly(-0.5);
    }

    @Test
    void aNormalHasItsMomentsWhateverTheFan() {
        double[] dcgan = values(Initialiser.normal(0.02), new Fan(3, 900));
        assertThat(mean(dcgan)).isCloseTo(0, within(4 * 0.02 / Math.sqrt(COUNT)));
        assertThat(deviation(dcgan)).isCloseTo(0.02, within(4 * 0.02 / Math.sqrt(2.0 * COUNT)));
        assertThat(mean(values(new Initialiser.Normal(1, 0.02), Fan.NONE)))
                .isCloseTo(1, within(4 * 0.02 / Math.sqrt(COUNT)));
    }

    @Test
    void aUniformFillsItsInterval() {
        double[] values = values(new Initialiser.Uniform(2, 4), Fan.NONE);
        assertThat(DoubleStream.of(values)).allMatch(x -> x >= 2 && x < 4);
        assertThat(mean(values)).isCloseTo(3, within(4 * 2 / Math.sqrt(12.0 * COUNT)));
        assertThat(deviation(values)).isCloseTo(2 / Math.sqrt(12), within(0.02));
        assertThat(values(new Initialiser.Uniform(1, Math.nextUp(1.0)), Fan.NONE))
                .containsOnly(1);
    }

    @Test
    void xaviersBoundIsThatOfBothFans() {
        double bound = Math.sqrt(6.0 / (30 + 120));
        double[] values = values(Initialiser.xavier(), new Fan(30, 120));
        assertThat(DoubleStream.of(values)).allMatch(x -> Math.abs(x) <= bound);
        assertThat(Arrays.stream(values).map(Math::abs).max().orElseThrow()).isCloseTo(bound, within(bound / 500));
        assertThat(deviation(values)).isCloseTo(Math.sqrt(2.0 / (30 + 120)), within(0.003));
        double[] twice = values(new Initialiser.Xavier(2), new Fan(30, 120));
        assertThat(twice[17]).isCloseTo(2 * values[17], within(1e-15));
        assertThat(DoubleStream.of(values(Initialiser.xavier(), new Fan(Integer.MAX_VALUE, Integer.MAX_VALUE))))
                .allMatch(x -> Math.abs(x) < 1e-4);
    }

    @Test
    void hesDeviationIsThatOfTheInputs() {
        assertThat(deviation(values(Initialiser.he(), new Fan(50, 7)))).isCloseTo(0.2, within(0.008));
        assertThat(deviation(values(new Initialiser.He(3), new Fan(50, 7)))).isCloseTo(0.6, within(0.024));
    }

    @ParameterizedTest
    @CsvSource({"16, 40", "40, 16", "32, 32", "128, 128", "1, 9", "9, 1", "1, 1"})
    void orthogonalRowsOrColumnsWhicheverAreFewerAreOrthonormal(int rows, int columns) {
        double gain = Math.sqrt(2);
        double[] values = Initialiser.orthogonal(gain)
                .values(Shape.of(rows, columns), Fan.NONE, Streams.seed(7).at("a/w"));
        boolean wide = rows <= columns;
        double worst = 0;
        for (int i = 0; i < Math.min(rows, columns); i++) {
            for (int j = 0; j <= i; j++) {
                double product = 0;
                for (int k = 0; k < Math.max(rows, columns); k++) {
                    double left = wide ? values[i * columns + k] : values[k * columns + i];
                    double right = wide ? values[j * columns + k] : values[k * columns + j];
                    product += left * right;
                }
                worst = Math.max(worst, Math.abs(product / (gain * gain) - (i == j ? 1 : 0)));
            }
        }
        assertThat(worst).isLessThan(2e-15);
    }

    @Test
    void orthogonalReadsAKernelAsItsFirstExtentAndTheRest() {
        Stream stream = Streams.seed(7).at("a/w");
        assertThat(Initialiser.orthogonal(1).values(Shape.of(8, 3, 2, 2), Fan.NONE, stream))
                .isEqualTo(Initialiser.orthogonal(1).values(Shape.of(8, 12), Fan.NONE, stream));
        assertThat(Math.abs(Initialiser.orthogonal(3).values(Shape.scalar(), Fan.NONE, stream)[0]))
                .isCloseTo(3, within(1e-12));
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> Initialiser.normal(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a normal needs a finite mean and a finite deviation ≥ 0, got mean 0.0 and deviation -1.0");
        assertThatThrownBy(() -> Initialiser.normal(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Initialiser.Uniform(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("uniforms need finite low ≤ high, got low 1.0 and high 0.0");
    }

    @Test
    void initialisersOfTheSameSettingsAreEqual() {
        assertThat(Initialiser.normal(0.02)).isEqualTo(new Initialiser.Normal(0, 0.02));
        assertThat(Initialiser.orthogonal(1)).isNotEqualTo(Initialiser.orthogonal(2));
    }

    @ParameterizedTest
    @CsvSource({"xavier_normal, 0.1581", "kaiming_normal, 0.2", "he_uniform, 0.2", "glorot_uniform, 0.1581"})
    void namedOnesHaveTheDeviationOfTheirFans(String name, double deviation) {
        double[] values = values(Initialiser.named(name), new Fan(50, 30));
        assertThat(mean(values)).isCloseTo(0, within(4 * deviation / Math.sqrt(COUNT)));
        assertThat(deviation(values)).isCloseTo(deviation, within(0.005));
    }

    @Test
    void aNameSaysKindAndNumbers() {
        assertThat(Initialiser.named("orthogonal")).isEqualTo(Initialiser.orthogonal(1));
        assertThat(Initialiser.named("orthogonal(1.41)")).isEqualTo(Initialiser.orthogonal(1.41));
        assertThat(Initialiser.named(" normal( 0.02 ) ")).isEqualTo(Initialiser.normal(0.02));
        assertThat(Initialiser.named("uniform(-0.1, 0.3)")).isEqualTo(new Initialiser.Uniform(-0.1, 0.3));
        assertThat(Initialiser.named("ones")).isEqualTo(Initialiser.constant(1));
        assertThat(Initialiser.named("zeros")).isEqualTo(Initialiser.zeros());
        assertThat(Initialiser.named("xavier_uniform")).isEqualTo(Initialiser.xavier());
        assertThat(Initialiser.named("kaiming_normal")).isEqualTo(Initialiser.he());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orthogonl      | no initialiser is called orthogonl; there is: zeros, ones, constant, normal, uniform, xavier_uniform, xavier_normal, kaiming_uniform, kaiming_normal, orthogonal, glorot_uniform, glorot_normal, he_uniform, he_normal",
                "normal         | initialiser normal takes 1 number, got 0 in normal",
                "orthogonal(1,2)| initialiser orthogonal takes 0 to 1 number, got 2 in orthogonal(1,2)",
                "uniform(1)     | initialiser uniform takes 2 numbers, got 1 in uniform(1)",
                "normal(wide)   | initialiser normal(wide): needs finite numbers, got wide",
                "normal(NaN)    | initialiser normal(NaN): needs finite numbers, got NaN",
                "normal 0.02    | an initialiser is a name, or a name and numbers as in normal(0.02), got normal 0.02"
            })
    void aWrongNameIsRefused(String name, String message) {
        assertThatThrownBy(() -> Initialiser.named(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
