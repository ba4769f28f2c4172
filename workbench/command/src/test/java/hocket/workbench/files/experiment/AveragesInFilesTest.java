package hocket.workbench.files.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.plans.PlanFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file says of averages, what a former run's file meant, and what a plan warns of. */
class AveragesInFilesTest {
    private static ExperimentFile file(String name, String... changes) {
        return ExperimentFile.read(
                name, List.of(changes), new ExperimentFile.Surroundings(Path.of(""), List.of(), Map.of()));
    }

    private static List<String> warningsOf(String name, String... changes) {
        Setup setup = file(name, changes).definition(ExperimentFile.TRAIN).setup();
        return PlanFacts.of(name, 7, setup).warnings();
    }

    /** A run writes all settings of its time, so the one that its file lacks was not there. */
    @Test
    void aRunOfATimeBeforeIsReadAsItWasTrained(@TempDir Path folder) throws IOException {
        String former = file("digits-gan", "epochs=1")
                .text()
                .replaceAll("\n *(warm_up|statistics_batches): \\w+", "")
                .replaceAll(", (warm_up|statistics_batches): \\w+", "");
        assertThat(former).doesNotContain("warm_up", "statistics_batches");
        Path file = folder.resolve("experiment.yaml");
        Files.writeString(file, former + "\nrecorded: {hocket: 0.1, lowering: auto, kernels: plain, runner: train}\n");
        ExperimentFile read = file(file.toString());
        assertThat(read.text()).contains("warm_up: never", "statistics_batches: 0");
        Turn ema = read.definition(ExperimentFile.TRAIN).setup().turnsByName().get("ema");
        assertThat(ema)
                .isEqualTo(Turn.follow("ema", "generator/**", "ema/generator/**", 0.999)
                        .statisticsBatches(0));
        Files.writeString(file, former); // no run's
        assertThat(file(file.toString()).text()).contains("warm_up: auto", "statistics_batches: 50");
    }

    @Test
    void aRunThatWasTrainedWithARefusedPenaltyIsStillRead(@TempDir Path folder) throws IOException {
        String former = file("digits-gan", "network.terms=[{wgan_gp: {weight: 5}}]", "norm=layer", "epochs=1")
                .text()
                .replace("  norm: layer\n", "");
        assertThat(former).doesNotContain("norm:");
        Path file = folder.resolve("experiment.yaml");
        Files.writeString(file, former);
        assertThatThrownBy(() ->
                        file(file.toString()).definition(ExperimentFile.TRAIN).setup())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("term wgan_gp");
        Files.writeString(file, former + "\nrecorded: {hocket: 0.1, lowering: auto, kernels: plain, runner: train}\n");
        ExperimentFile read = file(file.toString());
        assertThat(read.text()).contains("norm: batch-unchecked");
        assertThatThrownBy(() -> file("digits-gan", "norm=batch-unchecked"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("must be batch or layer or instance or spectral or none");
        assertThat(read.definition(ExperimentFile.TRAIN).setup().phases()).isNotEmpty();
    }

    @Test
    void aRunOfReinforceWhoseRolloutIsRefusedNowIsStillRead(@TempDir Path folder) throws IOException {
        String former = "name: former\nalgorithm: {class: hocket.rl.algorithms.Reinforce, environment: CartPole-v1,"
                + " rollout: 400}\n";
        Path file = folder.resolve("experiment.yaml");
        Files.writeString(file, former);
        assertThatThrownBy(() ->
                        file(file.toString()).definition(ExperimentFile.TRAIN).setup())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("rollout: must be at least as long as an episode can be, 500 steps, was 400");
        Files.writeString(file, former + "recorded: {hocket: 0.1, lowering: auto, kernels: plain, runner: train}\n");
        Setup setup = file(file.toString()).definition(ExperimentFile.TRAIN).setup();
        assertThat(setup.evaluation()).isPresent();
        assertThatThrownBy(setup::requireTrainable)
                .as("it is not resumed")
                .hasMessageStartingWith("rollout must be at least");
    }

    @Test
    void anAverageInAFileBeginsWithASmallDecayUnlessATurnTrainsWithIt() {
        assertThat(follow("digits-gan").warmUp()).isTrue();
        assertThat(follow("digits-gan").statisticsBatches()).isEqualTo(50);
        assertThat(follow("digits-gan", "warm_up=never").warmUp()).isFalse();
        String[] target = {
            "turns.ema.follow.to=mean/generator/**",
            "programs={draw: {reading: {generator: mean/generator}}," // the other is trained on what the average draws
                    + " discriminator: {reading: {generator: mean/generator}}}"
        };
        assertThat(follow("digits-gan", target).warmUp()).isFalse();
    }

    private static Turn.Follow follow(String name, String... changes) {
        Setup setup = file(name, changes).definition(ExperimentFile.TRAIN).setup();
        return (Turn.Follow) Objects.requireNonNull(setup.turnsByName().get("ema"));
    }

    @Test
    void aProgramThatReadsItsOwnParametersDrawsWithoutTheAverage() {
        Setup setup = file("digits-gan", "programs.draw.reading={generator: generator}")
                .definition(ExperimentFile.TRAIN)
                .setup();
        assertThat(setup.samples().orElseThrow().mappings()).isEmpty();
        assertThatThrownBy(() -> file("digits-gan", "programs.draw.reading={generatr: generatr}")
                        .definition(ExperimentFile.TRAIN)
                        .setup())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("program draw reads no parameter under generatr; did you mean generator");
    }

    @Test
    void thePlanSaysWhatAnAverageKeepsOfItsBeginning() {
        assertThat(warningsOf("digits-gan", "rounds=100")).isEmpty();
        assertThat(warningsOf("digits-gan", "rounds=100", "warm_up=never"))
                .containsExactly(
                        "turn ema: after all its 100 times, ema/generator/** is to 90 % the weights that it began with"
                                + " (0.999 to the power of 100); train longer, set a smaller decay, or warm_up: always");
        assertThat(warningsOf("digits-gan", "rounds=3000", "warm_up=never")).isEmpty();
    }
}
