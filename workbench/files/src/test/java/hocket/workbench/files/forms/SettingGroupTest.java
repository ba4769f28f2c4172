package hocket.workbench.files.forms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The keys of a group are among those of the record that has it. */
class SettingGroupTest {
    /** Settings that several records share. */
    public record Rates(
            @Setting(usually = "0.1", least = 0, most = 1, help = "learning rate")
            double rate,

            @Setting(usually = "[64]", former = "layers") List<Integer> hidden) {
        public Rates {
            if (hidden.size() > 2) {
                throw new IllegalArgumentException("hidden: must be 2 layers at most, were " + hidden.size());
            }
        }
    }

    /** A record with two settings of its own around a group. */
    public record Learner(
            @Setting(help = "where") String place,

            @SettingGroup(usually = {"rate: 0.5", "hidden: [8, 4]"})
            Rates rates,

            @Setting(usually = "3") int times) {}

    /** A group in a group. */
    public record Outer(@SettingGroup(usually = "times: 7") Learner learner) {}

    /** A setting with the key of one of a group. */
    public record Twice(
            @Setting(usually = "1") double rate,
            @SettingGroup Rates rates) {}

    /** A default for a key that the group does not have. */
    public record Wrong(@SettingGroup(usually = "speed: 1") Rates rates) {}

    private final FileProblems problems = new FileProblems();
    private final ReadingContext context = new ReadingContext(problems, Classes.of(List.of()), Path.of(""));

    private Optional<Object> read(Class<? extends Record> type, String text) {
        YamlNode yamlNode = node(text);
        Form form = Forms.of(type);
        return form.read(form.renewed(yamlNode, "", context), "", context);
    }

    private YamlNode node(String text) {
        return YamlReader.read("file", text.getBytes(StandardCharsets.UTF_8), problems)
                .orElseThrow();
    }

    @Test
    void itsKeysAreReadWithThoseOfTheRecord() {
        assertThat(read(Learner.class, "{times: 2, rate: 0.25, place: here, hidden: [1]}"))
                .contains(new Learner("here", new Rates(0.25, List.of(1)), 2));
    }

    @Test
    void itsDefaultsAreThoseOfTheRecordThatHasIt() {
        assertThat(read(Learner.class, "{place: here}"))
                .contains(new Learner("here", new Rates(0.5, List.of(8, 4)), 3));
        assertThat(read(Rates.class, "{}")).contains(new Rates(0.1, List.of(64)));
    }

    @Test
    void aCompleteFileNamesThemAll() {
        YamlNode complete = Forms.of(Learner.class).complete(node("{place: here, rate: 1}"), context);
        Map<String, String> written = new LinkedHashMap<>();
        ((YamlNode.Keys) complete)
                .entries()
                .forEach((key, entry) -> written.put(key, entry.value().toString()));
        assertThat(written.keySet()).containsExactly("place", "rate", "hidden", "times");
    }

    @Test
    void aFormerNameOfItsKeyIsReadWithAWarning() {
        assertThat(read(Learner.class, "{place: here, layers: [5]}"))
                .contains(new Learner("here", new Rates(0.5, List.of(5)), 3));
        assertThat(problems.warnings())
                .containsExactly("file:1:15: write hidden instead of layers, which the next release will not read");
    }

    @Test
    void whatIsWrongInItIsSaidWhereItStands() {
        assertThat(read(Learner.class, "{place: here, rate: 2, hiden: [3]}")).isEmpty();
        assertThat(problems.lines())
                .containsExactlyInAnyOrder(
                        "file:1:24: there is no key hiden; did you mean hidden?",
                        "file:1:21: rate: must be a finite number from 0 to 1, was 2");
    }

    @Test
    void whatItsConstructorRefusesIsSaidWhereItStands() {
        assertThat(read(Learner.class, "{place: here, hidden: [3, 2, 1]}")).isEmpty();
        assertThat(problems.lines()).containsExactly("file:1:23: hidden: must be 2 layers at most, were 3");
    }

    @Test
    void aDefaultForNoneOfItsKeysIsRefused() {
        assertThatThrownBy(() -> Forms.of(Wrong.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("class " + Wrong.class.getName()
                        + ": the default \"speed: 1\" must be \"key: value\" of a setting of " + Rates.class.getName());
    }

    @Test
    void aKeyThatTwoSettingsHaveIsRefused() {
        assertThatThrownBy(() -> Forms.of(Twice.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("class " + Twice.class.getName() + " has two settings with the key rate");
    }

    @Test
    void aGroupHasNoGroupOfItsOwn() {
        assertThatThrownBy(() -> Forms.of(Outer.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("class " + Outer.class.getName() + ": the group learner has a group of its own");
    }

    @Test
    void theSchemaHasItsKeysAndNoOthers() {
        Map<String, Object> schema =
                Schemas.whole(Forms.of(Learner.class), "learner", "include", Classes.of(List.of()));
        assertThat(schema.toString())
                .contains("rate=", "hidden=", "required=[place]", "additionalProperties=false")
                .doesNotContain("rates");
    }
}
