package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import hocket.programs.Graph;
import hocket.rl.algorithms.PreferencePpo;
import hocket.rl.text.CausalTransformer;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Trigger;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.state.State;
import hocket.schedulers.text.HocketPages;
import hocket.schedulers.text.Text;
import hocket.scopes.Declaration;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.files.experiment.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every example, on a small budget. */
@Tag("engine")
class ExamplesTest {
    @Test
    void digitsGanDrawsImagesInRange() {
        Tensor samples = DigitsGan.run(1, false);
        assertThat(samples.shape()).isEqualTo(Shape.of(64, 1, 8, 8));
        assertThat(Arrays.stream(samples.doubles()).allMatch(pixel -> pixel >= -1 && pixel <= 1))
                .isTrue();
    }

    @Test
    void scopeGuardsNameWhatTheyHold() {
        Graph graph = ScopeGuards.build();
        assertThat(graph.declarations().stream().map(Declaration::path).map(Object::toString))
                .containsExactly(
                        "encoder/deep/second/bias",
                        "encoder/deep/second/weight",
                        "encoder/first/bias",
                        "encoder/first/weight",
                        "judge/score/bias",
                        "judge/score/weight");
        ScopeGuards.main(new String[0]);
    }

    @Test
    void aTrunkSharedByTwoTurnsLearnsForBothAndADetachedHeadLearnsWorse() {
        SharedTrunk.Result shared = SharedTrunk.run(600, false);
        SharedTrunk.Result detached = SharedTrunk.run(600, true);
        assertThat(shared.sum()).isLessThan(0.02);
        assertThat(shared.product()).isLessThan(0.05);
        assertThat(detached.product()).isGreaterThan(shared.product());
        assertThat(detached.trunk()).isNotEqualTo(shared.trunk());
    }

    @Test
    void theBalancingScheduleGivesBothSidesTurnsAgainAndAgain() {
        CustomSchedule.Result result = CustomSchedule.run(1000);
        assertThat(result.discriminator() + result.generator()).isEqualTo(1000);
        assertThat(result.discriminator()).isGreaterThan(50);
        assertThat(result.generator()).isGreaterThan(50);
        assertThat(result.changes()).isGreaterThan(50);
    }

    @Test
    void theOwnLoopTakesTheTurnsItAsksFor() {
        OwnLoop.Result result = OwnLoop.run(40);
        assertThat(result.generator()).isEqualTo(40);
        assertThat(result.discriminator()).isBetween(40, 80);
        assertThat(result.pixel()).isBetween(-1.0, 1.0);
    }

    @Test
    void diracGansConvergeByTheMethodsOfThePaperAtTheRateOfTheJacobian() {
        for (String converging : List.of("R1", "R2", "instance noise", "consensus")) {
            assertThat(dirac(converging, 500)).as(converging).isLessThan(0.02);
        }
        for (String other : List.of("minimax", "Wasserstein", "Wasserstein, alternating", "WGAN-GP, alternating")) {
            assertThat(dirac(other, 500)).as(other).isGreaterThan(1);
        }
        double rate = Math.hypot(1 - 0.1 / 4, 0.1 / 2); // |1 + hλ| for λ = -f'(0)² ± i·f'(0), f'(0) = 1/2
        assertThat(dirac("consensus", 300) / dirac("consensus", 200))
                .isCloseTo(Math.pow(rate, 100), withinPercentage(1)); // near the equilibrium; further terms are cubic
    }

    private static double dirac(String method, int rounds) {
        return DiracGan.distance(Objects.requireNonNull(DiracGan.methods().get(method)), rounds);
    }

    @Test
    void beganLearnsStrokesOfDigits() {
        double untrained = Objects.requireNonNull(Began.run(1, Optional.empty()).get("frechet_distance"));
        double trained = Objects.requireNonNull(Began.run(800, Optional.empty()).get("frechet_distance"));
        assertThat(trained).isLessThan(untrained / 2);
    }

    @Test
    void bothHalvesLearnFromTheirOwnSource() {
        LeftAndRightHalves.Result result = LeftAndRightHalves.run(400);
        assertThat(result.left()).isLessThan(0.15);
        assertThat(result.right()).isLessThan(0.15);
    }

    @Test
    void theClassifierLearnsOnAnEncoderThatStaysAsItIs() {
        InSeries.Result result = InSeries.run(500);
        assertThat(result.encoderKept()).isTrue();
        assertThat(result.reconstruction()).isLessThan(0.1);
        assertThat(result.errorRate()).isLessThan(0.2);
    }

    @Test
    void threeLevelsEndWithTheSameBits() throws IOException {
        SortedMap<String, String> digests = ThreeLevels.run(2);
        assertThat(digests).hasSize(3);
        assertThat(Set.copyOf(digests.values())).hasSize(1);
        assertThat(ThreeLevels.run(1).values()).doesNotContainAnyElementsOf(digests.values());
    }

    @Test
    void aLineTrainsTestsAndInfers() throws IOException {
        OneLiners.Result result = OneLiners.run(40, 1);
        assertThat(result.tested()).isLessThan(0.4);
        assertThat(result.inferred()).isCloseTo(result.tested(), within(1e-6)); // means in another order
        assertThat(result.images().shape()).isEqualTo(Shape.of(16, 1, 8, 8));
    }

