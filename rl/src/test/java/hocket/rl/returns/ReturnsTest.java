package hocket.rl.returns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.schedulers.state.State;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Returns by numbers worked by hand, and what is refused. All numbers are exact in binary unless said otherwise. */
class ReturnsTest {
    private static final boolean[] NEVER = new boolean[3];

    @Test
    void anAdvantageIsTheDiscountedSumOfErrors() {
        // δ = 1 + 0.5·4 - 2 = 1, 2 + 0.5·8 - 4 = 2, 3 + 0.5·16 - 8 = 3; γλ = 0.25
        float[] advantages = new float[3];
        float[] returns = new float[3];
        new Gae(0.5, 0.5, Truncation.END)
                .advantages(
                        RolloutLayout.timeMajor(3, 1),
                        new float[] {1, 2, 3},
                        new float[] {2, 4, 8},
                        NEVER,
                        NEVER,
                        new float[0],
                        new float[] {16},
                        advantages,
                        returns);
        assertThat(advantages).containsExactly(1 + 0.25f * 2.75f, 2.75f, 3);
        assertThat(returns).containsExactly(3.6875f, 6.75f, 11);
    }

    @Test
    void aTimeLimitAffectsAdvantagesAsChosenAndATerminationTakesPrecedence() {
        float[] rewards = {1, 2, 3};
        float[] values = {2, 4, 8};
        boolean[] second = {false, true, false};
        float[] finalValues = {100, 10, 100};
        float[] advantages = new float[3];
        float[] returns = new float[3];
        Gae ends = new Gae(0.5, 1, Truncation.END);
        ends.advantages(
                RolloutLayout.timeMajor(3, 1),
                rewards,
                values,
                NEVER,
                second,
                finalValues,
                new float[] {16},
                advantages,
                returns);
        assertThat(advantages).containsExactly(1 + 0.5f * -2, -2, 3);
        Gae bootstraps = new Gae(0.5, 1, Truncation.BOOTSTRAP);
        bootstraps.advantages(
                RolloutLayout.timeMajor(3, 1),
                rewards,
                values,
                NEVER,
                second,
                finalValues,
                new float[] {16},
                advantages,
                returns);
        assertThat(advantages).containsExactly(1 + 0.5f * 3, 3, 3);
        bootstraps.advantages(
                RolloutLayout.timeMajor(3, 1),
                rewards,
                values,
                second,
                second,
                finalValues,
                new float[] {16},
                advantages,
                returns);
        assertThat(advantages).containsExactly(1 + 0.5f * -2, -2, 3);
    }

    @Test
    void theLastValueIsNotReadWhereTheLastStepEndedTheEpisode() {
        float[] advantages = new float[1];
        new Gae(1, 1, Truncation.BOOTSTRAP)
                .advantages(
                        RolloutLayout.timeMajor(1, 1),
                        new float[] {1},
                        new float[] {2},
                        new boolean[] {true},
                        new boolean[1],
                        new float[] {Float.NaN},
                        new float[] {Float.NaN},
                        advantages,
                        new float[1]);
        assertThat(advantages).containsExactly(-1);
    }

    @Test
    void everyLayoutHoldsTheSameNumbersAndNothingBetweenThemIsTouched() {
        float[][] rewards = {{1, 2, 3}, {4, 5, 6}};
        for (RolloutLayout layout : new RolloutLayout[] {
            RolloutLayout.timeMajor(3, 2),
            new RolloutLayout(3, 2, 1, 3),
            new RolloutLayout(3, 2, 5, 2),
            new RolloutLayout(3, 2, 1, 7)
        }) {
            float[] flat = new float[layout.length() + 2];
            float[] discounts = new float[flat.length];
            float[] results = new float[flat.length];
            Arrays.fill(flat, -9);
            Arrays.fill(results, -9);
            Arrays.fill(discounts, 0.5f);
            for (int e = 0; e < 2; e++) {
                for (int t = 0; t < 3; t++) {
                    flat[layout.at(t, e)] = rewards[e][t];
                }
            }
            Returns.discounted(layout, flat, discounts, new float[] {8, 16}, results);
            float[] first = {layoutAt(results, layout, 0, 0), layoutAt(results, layout, 1, 0)};
            assertThat(first).containsExactly(1 + 0.5f * 5.5f, 2 + 0.5f * 7);
            assertThat(layoutAt(results, layout, 2, 0)).isEqualTo(7);
            assertThat(layoutAt(results, layout, 0, 1)).isEqualTo(4 + 0.5f * 12);
            assertThat(layoutAt(results, layout, 2, 1)).isEqualTo(14);
            assertThat(IntStream.range(0, results.length).filter(i -> results[i] == -9))
                    .hasSize(flat.length - 6);
        }
    }

