package hocket.workbench.sweeps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.workbench.sweeps.ObjectiveSpec.MaximiseSpec;
import hocket.workbench.sweeps.ObjectiveSpec.MinimiseSpec;
import hocket.workbench.sweeps.RangeSpec.BoundsSpec;
import hocket.workbench.sweeps.RangeSpec.ChoiceSpec;
import hocket.workbench.sweeps.RangeSpec.LogUniformSpec;
import hocket.workbench.sweeps.RangeSpec.UniformSpec;
import hocket.workbench.sweeps.RangeSpec.WholeBoundsSpec;
import hocket.workbench.sweeps.RangeSpec.WholeSpec;
import hocket.workbench.sweeps.StrategySpec.GridSpec;
import hocket.workbench.sweeps.StrategySpec.HalvingSpec;
import hocket.workbench.sweeps.StrategySpec.RandomSpec;
import hocket.workbench.sweeps.StrategySpec.RungsSpec;
import hocket.workbench.sweeps.StrategySpec.Strategy;
import hocket.workbench.sweeps.StrategySpec.TrialsSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which trials there are, and which of them go on. */
class RungsTest {
    private static final RangeSpec RATE = new LogUniformSpec(new BoundsSpec(1e-5, 1e-1, 5));
    private static final RangeSpec CLIP = new UniformSpec(new BoundsSpec(0.1, 0.4, 2));
    private static final RangeSpec EPOCHS = new WholeSpec(new WholeBoundsSpec(1, 3, false));
    private static final RangeSpec UNIT = new ChoiceSpec(List.of("tanh", "relu"));

    @TempDir
    private Path here;

    @Test
    void aNarrowRangeHasAsManyDigitsAsTellItsValuesApart() {
        assertThat(new UniformSpec(new BoundsSpec(0.9999, 0.99999, 4)).points())
                .containsExactly("0.9999", "0.99993", "0.99996", "0.99999");
        assertThat(new UniformSpec(new BoundsSpec(100_000, 100_050, 3)).points())
                .containsExactly("100000", "100025", "100050");
        assertThat(new UniformSpec(new BoundsSpec(10_000, 12_344, 2)).points()).containsExactly("10000", "12344");
        assertThat(new UniformSpec(new BoundsSpec(0.995, 1, 0)).drawn(0.123456)).isEqualTo("0.995617");
        assertThat(CLIP.drawn(0.123456)).as("four digits tell these apart").isEqualTo("0.137");
        assertThat(new UniformSpec(new BoundsSpec(0.9, 1, 0)).drawn(0.123456)).isEqualTo("0.9123");
        assertThat(RATE.drawn(0.5)).isEqualTo("0.001");
    }

    @Test
    void aGridOfTooManyIntegersIsRefusedBeforeItIsMade() {
        RangeSpec all = new WholeSpec(new WholeBoundsSpec(0, 1_000_000_000, false));
        assertThatThrownBy(all::points)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a grid has each number from min to max, 1,000,000,001; a sweep has at most 1,000 trials");
    }

    private static SweepSpec spec(StrategySpec strategy, ObjectiveSpec objective, Map<String, RangeSpec> parameters) {
        return new SweepSpec("s", "", "e", Map.of(), parameters, strategy, objective, 1, 1, 1);
    }

    private static SweepSpec random(int trials, Map<String, RangeSpec> parameters) {
        return spec(new RandomSpec(new TrialsSpec(trials)), new MaximiseSpec("score", 1), parameters);
    }

    private static String value(SweepTrial sweepTrial, String name) {
        return Objects.requireNonNull(sweepTrial.settings().get(name));
    }

    private static Map<String, RangeSpec> four() {
        Map<String, RangeSpec> parameters = new LinkedHashMap<>();
        parameters.put("rate", RATE);
        parameters.put("clip", CLIP);
        parameters.put("epochs", EPOCHS);
        parameters.put("unit", UNIT);
        return parameters;
    }

    @Test
    void aValueDependsOnSeedNameAndNumberAlone() {
        List<SweepTrial> few = SweepTrial.of(random(8, four()));
        assertThat(SweepTrial.of(random(8, four()))).isEqualTo(few);
        assertThat(SweepTrial.of(random(20, four())).subList(0, 8)).isEqualTo(few);
        Map<String, RangeSpec> more = new LinkedHashMap<>();
        more.put("first", CLIP);
        more.putAll(four());
        assertThat(SweepTrial.of(random(8, more)))
                .extracting(sweepTrial -> sweepTrial.settings().get("rate"))
                .containsExactlyElementsOf(few.stream()
                        .map(sweepTrial -> sweepTrial.settings().get("rate"))
                        .toList())
                .doesNotHaveDuplicates();
    }

    @Test
    void whatIsDrawnLiesBetweenTheBoundsAsItSays() {
        List<SweepTrial> sweepTrials = SweepTrial.of(random(400, four()));
        List<Double> rates = sweepTrials.stream()
                .map(sweepTrial -> Double.parseDouble(value(sweepTrial, "rate")))
                .toList();
        assertThat(rates).allMatch(rate -> rate >= 1e-5 && rate <= 1e-1);
        assertThat(rates.stream().filter(rate -> rate < 1e-3).count()).isBetween(160L, 240L); // two decades of four
        assertThat(sweepTrials.stream()
                        .filter(sweepTrial -> Double.parseDouble(value(sweepTrial, "clip")) < 0.25)
                        .count())
                .isBetween(160L, 240L);
        for (String epochs : List.of("1", "2", "3")) {
            assertThat(sweepTrials.stream()
                            .filter(sweepTrial -> value(sweepTrial, "epochs").equals(epochs))
                            .count())
                    .isBetween(100L, 170L);
        }
        assertThat(sweepTrials).allMatch(sweepTrial -> value(sweepTrial, "rate").matches("[\\d.]{1,8}(e-\\d)?"));
    }

