package hocket.schedulers.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.scopes.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

class AggregatesTest {
    /** Two tasks, of three seeds and of five. */
    private static final TaskScores SCORES = TaskScores.of(new double[] {3, 1, 2}, new double[] {10, 50, 20, 40, 30});

    @Test
    void theInterquartileMeanLeavesOutAQuarterOfTheRunsAtEachEnd() {
        assertThat(Aggregates.interquartileMean(SCORES)).isCloseTo((3 + 10 + 20 + 30) / 4.0, within(1e-12));
        assertThat(Aggregates.interquartileMean(TaskScores.of(new double[] {1, 2, 6}))) // ⌊3/4⌋ = 0 are left out
                .isCloseTo(3, within(1e-12));
        assertThat(Aggregates.interquartileMean(TaskScores.of(new double[] {1, 2, 6, 7, 100})))
                .isCloseTo(5, within(1e-12));
    }

    @Test
    void medianAndMeanAreOfTheMeansOfTasksWhateverTheirSeeds() {
        assertThat(Aggregates.mean(SCORES)).isCloseTo(16, within(1e-12));
        assertThat(Aggregates.median(SCORES)).isCloseTo(16, within(1e-12));
        TaskScores three = TaskScores.of(new double[] {3}, new double[] {100, 102}, new double[] {4});
        assertThat(Aggregates.median(three)).isEqualTo(4);
        assertThat(Aggregates.mean(three)).isCloseTo(36, within(1e-12));
    }

    @Test
    void aProfileIsTheShareOfRunsAboveAndNotAtAThreshold() {
        assertThat(PerformanceProfile.of(SCORES, 50, 0, 3, 2.5)).containsExactly(0, 1, 5 / 8.0, 6 / 8.0);
    }

    @Test
    void aTieIsHalfAnImprovement() {
        TaskScores x = TaskScores.of(new double[] {1, 2}, new double[] {5});
        TaskScores y = TaskScores.of(new double[] {1, 0, 3}, new double[] {7});
        assertThat(ProbabilityOfImprovement.of(x, y)).isCloseTo((3.5 / 6 + 0) / 2, within(1e-12));
        assertThat(ProbabilityOfImprovement.of(y, x)).isCloseTo((2.5 / 6 + 1) / 2, within(1e-12));
        assertThat(ProbabilityOfImprovement.of(x, x)).isEqualTo(0.5);
        assertThatThrownBy(() -> ProbabilityOfImprovement.of(x, TaskScores.of(new double[] {1})))
                .hasMessage("both algorithms need the same tasks, one has 2, the other 1");
    }

    @Test
    void percentilesInterpolateLinearly() {
        double[] resampled = new double[41];
        for (int i = 0; i < resampled.length; i++) {
            resampled[i] = 40 - i;
        }
        assertThat(Estimate.of(7, resampled)).isEqualTo(new Estimate(7, 1, 39));
        Estimate between = Estimate.of(7, new double[] {3, 1});
        assertThat(between.low()).isCloseTo(1.05, within(1e-12));
        assertThat(between.high()).isCloseTo(2.95, within(1e-12));
        assertThat(Estimate.of(7, new double[] {3})).isEqualTo(new Estimate(7, 3, 3));
    }

    @Test
    void aSeedGivesTheSameIntervalsAgainAndAnotherOneOthers() {
        Estimate first = new StratifiedBootstrap(1, 500).estimate(SCORES, Aggregates::mean);
        assertThat(new StratifiedBootstrap(1, 500).estimate(SCORES, Aggregates::mean))
                .isEqualTo(first);
        assertThat(new StratifiedBootstrap(2, 500).estimate(SCORES, Aggregates::mean))
                .isNotEqualTo(first);
        List<Estimate> both = new StratifiedBootstrap(1, 500)
                .estimates(SCORES, each -> new double[] {Aggregates.median(each), Aggregates.mean(each)});
        assertThat(both.get(1)).isEqualTo(first);
    }

    @Test
    void seedsAreResampledWithinTheirTask() {
        TaskScores apart = TaskScores.of(new double[] {0, 0, 0}, new double[] {9, 9});
        assertThat(new StratifiedBootstrap(1, 100).estimate(apart, Aggregates::mean))
                .isEqualTo(new Estimate(4.5, 4.5, 4.5));
        assertThat(new StratifiedBootstrap(1, 100).estimate(apart, each -> each.runs()))
                .isEqualTo(new Estimate(5, 5, 5));
    }

    @Test
    void theIntervalHoldsTheTrueMeanInMostCases() {
        int held = 0;
        int cases = 400;
        for (int i = 0; i < cases; i++) {
            double[][] tasks = new double[4][10];
            for (int task = 0; task < tasks.length; task++) {
                Streams.seed(i).at("task " + task).normal(0, tasks[task]);
            }
            Estimate mean = new StratifiedBootstrap(i, 400).estimate(TaskScores.of(tasks), Aggregates::mean);
            held += mean.low() <= 0 && mean.high() >= 0 ? 1 : 0;
        }
        // of ten seeds a percentile interval is narrower than Student's by √(9/10): it covers some 93 %
        assertThat((double) held / cases).isBetween(0.88, 0.97);
    }

    @Test
    void scoresThatAreNoneAreRefused() {
        assertThatThrownBy(TaskScores::of).hasMessage("scores need at least one task");
        assertThatThrownBy(() -> TaskScores.of(new double[] {1}, new double[0]))
                .hasMessage("task 1 needs at least one score");
        assertThatThrownBy(() -> TaskScores.of(new double[] {1, Double.NaN}))
                .hasMessage("scores of task 0 must be finite, one was NaN");
        assertThatThrownBy(() -> new StratifiedBootstrap(1, 0)).hasMessage("resamples must be at least 1, was 0");
    }
}
