package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListTest {
    private static Ran list(String... more) {
        String[] arguments = new String[more.length + 1];
        arguments[0] = "list";
        System.arraycopy(more, 0, arguments, 1, more.length);
        return Ran.ending(0, Path.of(""), arguments);
    }

    @Test
    void partsAreListedByKind() {
        Ran ran = list("parts");
        assertThat(ran.outLines())
                .anyMatch(line -> line.startsWith("  gan_loss             hinge, least_squares,"))
                .anyMatch(line -> line.startsWith("  generator            dcgan, mlp,"))
                .allMatch(line -> line.length() <= 80);
    }

    @ParameterizedTest
    @ValueSource(strings = {"term", "terms"})
    void aKindOrAKeyThatTakesItListsItsPartsWithTheirSummaries(String name) {
        Ran ran = list(name);
        assertThat(ran.outLines().get(0)).startsWith("term: terms of Gan, Dcgan,");
        assertThat(ran.out()).containsPattern("\n  r1 +R1 \\(Mescheder et al\\. 2018, equation 9\\)");
        assertThat(ran.outLines()).allMatch(line -> line.length() <= 80);
    }

    @ParameterizedTest
    @ValueSource(strings = {"clip_by_norm", "clip-by-norm", "ClipByNorm"})
    void aPartHasItsSettings(String name) {
        assertThat(list(name).out())
                .startsWith("clip_by_norm, an update_rule: hocket.schedulers.optimizers.transforms.ClipByNorm\n")
                .contains(
                        "\n\nsettings\n  norm ", "; must be given\n", "for example\n  updates: {NAME: {clip_by_norm:");
    }

    @Test
    void partsOfTheSameNameAreShownOneAfterTheOther() {
        assertThat(list("lazy").out()).contains("lazy, a term: ", "lazy, an update_rule: ");
        assertThat(list("hinge").out()).contains("for loss of Gan, ", "It has no settings.", "  loss: hinge");
    }

    @Test
    void aNameOfAPartAndOfAKindShowsBoth() {
        assertThat(list("step").out()).startsWith("step, a rate: ").contains("\nstep: ", "\n  Infer    ");
        assertThat(list("Infer").out())
                .contains("runners: {NAME: {class: Infer, ")
                .doesNotContain("instance: {");
        assertThat(list("condition").out())
                .startsWith("condition: condition of Gan\n")
                .contains("\ncondition: when of when; ");
    }

    @Test
    void settingsOfSettingsHaveTheirDefaults() {
        assertThat(list("Ppo").out())
                .contains("Ppo, a definition: hocket.rl.algorithms.Ppo", "\n  environments.count ", "usually 1\n")
                .contains("algorithm: {class: Ppo, environment: …, ");
    }

    @Test
    void aJarWhoseListIsWrongIsRefusedByName(@TempDir Path folder) throws Exception {
        Files.createDirectories(folder.resolve("META-INF/hocket"));
        Files.writeString(folder.resolve("META-INF/hocket/classes"), "my.Gone\n");
        Ran ran = Ran.hocket(Path.of(""), "list", "parts", "--classpath", folder.toString());
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.errLines())
                .singleElement()
                .asString()
                .contains("a class in META-INF/hocket/classes is no part: ", "my.Gone");
    }

    @Test
    void anUnknownNameIsRefusedWithSimilarOnes() {
        Ran ran = Ran.hocket(Path.of(""), "list", "adamm");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err())
                .isEqualTo("hocket: there is no part, kind of parts or key of parts adamm; hocket list parts names"
                        + " them; did you mean adam?\n");
        assertThat(Ran.hocket(Path.of(""), "list", "discriminatr").err()).endsWith("did you mean discriminator?\n");
        assertThat(Ran.hocket(Path.of(""), "list", "partz").err()).endsWith("hocket list parts names them\n");
        assertThat(Ran.hocket(Path.of(""), "list", "digits-gan").err())
                .isEqualTo(
                        "hocket: digits-gan is an experiment; hocket plan digits-gan shows its settings and turns\n");
    }

    @Test
    void jsonHasWholeParts() throws Exception {
        JsonNode part =
                new ObjectMapper().readTree(list("prioritised", "--json").out()).get(0);
        assertThat(part.path("kind").asText()).isEqualTo("sampler");
        assertThat(part.path("settings").get(0).path("key").asText()).isNotEmpty();
        assertThat(part.path("example").asText()).startsWith("sampler: ");
    }
}