    @Test
    void valuesAtTheEndsAreTheEnds() {
        assertThat(RATE.drawn(0)).isEqualTo("1e-5");
        assertThat(RATE.drawn(Math.nextDown(1.0))).isEqualTo("0.1");
        assertThat(new UniformSpec(new BoundsSpec(0.12341, 0.2, 0)).drawn(0)).isEqualTo("0.12341");
        RangeSpec sizes = new WholeSpec(new WholeBoundsSpec(1, 1000, true));
        assertThat(sizes.drawn(0)).isEqualTo("1");
        assertThat(sizes.drawn(Math.nextDown(1.0))).isEqualTo("1000");
        assertThat(sizes.drawn(0.5)).isEqualTo("31"); // the square root of 1001
        assertThat(UNIT.drawn(Math.nextDown(1.0))).isEqualTo("relu");
    }

    @Test
    void aGridHasEveryCombinationTheLastChangingFastest() {
        List<SweepTrial> sweepTrials =
                SweepTrial.of(spec(new GridSpec(Strategy.GRID), new MaximiseSpec("score", 1), four()));
        assertThat(sweepTrials)
                .hasSize(5 * 2 * 3 * 2)
                .extracting(SweepTrial::number)
                .startsWith(1, 2, 3);
        assertThat(sweepTrials.get(0).changes()).containsExactly("rate=1e-5", "clip=0.1", "epochs=1", "unit=tanh");
        assertThat(sweepTrials.get(1).changes()).containsExactly("rate=1e-5", "clip=0.1", "epochs=1", "unit=relu");
        assertThat(RATE.points()).containsExactly("1e-5", "0.0001", "0.001", "0.01", "0.1");
    }

    @Test
    void budgetsMultiplyByEtaUpToTheWhole() {
        Rungs rungs = new Rungs(3, 4);
        assertThat(List.of(rungs.part(0), rungs.part(1), rungs.part(2))).containsExactly(1 / 16.0, 0.25, 1.0);
        assertThat(new Rungs(1, 2).part(0)).isEqualTo(1);
        assertThat(rungs.survivorCount(11)).isEqualTo(2);
        assertThat(rungs.survivorCount(3)).isEqualTo(1);
    }

    private static Results.Result result(int trial, int rung, @Nullable Double value) {
        return new Results.Result(trial, rung, 7, value, value == null ? "diverged" : null, 1);
    }

    private static List<Integer> numbers(List<SweepTrial> sweepTrials) {
        return sweepTrials.stream().map(SweepTrial::number).toList();
    }

    @Test
    void theBestGoOnAndThoseThatFailedDoNot() {
        StrategySpec strategy = new HalvingSpec(new RungsSpec(8, 2, 3));
        SweepSpec spec = spec(strategy, new MinimiseSpec("loss", 1), Map.of("rate", RATE));
        try (Results results = new Results(here.resolve("trials.jsonl"))) {
            TrialRanking trialRanking = new TrialRanking(spec, SweepTrial.of(spec), 7, results);
            assertThat(trialRanking.of(0)).hasSize(8);
            double[] losses = {5, 3, 9, 3, 1, 8, 7};
            for (int i = 0; i < losses.length; i++) {
                results.put(result(i + 1, 0, losses[i]));
            }
            assertThat(trialRanking.of(1)).as("as long as one trains").isEmpty();
            results.put(result(8, 0, null));
            assertThat(numbers(trialRanking.of(1)))
                    .as("of equal ones the first")
                    .containsExactly(5, 2, 4, 1);
            results.put(result(5, 1, null));
            results.put(result(2, 1, 0.5));
            results.put(result(4, 1, 0.4));
            results.put(result(1, 1, 0.6));
            assertThat(numbers(trialRanking.of(2))).containsExactly(4, 2);
            results.put(result(4, 2, 0.2));
            assertThat(trialRanking.all())
                    .extracting(trialProgress -> trialProgress.trial().number() + " "
                            + trialProgress.status().word())
                    .containsExactly(
                            "4 done",
                            "2 unfinished",
                            "1 pruned",
                            "7 pruned",
                            "6 pruned",
                            "3 pruned",
                            "5 failed",
                            "8 failed");
        }
    }

    @Test
    void whatHasComeStaysAndATornLineIsDropped() throws IOException {
        Path file = here.resolve("trials.jsonl");
        try (Results results = new Results(file)) {
            results.put(result(1, 0, 0.1));
            results.put(result(2, 0, null));
        }
        String whole = Files.readString(file);
        Files.writeString(file, whole + "{\"trial\":3,\"run");
        try (Results results = new Results(file)) {
            assertThat(results.of(new Results.Run(1, 0, 7))).hasValue(result(1, 0, 0.1));
            assertThat(results.of(new Results.Run(2, 0, 7))).hasValue(result(2, 0, null));
            assertThat(results.of(new Results.Run(3, 0, 7))).isEmpty();
        }
        assertThat(file).hasContent(whole);
    }
}
