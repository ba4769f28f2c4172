package hocket.workbench.files.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import hocket.workbench.command.Ran;
import hocket.workbench.files.UserError;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.files.forms.Form;
import hocket.workbench.files.forms.Forms;
import hocket.workbench.files.forms.ReadingContext;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Former names of classes and keys are read, with a warning that says the present ones, which are written. */
class FormerNamesTest {
    private static final String AGENT = """
            name: old
            threads: 1
            algorithm:
              class: hocket.rl.algorithms.Ppo
              environment: hocket.rl.envs.CartPole
              worlds: {count: 2}
              total_steps: 128
              rollout: 32
              minibatch: 32
              epochs: 1
            """;

    private static final String TOYS = """
            name: toys
            network: {class: hocket.workbench.experiment.FormerToys.PointGan}
            feeds: {points: {class: hocket.workbench.experiment.FormerToys.Points, batch: 8, draw: each-round}}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-3}}}}
            plan: {sequence: [{when: {below: {series: d/loss, value: 1}}, of: d}]}
            budget: {rounds: 10}
            """;

    @TempDir
    private Path here;

    private final List<String> warnings = new ArrayList<>();

    private ExperimentFile read(String text, String... changes) throws IOException {
        Files.writeString(here.resolve("old.yaml"), text);
        warnings.clear();
        return ExperimentFile.read(
                "old.yaml",
                List.of(changes),
                new ExperimentFile.Surroundings(here, List.of(), Map.of(), false, warnings::add));
    }

