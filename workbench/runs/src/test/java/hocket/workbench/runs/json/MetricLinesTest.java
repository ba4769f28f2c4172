package hocket.workbench.runs.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.workbench.runs.json.MetricLines.Metric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricLinesTest {
    private static final String GOOD =
            "{\"step\":3,\"round\":1,\"epoch\":0.5,\"turn\":\"d\",\"name\":\"loss\",\"value\":1.5,\"time\":1.0}\n";

    @TempDir
    private Path folder;

    @Test
    void whatIsNoNumberIsReadBackFromItsText() throws IOException {
        String infinite = GOOD.replace("1.5", "\"-Infinity\"");
        String none = GOOD.replace("1.5", "\"NaN\"");
        assertThat(read(GOOD + infinite + none))
                .containsExactly(
                        new Metric(3, 1, 0.5, "d", "loss", 1.5, 1, false, false),
                        new Metric(3, 1, 0.5, "d", "loss", Double.NEGATIVE_INFINITY, 1, false, false),
                        new Metric(3, 1, 0.5, "d", "loss", Double.NaN, 1, false, false));
    }

    @Test
    void aLastLineThatIsStillBeingWrittenIsPassedOver() throws IOException {
        assertThat(read(GOOD + GOOD.substring(0, 40))).hasSize(1);
    }

    @Test
    void aBrokenLineBeforeTheLastIsNamedByItsNumber() {
        assertThatThrownBy(() -> read(GOOD + "{\"st\n" + GOOD))
                .hasMessage(folder.resolve("metrics.jsonl") + ":2: is not a metric: it is not JSON");
        assertThatThrownBy(() -> read(GOOD.replace("\"turn\"", "\"who\"") + GOOD))
                .hasMessage(folder.resolve("metrics.jsonl") + ":1: is not a metric: turn must be a text, was missing");
        assertThatThrownBy(() -> read(GOOD + GOOD + GOOD.replace("1.5", "\"much\"") + GOOD))
                .hasMessage(
                        folder.resolve("metrics.jsonl") + ":3: is not a metric: value must be a number, was \"much\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"NaN\"", "\"Infinity\"", "1.5", "1e300", "-1", "99999999999999999999"})
    void stepsAndRoundsAreWholeNumbers(String value) {
        Path file = folder.resolve("metrics.jsonl");
        assertThatThrownBy(() -> read(GOOD + GOOD.replace("\"step\":3", "\"step\":" + value) + GOOD))
                .hasMessageStartingWith(file + ":2: is not a metric: step must be a whole number, 0 or more, was ");
        assertThatThrownBy(() -> read(GOOD + GOOD.replace("\"round\":1", "\"round\":" + value) + GOOD))
                .hasMessageStartingWith(file + ":2: is not a metric: round must be a whole number, 0 or more, was ");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileThatCannotBeReadIsClosed() throws IOException {
        assertThatThrownBy(() -> MetricLines.open(folder)) // it can be opened, but not read
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("could not be read");
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(open.filter(Files::isSymbolicLink).map(MetricLinesTest::target))
                    .doesNotContain(folder.toString());
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }

    @Test
    void interimMeansArePartOfCurvesAlone() throws IOException {
        String interim = GOOD.replace(",\"time\"", ",\"interim\":true,\"time\"");
        String point = GOOD.replace("1.5", "2.5");
        String other = point.replace("loss", "gap");
        List<Metric> points = read(interim.replace("\"step\":3", "\"step\":2") + interim + point + other + point);
        assertThat(points).extracting(Metric::value).containsExactly(2.5, 2.5, 2.5);
        List<Metric> drawn = new ArrayList<>();
        MetricLines.readDrawn(folder.resolve("metrics.jsonl"), drawn::add);
        assertThat(drawn).extracting(Metric::path).containsExactly("d/loss", "d/loss", "d/gap", "d/loss");
        assertThat(drawn).extracting(Metric::value).containsExactly(1.5, 1.5, 2.5, 2.5);
    }

    @Test
    void whatAFileGainsIsReadOnceItsLineIsComplete() throws IOException {
        Path file = folder.resolve("metrics.jsonl");
        Files.writeString(file, GOOD + GOOD.substring(0, 10));
        MetricLines.Tail tail = new MetricLines.Tail();
        List<Metric> gained = new ArrayList<>();
        tail.read(file, gained::add);
        assertThat(gained).hasSize(1);
        assertThat(tail.bytes()).isEqualTo(GOOD.length());
        Files.writeString(file, GOOD.substring(10) + "{\"half\n", StandardOpenOption.APPEND);
        tail.read(file, gained::add);
        tail.read(file, gained::add);
        assertThat(gained).hasSize(2); // a last line may be unreadable
        assertThat(tail.bytes()).isEqualTo(2 * GOOD.length());
        Files.writeString(file, GOOD, StandardOpenOption.APPEND);
        assertThatThrownBy(() -> tail.read(file, gained::add))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ":3: is not a metric: it is not JSON");
    }

    @Test
    void settingsAreMarkedAndRatesOfFormerVersionsAreKnown() throws IOException {
        assertThat(read(GOOD + GOOD.replace("loss", "rate") + GOOD.replace("\"time\"", "\"setting\":true,\"time\"")))
                .extracting(Metric::setting)
                .containsExactly(false, true, true);
    }

    private List<Metric> read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("metrics.jsonl"), text);
        List<Metric> metrics = new ArrayList<>();
        MetricLines.read(file, metrics::add);
        return metrics;
    }
}
