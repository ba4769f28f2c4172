package hocket.workbench.files.forms;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.settings.Keys;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.forms.PartDescription.Use;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PartIndexTest {
    private final ExperimentFile.Surroundings here = new ExperimentFile.Surroundings(Path.of(""), List.of(), Map.of());

    private final List<PartDescription> parts = ExperimentFile.parts(here).all();

    private PartDescription part(String kind, String name) {
        return parts.stream()
                .filter(each -> each.kind().equals(kind) && each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPartHasItsPlacesSettingsAndAnExample() {
        PartDescription r1 = part("term", "r1");
        assertThat(r1.type()).isEqualTo("hocket.gan.terms.R1");
        assertThat(r1.summary()).startsWith("R1 (Mescheder et al. 2018, equation 9): weight/2");
        assertThat(r1.uses())
                .contains(
                        new Use("terms", List.of("Gan", "Dcgan", "ConditionalDcgan", "RingGan", "CycleGan")),
                        new Use("term", List.of("lazy")));
        assertThat(r1.settings())
                .containsExactly(new PartDescription.SettingDescription(
                        "weight", "10", "a finite number of at least 0", "twice the weight of the penalty"));
        assertThat(r1.example()).isEqualTo("terms: [{r1: {weight: 10}}]");
        assertThat(part("gan_loss", "hinge").example()).isEqualTo("loss: hinge");
        assertThat(part("plan", "repeat").example()).isEqualTo("plan: {repeat: …, of: …}");
        assertThat(part("source", "Optdigits").example()).startsWith("feeds: {NAME: {class: Optdigits");
        assertThat(part("wrapper", "time_limit").uses().get(0).text())
                .startsWith("wrappers of environments of A2c, ")
                .contains(", Ppo, ");
        assertThat(part("step", "Startup").example()).startsWith("startup: {class: Startup");
        assertThat(part("network", "Gan").uses()).containsExactly(new Use("network", List.of("the file")));
    }

    @Test
    void everyPartHasASummaryAndEverySettingALineOfHelp() {
        assertThat(parts).hasSizeGreaterThan(200);
        for (PartDescription part : parts) {
            assertThat(part.summary()).as(part.name()).matches("(?s).{8,}\\.").doesNotContain("{@", "<p>");
            assertThat(part.summary()).doesNotContainPattern("(?<!\\bal|\\be\\.g|\\bi\\.e)\\. ");
            for (PartDescription.SettingDescription setting : part.settings()) {
                assertThat(setting.help().isBlank())
                        .as(part.name() + ": " + setting.key())
                        .isEqualTo(setting.key().equals("feed.class"));
            }
        }
    }

    /** The others have … in the place of a setting that must be given, which the reader refuses. */
    @Test
    void theExamplesOfPartsWithDefaultsCanBeRead() throws Exception {
        List<PartDescription> complete =
                parts.stream().filter(part -> !part.example().contains("…")).toList();
        assertThat(complete).hasSizeGreaterThan(100);
        for (PartDescription part : complete) {
            FileProblems problems = new FileProblems();
            YamlNode yamlNode = YamlReader.read("example", part.example().getBytes(StandardCharsets.UTF_8), problems)
                    .orElseThrow();
            Class<?> kind = kind(Class.forName(part.type()), part.kind());
            Form form = Forms.isKeyed(kind) ? new KeyedForm(kind) : new ClassForm(List.of(kind), "");
            form.read(written(yamlNode), part.name(), new ReadingContext(problems, Classes.of(List.of()), Path.of("")));
            assertThat(problems.lines()).as(part.example()).isEmpty();
        }
    }

    /** Returns the part below the key of its setting, in a list or under a name of the user's own. */
    private static YamlNode written(YamlNode example) {
        YamlNode value =
                ((YamlNode.Keys) example).entries().values().iterator().next().value();
        if (value instanceof YamlNode.Items list) {
            return list.items().get(0);
        }
        return value instanceof YamlNode.Keys keys ? keys.get("NAME").orElse(value) : value;
    }

    private static Class<?> kind(Class<?> type, String name) {
        return Stream.of(type, type.getSuperclass())
                .flatMap(each -> Stream.of(each.getInterfaces()))
                .flatMap(PartIndexTest::withParents)
                .filter(each -> List.of(name, name + "_definition").contains(Keys.of(each.getSimpleName())))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Class<?>> withParents(Class<?> type) {
        return Stream.concat(Stream.of(type), Stream.of(type.getInterfaces()).flatMap(PartIndexTest::withParents));
    }
}
