package hocket.workbench.files.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Plan;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.games.Dynamics;
import hocket.workbench.files.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans and triggers as files write them. */
class PlansInFilesTest {
    @TempDir
    Path here = Path.of("");

    private ExperimentFile.Surroundings surroundings() {
        return new ExperimentFile.Surroundings(here, List.of(), Map.of());
    }

    private Setup built(String name, String... changes) {
        return ExperimentFile.read(name, List.of(changes), surroundings())
                .definition(ExperimentFile.TRAIN)
                .setup();
    }

    private static String plan(Setup setup) {
        return setup.phases().get(0).plan().toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "d | d",
                "{sequence: [d, g]} | sequence(d, g)",
                "{repeat: 5, of: d} | d × 5",
                "{repeat: {first: 25, rounds: 100, then: 5}, of: d} | d × (25 for 100 rounds, then 5)",
                "{simultaneous: [d, g]} | simultaneous(d, g)",
                "{random: {d: 3, g: 1}, of: [d, g]} | random(d 3.0, g 1.0)",
                "{when: {rounds: 16}, of: {sequence: [d, g]}} | when(EveryRounds[rounds=16], sequence(d, g))",
                "{when: {once: {after: 3}}, of: g} | when(Once[once=After[after=3]], g)",
                "{when: {all: [{after: 3}, {not: {at: [5]}}]}, of: g} |"
                        + " when(All[all=[After[after=3], Not[not=AtRounds[at=[5]]]]], g)",
                "{until: {below: {metric: d/loss, value: 0.4}}, of: d, most: 10} |"
                        + " until(Below[series=d/loss, value=0.4, window=1], d, at most 10)",
                "{trial: {simultaneous: [d, g]}, then: [d, g]} | trial(simultaneous(d, g); then (d, g))",
                "{trial: {repeat: 5, of: {sequence: [d, g]}}, keep: 0.5} | trial(sequence(d, g) × 5; keep 0.5)",
                "{play: {lookahead: {period: 3}}, of: [d, g]} | trial(sequence(d, g) × 3; keep 0.5)",
            })
    void everyKindHasItsForm(String written, String printed) throws IOException {
        Setup setup = built("gaussian-ring", "plan=" + written);
        assertThat(plan(setup)).isEqualTo(printed);
        // written out with every usual value, and read again
        ExperimentFile file = ExperimentFile.read("gaussian-ring", List.of("plan=" + written), surroundings());
        Files.writeString(here.resolve("again.yaml"), file.text("again"));
        assertThat(plan(built("again.yaml"))).isEqualTo(printed);
    }

    static Stream<String> names() {
        return Dynamics.NAMES.stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void dynamicsOfANamePlayBothPlayersAndLeaveTheOtherTurnsBehindThem(String name) {
        Setup ring = built("gaussian-ring", "plan=" + name);
        assertThat(ring.turnsByName()).containsOnlyKeys("d", "g");
        ring.check();
        assertThat(plan(built("half-and-half", "plan={sequence: [left, right]}")))
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void dynamicsOfANameAreInJavaWhatTheyAreInAFileWithAllThatIsUsual(String name) {
        Map<String, Turn> turns =
                built("gaussian-ring", "plan={sequence: [d, g]}").turnsByName();
        Plan java = Dynamics.named(name).plan((Turn.Descend) Objects.requireNonNull(turns.get("d")), (Turn.Descend)
                Objects.requireNonNull(turns.get("g")));
        Setup named = built("gaussian-ring", "plan=" + name);
        Setup spelled = built("gaussian-ring", "plan={play: {" + name + ": {}}, of: [d, g]}");
        assertThat(plan(named)).isEqualTo(java.toString()).isEqualTo(plan(spelled));
        assertThat(rules(named))
                .isEqualTo(java.turnsByName().values().stream()
                        .map(PlansInFilesTest::rule)
                        .toList())
                .isEqualTo(rules(spelled));
    }

    private static List<String> rules(Setup setup) {
        return setup.turnsByName().values().stream().map(PlansInFilesTest::rule).toList();
    }

    private static String rule(Turn turn) {
        Turn.Descend descend = (Turn.Descend) turn;
        return descend.name() + " " + descend.program() + " " + descend.updates();
    }

    @Test
    void dynamicsOfNoNameAreRefusedWithWhatIsNear() {
        assertThatThrownBy(() -> Dynamics.named("extragradent"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there are no dynamics extragradent; did you mean extragradient?");
    }

    @Test
    void theFormsOnThePageOfSchedulesAreRead() throws IOException {
        String page = Files.readString(
                Path.of(System.getProperty("hocket.root", "..")).resolve("docs/schedules.md"));
        int plans = 0;
        Matcher row =
                Pattern.compile("(?m)^\\| `(\\{[^`…]+})`(?:, `[^|]*)? \\|").matcher(page);
        while (row.find()) {
            String written = row.group(1);
            if (written.contains("my.") || written.contains("ema") || written.contains("penalty")) {
                continue; // of classes and turns that the ring has not
            }
            boolean isTrigger = page.indexOf("## Conditions") < row.start();
            String change = isTrigger
                    ? "on=[{every: " + written.replace("digits", "ring") + ", do: [save]}]"
                    : "plan=" + written;
            assertThat(built("gaussian-ring", change)).as(written).isNotNull();
            plans++;
        }
        assertThat(plans).isGreaterThan(12);
        Matcher turns = Pattern.compile("(?s)```yaml\n(turns:.*?)```").matcher(page);
        assertThat(turns.find()).isTrue();
        Files.writeString(here.resolve("page.yaml"), "include: gaussian-ring\n" + turns.group(1));
        assertThat(built("page.yaml").turnsByName()).containsOnlyKeys("d", "g");
    }

    @Test
    void whatFollowsComesBehindThePlayers() {
        assertThat(plan(built("digits-gan", "plan=extragradient")))
                .isEqualTo("sequence(trial(simultaneous(d, g); then (d, g)), ema)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"extragradien", "{sequence: [d, extragradient]}"})
    void aNameThatIsNeitherATurnNorDynamicsIsRefusedByItsPlace(String written) {
        assertThatThrownBy(() -> built("gaussian-ring", "plan=" + written))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("there is no turn extragradien");
    }
}