    @Test
    void aTestInTrainingRunsByBatchesOrByEpochsAndInferenceIsTheSameOnion() {
        TestOnion.Result byBatches = TestOnion.run(30, Trigger.everyRounds(200));
        TestOnion.Result byEpochs = TestOnion.run(30, Trigger.everyEpochs("first", 10));
        assertThat(byBatches.tests()).hasSize(30 * 14 / 200);
        assertThat(byEpochs.tests()).hasSize(3);
        assertThat(byEpochs.inferred()).isEqualTo(byBatches.inferred()).isLessThan(0.15);
        assertThat(byEpochs.tests().get(2)).isEqualTo(byEpochs.inferred()); // a test at the very end is the same
    }

    @Test
    void characterModelsPredictATextBetterThanItsCharactersFrequenciesAndSampleFromIt() {
        Text some = HocketPages.load().part(Text.Part.HELD_OUT);
        double frequencies = CharacterModels.countedBits(some, false);
        assertThat(frequencies).isBetween(CharacterModels.countedBits(some, true), Math.log(96) / Math.log(2));
        CharacterModels.Result lstm = CharacterModels.lstm(some, 60, 7, false);
        assertThat(lstm.bits()).isLessThan(frequencies);
        assertThat(lstm.sample()).hasSize(300);
        CharacterModels.Result transformer = CharacterModels.transformer(some, 60, 7, false);
        assertThat(transformer.bits()).isLessThan(frequencies);
        assertThat(transformer.sample()).hasSize(300).isNotEqualTo(lstm.sample());
    }

    @Test
    void anExperimentOfOnesOwnLooksAtItsValuesAndGoesOnToTheSameBits(@TempDir Path here) throws IOException {
        OwnExperiment whole = new OwnExperiment(here.resolve("whole"), new OwnExperiment.Settings(60, 16, 0.05));
        whole.run();
        OwnExperiment part = new OwnExperiment(here.resolve("part"), new OwnExperiment.Settings(53, 16, 0.05));
        part.run();
        OwnExperiment rest = new OwnExperiment(here.resolve("part"), new OwnExperiment.Settings(60, 16, 0.05));
        rest.resume();
        assertThat(rest.distance()).isEqualTo(whole.distance()).isPositive();
        assertThat(rest.extra()).isEqualTo(whole.extra());
        assertThat(newest(here.resolve("part"))).isEqualTo(newest(here.resolve("whole")));
        assertThat(here.resolve("whole/samples/iteration-000050.png")).exists();
        assertThat(here.resolve("whole/configuration.json")).content().contains("\"near\" : 0.05");
        assertThat(here.resolve("whole/metrics.jsonl"))
                .content()
                .contains("\"turn\":\"validation\",\"name\":\"distance\"");
    }

    @Test
    void anAlgorithmOfOnesOwnLearnsAndIsTheSameFromAFile(@TempDir Path here) throws IOException {
        assertThat(OwnAlgorithm.run(20_000).get("return_mean")).isGreaterThan(60); // by chance it is about 20
        Path file = Files.writeString(here.resolve("own.yaml"), """
                name: own
                seed: 7
                algorithm:
                  class: hocket.examples.OwnAlgorithm
                  environment: CartPole-v1
                  environments: {count: 8}
                  total_steps: 1024
                """);
        ExperimentFile experiment = ExperimentFile.read(
                file.toString(), List.of(), new ExperimentFile.Surroundings(here, List.of(), Map.of()));
        try (LiveRun run = experiment.definition(experiment.usualRunner()).begin(7)) {
            run.run();
            assertThat(run.scores()).isEqualTo(OwnAlgorithm.run(1024));
        }
    }

    private static State newest(Path folder) throws IOException {
        return Checkpoints.readLatest(folder.resolve("checkpoints"));
    }

    @Test
    void fourNetworksLearnWhileTwoOfThemStayAsTheyAre() {
        PreferencePpo small = PreferencePpo.usual()
                .model(new CausalTransformer(8, 1, 2, 8))
                .prompt(2)
                .continuation(4)
                .pretrainUpdates(20)
                .rewardRounds(5)
                .ppoRounds(5);
        List<String> said = new ArrayList<>();
        FourNetworks.Result result = FourNetworks.train(small, 7, said::add);
        assertThat(said)
                .contains("    pretrain writes [policy]", "    freeze writes [reference]", "    value writes [value]")
                .filteredOn(line -> line.contains(" -> "))
                .hasSize(8);
        assertThat(result.frozenAfter()).isEqualTo(result.frozenBefore());
        assertThat(result.audited()).isPositive();
        assertThat(result.scores()).containsKeys("reward", "rule", "rule_of_reference", "kl");
    }

    /** The whole experiment: the reward rises within the stated bound, and beyond it without the penalty. */
    @Test
    @Tag("slow")
    void theRewardRisesWithinTheBoundAndThePenaltyIsWhatKeepsIt() {
        SortedMap<String, Double> usual =
                FourNetworks.train(PreferencePpo.usual(), 7, line -> {}).scores();
        assertThat(usual.get("reward")).isGreaterThan(1.2);
        assertThat(usual.get("rule")).isGreaterThan(Objects.requireNonNull(usual.get("rule_of_reference")) + 3);
        assertThat(usual.get("kl")).isBetween(0.05, 0.35);
        SortedMap<String, Double> free =
                FourNetworks.train(PreferencePpo.usual().kl(0), 7, line -> {}).scores();
        assertThat(free.get("reward")).isGreaterThan(usual.get("reward"));
        assertThat(free.get("kl")).isGreaterThan(1);
    }
}
