package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a person starts it: {@code ./hocket} in processes of its own. */
@Tag("engine")
@Tag("processes")
class LauncherTest {
    private record Ended(int status, String out, String err) {}

    private static final Path ROOT =
            Path.of(System.getProperty("hocket.root", "..")).toAbsolutePath().normalize();

    @TempDir
    Path folder;

    @BeforeEach
    void requirePackagedCommand() {
        // Otherwise ./hocket would start a second Maven inside this one.
        assumeTrue(
                Files.exists(ROOT.resolve("distributed/target/distributed.jar"))
                        && Files.exists(ROOT.resolve("distributed/target/hocket.build")),
                "./hocket is not built yet: run mvn verify rather than mvn test");
    }

    @Test
    void aNewcomerListsTrainsSamplesAndDigests() throws Exception {
        assertThat(hocket("list").out()).contains("digits-gan", "digits-gan-plain", "fashion-gan");
        Path run = folder.resolve("run");
        Ended trained = hocket(
                "run",
                "digits-gan",
                "--set",
                "part=test",
                "--set",
                "epochs=1",
                "--set",
                "width=8",
                "--out",
                run.toString());
        assertThat(trained.status()).as(trained.err()).isZero();
        assertThat(trained.err()).doesNotContain("\r", "\u001b[", "Exception");
        assertThat(run.resolve("metrics.jsonl")).isNotEmptyFile();
        assertThat(run.resolve("experiment.yaml")).isNotEmptyFile();
        assertThat(run.resolve("checkpoints/LATEST")).isNotEmptyFile();
        try (Stream<Path> pictures = Files.list(run.resolve("samples"))) {
            assertThat(pictures).anyMatch(file -> file.toString().endsWith(".png"));
        }
        Path samples = folder.resolve("samples.npy");
        assertThat(hocket("sample", run.toString(), "--count", "1797", "--out", samples.toString())
                        .status())
                .isZero();
        assertThat(Files.size(samples)).isBetween(1797L * 64 * 4, 1797L * 64 * 4 + 256);
        String digest = hocket("digest", run.toString()).out();
        assertThat(digest).containsPattern("[0-9a-f]{64}");
        assertThat(hocket("digest", run.toString()).out()).isEqualTo(digest);
    }

    @Test
    void wrongUsageIsOneClearLineExitStatusTwoAndNoFolder() throws Exception {
        Path run = folder.resolve("never");
        Ended key = hocket("run", "digits-gan", "--set", "epoch=3", "--out", run.toString());
        assertThat(key.status()).isEqualTo(2);
        assertThat(key.err()).contains("epoch", "did you mean epochs?").doesNotContain("\tat ");
        assertThat(run).doesNotExist();
    }

    @Test
    void anExampleTakesACountOrSaysSo() throws Exception {
        for (String count : List.of("abc", "1e3", "99999999999999")) {
            Ended wrong = bash("'" + ROOT.resolve("examples/run") + "' OwnEnvironment " + count);
            assertThat(wrong.status()).isEqualTo(2);
            assertThat(wrong.err())
                    .isEqualTo("examples/run: COUNT must be a whole number below 1,000,000,000, was " + count + "\n");
        }
    }

    @Test
    void aClassThatEndsTheProcessDoesNotPassForARunThatIsDone() throws Exception {
        Files.writeString(folder.resolve("Quit.java"), """
                public class Quit implements java.util.function.Consumer<hocket.schedulers.Run> {
                    public void accept(hocket.schedulers.Run run) {
                        System.exit(0);
                    }
                }
                """);
        Ended quit = bash(
                "PATH=$PATH:'" + ROOT + "'; javac -cp \"$(hocket classpath)\" -d classes Quit.java"
                        + " && exec hocket run gaussian-ring --classpath classes --set 'on=[{every: {rounds: 3}, do: [{class: Quit}]}]'");
        assertThat(quit.err()).contains("hocket: user code ended the process by System.exit; ended immediately: ");
        assertThat(quit.status()).isEqualTo(1);
    }

    @Test
    void anExperimentMayComeThroughAPipe() throws Exception {
        Ended piped =
                bash("'" + ROOT.resolve("hocket") + "' plan <(echo 'include: gaussian-ring') | grep -c discriminator");
        assertThat(piped.err()).isEmpty();
        assertThat(piped.status()).isZero();
    }

    @Test
    void aNameThatIsNotAsciiIsFoundInALocaleThatKnowsNoOthers() throws Exception {
        String name = "$'r\\303\\274n \\360\\237\\216\\210'"; // rün and a balloon, as bash writes them in ASCII
        Ended verified = bash("mkdir " + name + "; LC_ALL=C '" + ROOT.resolve("hocket") + "' verify " + name);
        assertThat(verified.err())
                .isEqualTo("hocket: r\u00fcn \ud83c\udf88 is not a run folder: it has no experiment.yaml\n");
        assertThat(verified.status()).isEqualTo(2);
    }

    @Test
    void whatIsSaidIsAllThereAndTheMachinesOwnRemarksAreNot() throws Exception {
        Ended nothing = hocket("sample", folder.toString(), "--count", "1", "--out", "a.npy");
        assertThat(nothing.status()).isEqualTo(2);
        assertThat(nothing.err()).isEqualTo("hocket: " + folder + " is not a run folder: it has no experiment.yaml\n");
        assertThat(hocket("doctor").err()).isEmpty();
    }

    @Test
    void outputThatNobodyTakesIsAFailure() throws Exception {
        for (String ask : List.of("--help", "doctor")) {
            Ended full = bash("'" + ROOT.resolve("hocket") + "' " + ask + " > /dev/full");
            assertThat(full.err())
                    .as(ask)
                    .isEqualTo("hocket: standard output could not be written: No space left on device\n");
            assertThat(full.status()).as(ask).isEqualTo(1);
        }
        Ended closed = bash("set -o pipefail; '" + ROOT.resolve("hocket") + "' schema | head -n 1");
        assertThat(closed.err()).isEmpty();
        assertThat(closed.status()).isEqualTo(141);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void aTerminalThatGoesAwayLeavesACheckpoint() throws Exception {
        assumeTrue(bash("trap -p HUP").out().isEmpty(), "these tests were told to ignore HUP, as nohup does");
        Path run = folder.resolve("run");
        Path err = folder.resolve("err");
        Process process = shortRun(List.of(
                        ROOT.resolve("hocket").toString(),
                        "run",
                        "digits-gan",
                        "--set",
                        "width=8",
                        "--out",
                        run.toString()))
                .redirectError(err.toFile())
                .start();
        try {
            while (!Files.readString(err).contains(" it/s")) {
                assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
                Thread.sleep(50);
            }
            assertThat(bash("kill -HUP " + process.pid()).status()).isZero();
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isEqualTo(129);
        assertThat(Files.readString(err))
                .contains("stopping: finishing this turn, then saving\n", "; saved\n", "--resume\n");
        assertThat(run.resolve("checkpoints/LATEST")).isNotEmptyFile();
    }

    /** Starts a command with the options for short runs. */
    private ProcessBuilder shortRun(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("HOCKET_JAVA_OPTIONS", PageCommands.SHORT);
        return builder;
    }

    private Ended bash(String script) throws IOException, InterruptedException {
        return ended(shortRun(List.of("bash", "-c", script)));
    }

    private Ended hocket(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ROOT.resolve("hocket").toString()));
        command.addAll(List.of(arguments));
        return ended(shortRun(command));
    }

    private Ended ended(ProcessBuilder command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", null);
        Path err = Files.createTempFile(folder, "err", null);
        Process process =
                command.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Ended(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }
}
