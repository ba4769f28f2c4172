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
import hocket.workbench.sweeps.StrategySpec.MembersSpec;
import hocket.workbench.sweeps.StrategySpec.PopulationSpec;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which members of a population copy which others, and what they try then. */
class PopulationTest {
    private static final RangeSpec RATE = new LogUniformSpec(new BoundsSpec(1e-4, 1e-2, 0));
    private static final RangeSpec CLIP = new UniformSpec(new BoundsSpec(0.1, 0.4, 0));
    private static final RangeSpec STEPS = new WholeSpec(new WholeBoundsSpec(1, 10, false));
    private static final RangeSpec UNIT = new ChoiceSpec(List.of("tanh", "relu", "elu"));

    @TempDir
    private Path here;

    private static MembersSpec members(int members, int intervals, double quantile, double resample) {
        return new MembersSpec(members, intervals, quantile, List.of(0.8, 1.2), resample);
    }

    private static SweepSpec spec(MembersSpec members, ObjectiveSpec objective) {
        Map<String, RangeSpec> parameters = new LinkedHashMap<>();
        parameters.put("rate", RATE);
        parameters.put("unit", UNIT);
        return new SweepSpec("s", "", "e", Map.of(), parameters, new PopulationSpec(members), objective, 1, 1, 1);
    }

    private static Results.Result result(PopulationMember member, @Nullable Double value) {
        return Sweep.result(member.run(), value, value == null ? "diverged" : null, 2);
    }

    /** Adds results of the last known interval, by member; NaN for one that failed. */
    private static void put(Population population, double... values) {
        List<List<PopulationMember>> known = population.intervals();
        for (PopulationMember member : known.get(known.size() - 1)) {
            double value = values[member.number() - 1];
            population.results().put(result(member, Double.isNaN(value) ? null : value));
        }
    }

    @Test
    void theWorstQuarterCopiesTheBestQuarterAndTheOthersTrainOn() {
        SweepSpec spec = spec(members(8, 3, 0.25, 0), new MaximiseSpec("score", 1));
        try (Results results = new Results(here.resolve("trials.jsonl"))) {
            Population population = Population.of(spec, 7, results);
            List<PopulationMember> first = population.intervals().get(0);
            assertThat(first).extracting(PopulationMember::seed).containsExactly(7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L);
            put(population, 5, 1, 7, 2, 6, 3, 8, 4);
            List<PopulationMember> second = population.intervals().get(1);
            for (PopulationMember member : second) {
                PopulationMember before = first.get(member.number() - 1);
                if (Set.of(2, 4).contains(member.number())) {
                    PopulationMember source = first.get(member.copied() - 1);
                    assertThat(member.copied()).isIn(3, 7);
                    assertThat(member.seed())
                            .as("the streams of the copied run")
                            .isEqualTo(source.seed());
                    assertThat(member.folderName()).isEqualTo("trial-" + member.number() + "/from-2");
                    double factor = rate(member) / rate(source);
                    assertThat(Math.min(Math.abs(factor - 0.8), Math.abs(factor - 1.2)))
                            .isLessThan(1e-3);
                } else {
                    assertThat(member.settings()).isEqualTo(before.settings());
                    assertThat(member.copied()).isZero();
                    assertThat(member.folderName()).isEqualTo("trial-" + member.number() + "/from-1");
                }
            }
            assertThat(Population.of(spec, 7, results).intervals()).isEqualTo(population.intervals());
        }
    }

    private static double rate(PopulationMember member) {
        return Double.parseDouble(Objects.requireNonNull(member.settings().get("rate")));
    }

    @Test
    void nothingIsKnownOfAnIntervalBeforeAllMembersHaveAResult() {
        SweepSpec spec = spec(members(4, 3, 0.25, 0), new MaximiseSpec("score", 1));
        try (Results results = new Results(here.resolve("trials.jsonl"))) {
            Population population = Population.of(spec, 7, results);
            List<PopulationMember> first = population.intervals().get(0);
            for (PopulationMember member : first.subList(0, 3)) {
                results.put(result(member, 1.0));
                assertThat(population.intervals()).hasSize(1);
            }
            results.put(result(first.get(3), 2.0));
            assertThat(population.intervals()).hasSize(2);
        }
    }