    private static float layoutAt(float[] flat, RolloutLayout layout, int step, int environment) {
        return flat[layout.at(step, environment)];
    }

    @Test
    void lambdaLeadsFromTheNextValueToTheWholeReturn() {
        float[] rewards = {1, 1, 1};
        float[] discounts = {0.5f, 0.5f, 0.5f};
        float[] next = {4, 8, 16};
        float[] results = new float[3];
        RolloutLayout layout = RolloutLayout.timeMajor(3, 1);
        Returns.lambda(layout, rewards, discounts, next, 0, results);
        assertThat(results).containsExactly(3, 5, 9);
        Returns.lambda(layout, rewards, discounts, next, 1, results);
        assertThat(results).containsExactly(3.75f, 5.5f, 9);
        Returns.lambda(layout, rewards, discounts, next, 0.5, results);
        // 1 + 0.5·(0.5·8 + 0.5·9) = 5.25; 1 + 0.5·(0.5·4 + 0.5·5.25) = 3.3125
        assertThat(results).containsExactly(3.3125f, 5.25f, 9);
        Returns.nStep(layout, rewards, discounts, next, 2, results);
        assertThat(results).containsExactly(1 + 0.5f * (1 + 0.5f * 8), 1 + 0.5f * (1 + 0.5f * 16), 9);
        Returns.nStep(layout, rewards, discounts, next, Integer.MAX_VALUE, results);
        assertThat(results).containsExactly(3.75f, 5.5f, 9);
    }

    @Test
    void noRewardPassesTheEndOfAnEpisode() {
        float[] rewards = {1, 1, 1000};
        float[] discounts = {0.5f, 0, 0.5f};
        float[] next = {4, 1000, 1000};
        float[] results = new float[3];
        Returns.nStep(RolloutLayout.timeMajor(3, 1), rewards, discounts, next, 3, results);
        assertThat(Arrays.copyOf(results, 2)).containsExactly(1.5f, 1);
        Returns.lambda(RolloutLayout.timeMajor(3, 1), rewards, discounts, next, 1, results);
        assertThat(Arrays.copyOf(results, 2)).containsExactly(1.5f, 1);
        Returns.discounted(RolloutLayout.timeMajor(3, 1), rewards, discounts, new float[] {1000}, results);
        assertThat(Arrays.copyOf(results, 2)).containsExactly(1.5f, 1);
    }

    @Test
    void resultsMayBeWrittenOverTheRewards() {
        float[] rewards = {1, 1, 1};
        float[] discounts = {0.5f, 0.5f, 0.5f};
        float[] next = {4, 8, 16};
        Returns.nStep(RolloutLayout.timeMajor(3, 1), rewards, discounts, next, 2, rewards);
        assertThat(rewards).containsExactly(3.5f, 5.5f, 9);
        float[] again = {1, 1, 1};
        float[] values = {2, 4, 8};
        new Gae(0.5, 1, Truncation.END)
                .advantages(
                        RolloutLayout.timeMajor(3, 1),
                        again,
                        values,
                        NEVER,
                        NEVER,
                        new float[0],
                        new float[] {16},
                        again,
                        values);
        assertThat(again).containsExactly(1.75f, 1.5f, 1);
        assertThat(values).containsExactly(3.75f, 5.5f, 9);
    }