    @Test
    void everyFormerClassIsThereUnderItsPresentNameAlone() throws Exception {
        int lines = 0;
        ClassLoader loader = FormerNamesTest.class.getClassLoader();
        for (URL url : Collections.list(loader.getResources("META-INF/hocket/former-classes"))) {
            try (InputStream in = url.openStream()) {
                for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(each -> !each.startsWith("#"))
                        .toList()) {
                    String[] names = line.split(" ");
                    assertThat(Class.forName(names[1], false, loader)).as(line).isPublic();
                    assertThatThrownBy(() -> Class.forName(names[0], false, loader))
                            .as(line)
                            .isInstanceOf(ClassNotFoundException.class);
                    lines++;
                }
            }
        }
        assertThat(lines).isGreaterThan(20);
    }

    @Tag("engine")
    @Test
    void anOldFileRunsAndItsRunFolderHasThePresentNames() throws IOException {
        Files.writeString(here.resolve("old.yaml"), AGENT);
        Ran ran = Ran.hocket(here, "run", "old.yaml", "--quiet", "--out", "run");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.errLines())
                .containsExactly(
                        "warning  " + here.resolve("old.yaml")
                                + ":5:16: algorithm/environment: write hocket.rl.envs.classic.CartPole instead of"
                                + " hocket.rl.envs.CartPole, which the next release will not read",
                        "warning  " + here.resolve("old.yaml")
                                + ":6:3: algorithm: write environments instead of worlds, which the next release will not"
                                + " read");
        assertThat(Files.readString(here.resolve("run/experiment.yaml")))
                .contains("environment: hocket.rl.envs.classic.CartPole", "  environments:\n    count: 2\n")
                .doesNotContain("worlds", "hocket.rl.envs.CartPole");
        Ran again = Ran.hocket(here, "run", "run", "--resume", "--quiet");
        assertThat(again.errLines()).isEmpty();
    }

    @Test
    void keysAndClassesInsideOthersAreReadAndWrittenByTheirPresentNames() throws IOException {
        assertThat(read(TOYS).text())
                .contains(
                        "hocket.workbench.testing.Toys$PointGan",
                        "hocket.workbench.testing.Toys$Points",
                        "resample: each-round",
                        "metric: d/loss")
                .doesNotContain("FormerToys", "draw:", "series");
        assertThat(warnings)
                .hasSize(4)
                .anyMatch(line -> line.endsWith(
                        ":3:82: feeds/points: write resample instead of draw, which the next release will not read"))
                .anyMatch(line -> line.contains("below: write metric instead of series"))
                .allMatch(line -> line.startsWith(here.resolve("old.yaml").toString()));
        assertThat(read(TOYS.replace("experiment.FormerToys", "testing.Toys")
                                .replace("draw:", "resample:")
                                .replace("series:", "metric:"))
                        .text())
                .isEqualTo(read(TOYS).text());
    }

    @Test
    void aNameWithoutItsPackageIsReadToo() throws IOException {
        String digits = "include: digits-gan\nfeeds: {digits: {class: EmbeddedDigits}}\n";
        assertThat(read(digits).text()).contains("class: hocket.gan.data.Optdigits");
        assertThat(warnings)
                .containsExactly(here.resolve("old.yaml")
                        + ":2:25: feeds/digits/class: write hocket.gan.data.Optdigits instead of EmbeddedDigits, which the next"
                        + " release will not read");
    }

    @Test
    void changesMayBeCalledByFormerNames() throws IOException {
        String file = "include: cartpole-ppo\n";
        assertThat(read(file, "worlds.count=4", "environment=hocket.rl.envs.CartPole")
                        .text())
                .isEqualTo(read(file, "environments.count=4", "environment=hocket.rl.envs.classic.CartPole")
                        .text());
        read(file, "algorithm.worlds.count=4");
        assertThat(warnings)
                .containsExactly("--set algorithm.worlds.count=4: write algorithm.environments.count instead of"
                        + " algorithm.worlds.count, which the next release will not read");
    }

    @Test
    void aFormerFlagIsReadAsTheDecayThatItMeant() throws IOException {
        assertThat(read(AGENT + "  rate_falls: true\n  clip_range_falls: false\n")
                        .text())
                .contains("rate_decay: linear", "clip_range_decay: none")
                .doesNotContain("falls");
        assertThat(warnings)
                .hasSize(6)
                .anyMatch(line -> line.contains("algorithm: write rate_decay instead of rate_falls, which"))
                .anyMatch(line -> line.contains("algorithm/rate_decay: write linear instead of true, which"))
                .anyMatch(line -> line.contains("algorithm/clip_range_decay: write none instead of false, which"));
        String file = "include: cartpole-ppo\n";
        assertThat(read(file, "rate_falls=false").text())
                .isEqualTo(read(file, "rate_decay=none").text())
                .isNotEqualTo(read(file).text());
        assertThatThrownBy(() -> read(AGENT + "  rate_decay: quadratic\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("algorithm/rate_decay: must be none or linear or cosine, was quadratic");
    }

    /** Told by a key. */
    @Keyed
    public interface Shade {}

    /** Of a release before, {@code {dim: {by: 2}}}. */
    @Keyed.Name(value = "dark", former = "dim")
    public record DarkShade(
            @Setting(former = "by", help = "how dark") int level) implements Shade {}

    /** Told by its component. */
    public sealed interface Size {}

    /** Of a release before, {@code {inches: 3}}. */
    public record Length(@Setting(former = "inches") int metres) implements Size {}

    /** A file. */
    public record Lamp(List<Shade> shades, Size size) {}

    @Test
    void aFormerKeyOfARecordIsReadWhereItTellsTheRecord() {
        FileProblems fileProblems = new FileProblems();
        YamlNode yamlNode = YamlReader.read(
                        "lamp",
                        "{shades: [{dim: {by: 2}}], size: {inches: 3}}".getBytes(StandardCharsets.UTF_8),
                        fileProblems)
                .orElseThrow();
        Form form = Forms.of(Lamp.class);
        ReadingContext readingContext = new ReadingContext(fileProblems, Classes.of(List.of()), here);
        assertThat(form.read(form.renewed(yamlNode, "", readingContext), "", readingContext))
                .contains(new Lamp(List.of(new DarkShade(2)), new Length(3)));
        assertThat(fileProblems.isEmpty()).isTrue();
        assertThat(fileProblems.warnings())
                .containsExactly(
                        "lamp:1:12: shades/0: write dark instead of dim, which the next release will not read",
                        "lamp:1:18: shades/0/dark: write level instead of by, which the next release will not read",
                        "lamp:1:35: size: write metres instead of inches, which the next release will not read");
    }

    @Test
    void aFormerKeyBesideThePresentOneIsRefused() {
        assertThatThrownBy(() -> read(TOYS.replace("draw:", "resample: each-turn, draw:")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("feeds/points: there is no key draw");
    }
}