    @Test
    void allThatFailedAreReplacedAndIfAllFailedNobodyIs() {
        SweepSpec spec = spec(members(4, 3, 0.25, 0.5), new MinimiseSpec("loss", 1));
        try (Results results = new Results(here.resolve("trials.jsonl"))) {
            Population population = Population.of(spec, 7, results);
            put(population, Double.NaN, 3, Double.NaN, 9);
            assertThat(population.intervals().get(1))
                    .extracting(PopulationMember::copied)
                    .containsExactly(2, 0, 2, 0);
            put(population, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
            assertThat(population.intervals()).hasSize(2);
            assertThat(population.progress())
                    .allMatch(each -> each.status() == TrialProgress.Status.FAILED && each.seconds() == 4);
        }
    }

    @Test
    void anAncestryLeadsThroughTheCopiedMembers() {
        SweepSpec spec = spec(members(4, 3, 0.25, 0), new MaximiseSpec("score", 1));
        try (Results results = new Results(here.resolve("trials.jsonl"))) {
            Population population = Population.of(spec, 7, results);
            put(population, 4, 3, 2, 1); // 4 copies 1
            put(population, 2, 3, 1, 4); // 3 copies 4
            put(population, 2, 1, 4, 3);
            List<List<PopulationMember>> all = population.intervals();
            assertThat(all).hasSize(3);
            PopulationMember best = population.ranked(all.get(2)).get(0);
            assertThat(population.ancestry(best))
                    .extracting(PopulationMember::number)
                    .containsExactly(1, 4, 3);
            assertThat(population.progress().get(0).trial().settings())
                    .isEqualTo(all.get(2).get(2).settings());
            assertThat(new SettingsSchedule(population.ancestry(best)).lines()).hasSize(1 + 1 + 3);
            assertThat(new SettingsSchedule(population.ancestry(all.get(2).get(0)))
                            .lines()
                            .get(2))
                    .matches(" *1-3 +1 .*");
        }
    }

    @Test
    void aPerturbedValueStaysInItsRange() {
        assertThat(RATE.perturbed("0.001", 1.2)).isEqualTo("0.0012");
        assertThat(RATE.perturbed("0.009", 1.2)).isEqualTo("0.01");
        assertThat(CLIP.perturbed("0.11", 0.8)).isEqualTo("0.1");
        assertThat(STEPS.perturbed("2", 1.2)).as("at least the next").isEqualTo("3");
        assertThat(STEPS.perturbed("1", 0.8)).isEqualTo("1");
        assertThat(STEPS.perturbed("10", 1.2)).isEqualTo("10");
        assertThat(UNIT.perturbed("relu", 1.2)).isEqualTo("elu");
        assertThat(UNIT.perturbed("relu", 0.8)).isEqualTo("tanh");
        assertThat(UNIT.perturbed("tanh", 0.8)).isEqualTo("tanh");
    }

    @Test
    void aCopyAtALimitOfTheRangeMovesAwayFromItAndSomeAreSampledAnew() {
        MembersSpec never = members(8, 10, 0.25, 0);
        PopulationExploration perturbs = new PopulationExploration(spec(never, new MaximiseSpec("score", 1)), never);
        MembersSpec often = members(8, 10, 0.25, 0.5);
        PopulationExploration samples = new PopulationExploration(spec(often, new MaximiseSpec("score", 1)), often);
        Map<String, String> limit = Map.of("rate", "0.01", "unit", "elu");
        Set<String> rates = new HashSet<>();
        int anew = 0;
        for (int member = 1; member <= 100; member++) {
            assertThat(perturbs.explored(limit, member, 3)).isEqualTo(Map.of("rate", "0.008", "unit", "relu"));
            String rate =
                    Objects.requireNonNull(samples.explored(limit, member, 3).get("rate"));
            rates.add(rate);
            anew += rate.equals("0.008") ? 0 : 1;
            assertThat(samples.explored(limit, member, 3)).isEqualTo(samples.explored(limit, member, 3));
        }
        assertThat(anew).isBetween(35, 65);
        assertThat(rates).hasSizeGreaterThan(30);
    }

    @Test
    void aFactorOfOneIsRefused() {
        assertThatThrownBy(() -> new MembersSpec(4, 2, 0.25, List.of(0.8, 1.0), 0))
                .hasMessage("factors: must be numbers other than 1, was [0.8, 1.0]");
        assertThat(members(2, 2, 0.1, 0).quantileCount()).isEqualTo(1);
        assertThat(members(10, 2, 0.25, 0).quantileCount()).isEqualTo(3);
        assertThat(members(3, 2, 0.5, 0).quantileCount()).isEqualTo(1);
    }
}