    @Test
    void onPolicyVTraceIsTheWholeReturnAndALimitOfRatiosShortensIt() {
        float[] rewards = {1, 1, 1};
        float[] discounts = {0.5f, 0.5f, 0.5f};
        float[] values = {2, 4, 8};
        float[] next = {4, 8, 16};
        float[] results = new float[3];
        RolloutLayout layout = RolloutLayout.timeMajor(3, 1);
        VTrace vtrace = new VTrace(1, 1, 1);
        vtrace.targets(layout, rewards, discounts, values, next, new float[] {1, 1, 1}, results);
        assertThat(results).containsExactly(3.75f, 5.5f, 9);
        // Never taken by the policy: nothing is learnt, and nothing passes.
        vtrace.targets(layout, rewards, discounts, values, next, new float[] {1, 0, 5}, results);
        assertThat(results).containsExactly(3, 4, 9);
        float[] q = new float[3];
        vtrace.actionValues(layout, rewards, discounts, values, next, results, q);
        assertThat(q).containsExactly(1 + 0.5f * 4, 1 + 0.5f * 9, 9);
        new VTrace(1, 1, 3).advantages(layout, values, new float[] {1, 0, 5}, q, q);
        assertThat(q).containsExactly(1, 0, 3);
    }

    @Test
    void retraceCutsAtActionsThePolicyWouldNotTake() {
        // Two actions; after the first step the second action is taken, which π would with 1/4 and μ with 1/2.
        float[] results = new float[2];
        new Retrace(1, 0)
                .targets(
                        RolloutLayout.timeMajor(2, 1),
                        2,
                        new float[] {1, 2},
                        new float[] {0.5f, 0.5f},
                        new float[] {4, 8, 16, 32},
                        new float[] {0.75f, 0.25f, 0.5f, 0.5f},
                        new long[] {1, 0},
                        new float[] {0.5f, 0.5f},
                        results);
        // last: 2 + 0.5·24 = 14; first: 1 + 0.5·(5 + 0.5·(14 - 8)) = 5
        assertThat(results).containsExactly(5, 14);
    }

    @Test
    void aCriticThatKnowsTheMeanExplainsNothing() {
        assertThat(ExplainedVariance.of(new float[] {2, 2, 2}, new float[] {1, 2, 3}))
                .isEqualTo(0);
        assertThat(ExplainedVariance.of(new float[] {1, 2, 3}, new float[] {1, 2, 3}))
                .isEqualTo(1);
        assertThat(ExplainedVariance.of(new float[] {3, 2, 1}, new float[] {1, 2, 3}))
                .isEqualTo(-3);
        assertThat(ExplainedVariance.of(new float[] {1, 2}, new float[] {5, 5})).isNaN();
    }

    @Test
    void momentsOfBatchesAreThoseOfAllRowsTogether() {
        RunningMoments moments = RunningMoments.exact(2);
        moments.update(new double[] {1, 10, 3, 30});
        moments.update(new float[] {5, 20});
        assertThat(moments.mean(0)).isCloseTo(3, within(1e-15));
        assertThat(moments.variance(0)).isCloseTo(8.0 / 3, within(1e-15));
        assertThat(moments.mean(1)).isCloseTo(20, within(1e-14));
        assertThat(moments.variance(1)).isCloseTo(200.0 / 3, within(1e-13));
        assertThat(moments.count()).isEqualTo(3);
    }

