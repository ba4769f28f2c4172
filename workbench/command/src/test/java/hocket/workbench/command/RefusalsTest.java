package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalsTest {
    @TempDir
    private Path here;

    @Test
    void theFolderOfARunIsNotTakenForAnExperimentToBeginAnew() throws IOException {
        Path run = Files.createDirectories(here.resolve("mine"));
        Files.writeString(run.resolve("experiment.yaml"), "include: gaussian-ring\n");
        Files.writeString(run.resolve("lock"), "");
        assertThat(refused("run", "mine"))
                .isEqualTo("mine is the folder of a run: hocket run mine --resume resumes it, hocket run "
                        + run.resolve("experiment.yaml") + " begins another run with its settings");
        assertThat(refused("run", "mine", "--seeds", "2")).contains("mine is the folder of a run");
        assertThat(here.resolve("runs")).doesNotExist();
    }

    @Test
    void aFolderOfSeedsIsNotTakenForAnExperimentEither() throws IOException {
        Path seed = Files.createDirectories(here.resolve("mine/seed-7"));
        Files.writeString(seed.resolve("experiment.yaml"), "include: gaussian-ring\n");
        assertThat(refused("run", "mine")).contains("mine holds runs of seeds 7 to 7", "--seeds 2 --resume");
        assertThat(refused("run", "mine", "--seeds", "5"))
                .contains("mine holds runs of seeds 7 to 7, which only --resume continues: ", "--seeds 5 --resume")
                .doesNotContain("give their number");
    }

    @Test
    void aBuiltInExperimentGoesBeforeARunInAFolderOfItsName() throws IOException {
        Path run = Files.createDirectories(here.resolve("gaussian-ring"));
        Files.writeString(run.resolve("experiment.yaml"), "include: gaussian-ring\n");
        Files.writeString(run.resolve("lock"), "");
        assertThat(refused("run", "gaussian-ring", "--set", "seed=a")).contains("seed: must be a whole number");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "gp=10 | there is no setting gp; did you mean --set 'network.terms=[{wgan_gp: {}}]'?",
                "network.gp=10 | there is no setting network.gp; did you mean --set 'network.terms=[{wgan_gp: {}}]'?",
                "terms=[{gp: {}}] | has gp; did you mean wgan_gp?",
                "d.rte=1e-3 | there is no setting d.rte; did you mean",
                "plan={sequence: [d, g | its value is not YAML: the [ of column 12 needs a , or its closing ] here, at the end",
                "plan={sequence: [d, g} | the [ of column 12 needs a , or its closing ] here;",
                "network={latent: 3 | the { of column 1 needs a , or its closing } here, at the end",
            })
    void aSettingThatDoesNotExistOrEndIsRefusedWithWhatIsMeant(String change, String expected) {
        assertThat(refused("plan", "digits-gan", "--set", change)).contains(expected);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFolderThatNobodyCanMakeIsRefusedWithTheReason() {
        assertThat(refused("run", "gaussian-ring", "--out", "/proc/mine"))
                .isEqualTo("run folder /proc/mine could not be made: the file system of /proc allows no new entries"
                        + " there");
        assertThat(refused("run", "gaussian-ring", "--write", "/proc/mine.yaml"))
                .isEqualTo("--write: /proc/mine.yaml could not be written: the file system of /proc allows no new"
                        + " entries there");
    }

    @Test
    void aNameThatFoldersCannotHaveIsRefusedWithTheWholeRule() {
        assertThat(refused("plan", "gaussian-ring", "--set", "name=.hidden"))
                .contains("name: must begin with a letter or digit and hold only letters, digits, ., _ and -")
                .endsWith("was \".hidden\"");
    }

    @Test
    void aClassThatIsNowhereIsRefusedWithTheOptionThatAddsIt() {
        assertThat(refused("plan", "cartpole-ppo", "--set", "environment=my.Grid50"))
                .contains("algorithm/environment: there is no class my.Grid50", "--classpath adds");
        assertThat(refused("plan", "gaussian-ring", "--classpath", here.toString(), "--set", "network.class=my.Net"))
                .contains("there is no class my.Net", "--classpath adds");
    }

    @Test
    void optionsThatWouldBeIgnoredAreRefused() throws IOException {
        assertThat(refused("run", "gaussian-ring", "--host", "0.0.0.0"))
                .isEqualTo("--host is of a server: add --serve PORT");
        assertThat(refused("run", "gaussian-ring", "--seeds", "2", "--audit", "50"))
                .startsWith("--audit: is for one run, --seeds is for several");
        assertThat(refused("run", "gaussian-ring", "--write", "mine.yaml", "--out", "mine"))
                .isEqualTo("--write writes a file, --out trains: give only one of them");
        Files.createDirectories(here.resolve("runs/a"));
        Files.writeString(here.resolve("runs/a/experiment.yaml"), "include: gaussian-ring\n");
        assertThat(refused("run", "runs/a", "--resume", "--out", "runs/b"))
                .startsWith("--out runs/b: runs/a is resumed in its own folder; --from runs/a");
    }

    @Test
    void aSweepIntoTheFolderOfItsExperimentIsRefusedAndLeavesIt() throws IOException {
        Files.writeString(here.resolve("base.yaml"), "include: gaussian-ring\n");
        Files.writeString(here.resolve("search.yaml"), """
                name: search
                experiment: base.yaml
                parameters: {d.rate: {choice: [1e-3, 1e-4]}}
                strategy: {random: {trials: 2}}
                objective: {minimise: sliced_wasserstein}
                """);
        assertThat(refused("sweep", "search.yaml", "--out", ".")).contains("exists and is not empty");
        assertThat(here.resolve("base.yaml")).hasContent("include: gaussian-ring\n");
    }

    private String refused(String... arguments) {
        Ran ran = Ran.hocket(here, arguments);
        assertThat(ran.err()).startsWith("hocket: ");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.errLines()).hasSize(1);
        return ran.err().strip().replaceFirst("^hocket: ", "");
    }
}
