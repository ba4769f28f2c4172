package hocket.workbench.training.reports;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Ring;
import hocket.schedulers.Trigger;
import hocket.workbench.command.Ran;
import hocket.workbench.command.SameRun;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.Training;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookTest {
    private static final String AGENT = "cartpole-ppo";

    @TempDir
    private Path here;

    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @Tag("engine")
    @CsvSource({"digits-gan, network.width=4, evaluation=", "gaussian-ring, network.width=16, evaluation.samples=100"})
    void whoLooksAfterEveryRoundChangesNoBitOfTraining(String experiment, String smaller, String judged)
            throws Exception {
        CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), here);
        List<String> changes = List.of(smaller, judged, "budget={rounds: 12}");
        for (boolean isLookedAt : new boolean[] {false, true}) {
            ExperimentFile file = ExperimentFile.read(experiment, changes, commandContext.surroundings(List.of()));
            Preview preview = Preview.at(SelectedExperiment.of(file).setup()).orElseThrow();
            Path picture = here.resolve("seen.png");
            RunFolder folder = new RunFolder(here.resolve(isLookedAt ? "seen" : "unseen"));
            StopRequest stopRequest = new StopRequest(line -> {}, line -> {}, status -> {});
            Training run = new Training(
                    new RunRequest(
                            commandContext,
                            file,
                            ExperimentFile.TRAIN,
                            folder,
                            changes,
                            RunRequest.Flags.QUIET,
                            RunRequest.Beginning.FIRST),
                    stopRequest);
            if (isLookedAt) {
                run.ring(Ring.on(Trigger.everyRounds(1), at -> preview.write(at, picture, "seen")));
            }
            assertThat(run.run()).as(err.toString()).isZero();
            assertThat(Files.exists(picture)).isEqualTo(isLookedAt);
        }
        assertThat(digest("seen")).isEqualTo(digest("unseen")).isNotEmpty();
        assertThat(Files.readAllBytes(here.resolve("seen/samples/latest.png")))
                .isEqualTo(Files.readAllBytes(here.resolve("unseen/samples/latest.png")));
    }

    @Test
    @Tag("engine")
    void aRunThatIsServedIsTheSame() throws Exception {
        for (String experiment : List.of("gaussian-ring", "cartpole-ppo")) {
            List<String> smaller = experiment.equals("gaussian-ring")
                    ? List.of("rounds=300", "network.width=16", "feeds.ring.batch=32", "evaluation.samples=200")
                    : List.of("total_steps=4096", "algorithm.epochs=2", "threads=1");
            String plain = "unseen-" + experiment;
            String served = "seen-" + experiment;
            Ran first = run(experiment, smaller, "--out", plain);
            Ran second = run(experiment, smaller, "--out", served, "--serve", "0");
            assertThat(first.status()).as(first.err()).isZero();
            assertThat(second.status()).as(second.err()).isZero();
            assertThat(digest(served)).isEqualTo(digest(plain)).isNotEmpty();
            SameRun.assertIsAs(here.resolve(plain), here.resolve(served));
        }
    }

    @Test
    void anAgentHasNothingToLookAt() {
        CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), here);
        ExperimentFile file = ExperimentFile.read(AGENT, List.of(), commandContext.surroundings(List.of()));
        assertThat(Preview.at(SelectedExperiment.of(file).setup())).isEmpty();
    }

    private Ran run(String experiment, List<String> changes, String... more) {
        List<String> words = new ArrayList<>(List.of("run", experiment));
        changes.forEach(change -> words.addAll(List.of("--set", change)));
        words.addAll(List.of(more));
        return Ran.hocket(here, words.toArray(String[]::new));
    }

    private String digest(String run) {
        return Ran.hocket(here, "digest", run, "--all").out();
    }
}