    @Test
    void onlyTheFirstRowsOfALongerArrayAreCounted() {
        RunningMoments moments = RunningMoments.of(2);
        moments.update(new float[] {1, 10, 3, 30, 500, 600, 7}, 2);
        RunningMoments wanted = RunningMoments.of(2);
        wanted.update(new float[] {1, 10, 3, 30});
        assertThat(moments.save()).isEqualTo(wanted.save());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> moments.update(new float[7], 4))
                .withMessage("running moments: rows: must be at least 4 of 2 elements, were 7 elements");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> moments.update(new float[7], 0))
                .withMessage("running moments: rows: must be at least 1, was 0");
        assertThat(moments.save()).isEqualTo(wanted.save());
    }

    @Test
    void aNumberIsStandardisedByItsFeature() {
        RunningMoments moments = RunningMoments.exact(2);
        moments.update(new double[] {1, 10, 3, 30}); // means 2 and 20, deviations 1 and 10
        assertThat(moments.standardised(0, 5)).isCloseTo(3, within(1e-7)); // 1e-8 above the variance: 3·(1 - 0.5e-8)
        assertThat(moments.standardised(1, 5)).isCloseTo(-1.5, within(1e-7));
    }

    @Test
    void aRestoredStateContinuesBitForBit() {
        RunningMoments moments = RunningMoments.of(2);
        moments.update(new double[] {0.1, 0.2, 0.3, 0.4});
        State ofMoments = moments.save();
        RunningMoments other = RunningMoments.of(2);
        other.restore(ofMoments);
        double[] rows = {0.7, 0.9};
        moments.update(rows);
        other.update(rows);
        assertThat(other.save()).isEqualTo(moments.save());
    }

    @Test
    void aStateOfAnotherShapeIsRefusedAndChangesNothing() {
        RunningMoments moments = RunningMoments.of(2);
        moments.update(new double[] {1, 2});
        State before = moments.save();
        RunningMoments three = RunningMoments.of(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> moments.restore(three.save()))
                .withMessageContaining("the saved mean must be FLOAT64(2)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> moments.restore(before.without("count")))
                .withMessageContaining("lacks count");
        assertThat(moments.save()).isEqualTo(before);
    }

    @Test
    void argumentsThatDoNotFitAreRefusedByName() {
        RolloutLayout layout = RolloutLayout.timeMajor(3, 2);
        float[] six = new float[6];
        float[] five = new float[5];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Returns.lambda(layout, six, six, five, 0.5, six))
                .withMessage(
                        "lambda returns: next values: must have at least 6 elements, for 3 steps of 2 environments,"
                                + " had 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Returns.discounted(layout, six, six, new float[3], six))
                .withMessage("discounted returns: last values: must have 2 elements, one for each environment, had 3");
        boolean[] flags = new boolean[6];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Gae(1, 1, Truncation.BOOTSTRAP)
                        .advantages(layout, six, six, flags, flags, new float[0], new float[2], six, six))
                .withMessageContaining("GAE: final values: must have at least 6");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Truncation.END.fold(layout, 1.5, six, flags, flags, six, six, six))
                .withMessage("fold: gamma: must be between 0 and 1, was 1.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Returns.nStep(layout, six, six, six, 0, six))
                .withMessage("n-step returns: n: must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Retrace(1, 0)
                        .targets(layout, 3, six, six, new float[18], new float[17], new long[6], six, six))
                .withMessageContaining("must have at least 18 elements");
        assertThatThrownBy(() -> new Retrace(1, 0)
                        .targets(layout, 1, six, six, six, six, new long[] {0, 0, 0, 0, 0, 1}, six, new float[6]))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExplainedVariance.of(six, five))
                .withMessageContaining("must have 5 elements, one for each return, had 6");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExplainedVariance.of(new float[0], new float[0]))
                .withMessageContaining("must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunningMoments.of(2).update(five))
                .withMessage("running moments: rows: must be a multiple of 2 elements, one for each feature, were 5");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // as one who does not check for it
    private static <T> T nothing() {
        return null;
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Gae(1, 1, nothing()))
                .withMessage("GAE: truncation: must be one of [BOOTSTRAP, END], was null");
        for (double bad : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Gae(bad, 1, Truncation.END))
                    .withMessage("GAE: gamma: must be between 0 and 1, was " + bad);
            assertThatIllegalArgumentException().isThrownBy(() -> new Gae(1, bad, Truncation.END));
            assertThatIllegalArgumentException().isThrownBy(() -> new VTrace(bad, 1, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> new Retrace(bad, 0));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new VTrace(1, -1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> RolloutLayout.timeMajor(0, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RolloutLayout(3, 2, 1, 2))
                .withMessage("layout: 3 steps 1 apart and 2 environments 2 apart overlap");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RolloutLayout.timeMajor(1 << 16, 1 << 16))
                .withMessageContaining("this one 4294967296");
    }
}
