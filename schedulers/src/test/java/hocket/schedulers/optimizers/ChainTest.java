package hocket.schedulers.optimizers;

import static hocket.schedulers.optimizers.Optimizers.accumulate;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipAdaptively;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.clipByNorm;
import static hocket.schedulers.optimizers.Optimizers.decay;
import static hocket.schedulers.optimizers.Optimizers.lamb;
import static hocket.schedulers.optimizers.Optimizers.lookahead;
import static hocket.schedulers.optimizers.Optimizers.optimistic;
import static hocket.schedulers.optimizers.Optimizers.rmsProp;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static hocket.schedulers.optimizers.Optimizers.yogi;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.kernels.KernelsTest;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.rates.LinearRate;
import hocket.schedulers.optimizers.rates.OnPlateauRate;
import hocket.schedulers.optimizers.rates.OneCycleRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.optimizers.rates.StepRate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.optimizers.rates.WarmUpRate;
import hocket.schedulers.optimizers.transforms.ClipByGlobalNorm;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ChainTest {
    private static final ElementType DOUBLE = ElementType.FLOAT64;

    /** A user's own: descends by the sign of a mean. */
    public record SignDescent(
            @Setting(help = "learning rate") Rate rate,

            @Setting(usually = "0.9", least = 0, most = 1, help = "share of the mean that is kept")
            double kept)
            implements GradientTransformation {
        public SignDescent {
            if (!(kept >= 0 && kept <= 1)) {
                throw new IllegalArgumentException("kept: must be from 0 to 1, was " + kept);
            }
        }

        @Override
        public List<Slot> slots() {
            return List.of(Slot.of("mean"));
        }

        @Override
        public void update(Chunk chunk) {
            double[] u = chunk.update();
            double[] mean = chunk.slot(0);
            for (int i = 0; i < chunk.length(); i++) {
                mean[i] = kept * mean[i] + (1 - kept) * u[i];
                u[i] = chunk.rate() * Math.signum(mean[i]);
            }
        }
    }

    private static Target target(String path, double weight, double gradient) {
        return Target.of(path, NativeArrays.of(DOUBLE, weight), NativeArrays.of(DOUBLE, gradient));
    }

    private static double run(UpdatePlan plan, Target target, int times) {
        try (KernelThreads kernelThreads = KernelThreads.of(1)) {
            for (int i = 0; i < times; i++) {
                plan.run(kernelThreads);
            }
        }
        return NativeArrays.get(target.weight(), 0);
    }

    private static double once(UpdateRule rule, double weight, double gradient) {
        Target target = target("net/weight", weight, gradient);
        return run(UpdatePlan.of(rule, List.of(target)), target, 1);
    }

    @Test
    void aLinkOfOnesOwnIsOneSmallClass() {
        assertThat(once(new SignDescent(Rate.constant(0.5), 0.9), 1, 7)).isEqualTo(0.5);
        assertThat(once(chain(new SignDescent(Rate.constant(0.5), 0.9), decay(0.1)), 1, 7))
                .isCloseTo(0.5 - 0.05, within(1e-15));
        Target target = target("net/weight", 1, 7);
        UpdatePlan plan = UpdatePlan.of(new SignDescent(Rate.constant(0.5), 0.9), List.of(target));
        assertThat(plan.settings()).containsOnlyKeys("kept", "rate");
        refused(() -> plan.set("kept", 2), "kept: must be from 0 to 1, was 2.0");
    }

    /** The last link waits for two updates of SGD, whose mean it then passes on. */
    @Test
    void aLinkThatWaitsMayBeTheLast() {
        assertThat(once(chain(sgd(0.5), accumulate(2)), 2, 1)).isEqualTo(2);
        assertThat(once(chain(accumulate(2), sgd(0.5)), 2, 1)).isEqualTo(2);
        Target weight = target("net/weight", 2, 1);
        UpdatePlan plan = UpdatePlan.of(chain(sgd(0.5), accumulate(2)), List.of(weight));
        assertThat(run(plan, weight, 2)).isEqualTo(1.5);
        assertThat(run(plan, weight, 1)).isEqualTo(1.5);
        assertThat(run(plan, weight, 1)).isEqualTo(1);
    }

    @Test
    void decayBeforeARuleIsAPenaltyAndBehindItDecoupled() {
        assertThat(once(chain(decay(0.1), sgd(0.5)), 2, 1)).isCloseTo(2 - 0.5 * (1 + 0.2), within(1e-15));
        assertThat(once(chain(sgd(0.5), decay(0.1)), 2, 1)).isCloseTo(2 * (1 - 0.05) - 0.5, within(1e-15));
        assertThat(once(chain(adam(0.01), decay(0.1)), 2, 1))
                .isEqualTo(once(adam(0.01).decoupledWeightDecay(0.1), 2, 1));
        assertThat(once(chain(decay(0.1), adam(0.01)), 2, 1))
                .isEqualTo(once(adam(0.01).weightDecay(0.1), 2, 1));
        assertThat(once(chain(adam(0.01), decay(0.1)), 2, 1))
                .isCloseTo(once(chain(adam(0.01).epsilonRoot(1e-30), decay(0.1)), 2, 1), within(1e-15));
    }

    @Test
    void decayMayBeOfSomeWeightsOnly() {
        for (GradientTransformation rule : List.of(sgd(0.5), yogi(0.5), rmsProp(0.5))) {
            Target weight = target("net/weight", 1, 0);
            Target bias = target("net/bias", 1, 0);
            UpdatePlan plan = UpdatePlan.of(chain(rule, decay(0.1).over("**/weight")), List.of(weight, bias));
            run(plan, weight, 1);
            assertThat(NativeArrays.get(weight.weight(), 0)).isLessThan(1);
            assertThat(NativeArrays.get(bias.weight(), 0)).isCloseTo(once(rule, 1, 0), within(1e-15));
        }
    }

    @Test
    void gatheredGradientsMoveTheWeightByTheirMeanAtEveryKth() {
        Target target = target("net/weight", 0, 1);
        UpdatePlan plan =
                UpdatePlan.of(chain(accumulate(3), clipByGlobalNorm(100), sgd(at -> at.update())), List.of(target));
        assertThat(run(plan, target, 2)).isZero();
        NativeArrays.set(target.gradient(), 4);
        assertThat(run(plan, target, 1)).isEqualTo(-2);
        assertThat(run(plan, target, 2)).isEqualTo(-2);
        State saved = plan.save();
        assertThat(run(plan, target, 1)).isEqualTo(-2 - 2 * 4);
        NativeArrays.set(target.weight(), -2);
        plan.restore(saved);
        assertThat(run(plan, target, 1)).as("the window is in the saved state").isEqualTo(-10);
    }

    private static GradientTransformation sgd(Rate rate) {
        return Optimizers.sgd(0).rate(rate);
    }

    private static GradientTransformation sgd(double rate) {
        return Optimizers.sgd(rate);
    }

    @Test
    void settingsHaveTheirOwnNamesWhereTheyDiffer() {
        Target one = target("a/weight", 1, 1);
        Target two = target("b/weight", 1, 1);
        assertThat(UpdatePlan.of(chain(clipByGlobalNorm(1), adam(0.1), decay(0.2)), List.of(one))
                        .settings())
                .containsKeys("norm", "rate", "beta1", "decay", "adam/epsilon", "clip_by_global_norm/epsilon");
        UpdatePlan both = UpdatePlan.of(List.of(
                new UpdatePlan.Group(chain(adam(0.1), Optimizers.scale(2), Optimizers.scale(3)), List.of(one)),
                new UpdatePlan.Group(adam(0.3), List.of(two))));
        assertThat(both.settings())
                .containsEntry("1/adam/rate", 0.1)
                .containsEntry("scale/rate", 2.0)
                .containsEntry("scale2/rate", 3.0)
                .containsEntry("2/adam/rate", 0.3);
    }

    @Test
    void aSettingChangesBetweenUpdatesAndIsSavedAndRestored() {
        Target target = target("net/weight", 0, 1);
        UpdatePlan plan = UpdatePlan.of(sgd(at -> 1), List.of(target));
        State before = plan.save();
        plan.set("rate", 0.25);
        assertThat(plan.setting("rate")).isEqualTo(0.25);
        assertThat(run(plan, target, 1)).isEqualTo(-0.25);
        refused(() -> plan.set("rate", -1), "rate: must be finite and at least 0, was -1.0");
        refused(() -> plan.set("rat", 1), "there is no setting rat; did you mean rate?");
        refused(
                () -> plan.set("momentum", 0.5),
                "momentum: cannot become 0.5 now: sgd would keep [momentum] for each weight, and keeps []");
        State saved = plan.save();
        plan.reset();
        assertThat(run(plan, target, 1)).isEqualTo(-1.25);
        plan.restore(saved);
        assertThat(run(plan, target, 1)).isEqualTo(-1.5);
        plan.restore(before);
        assertThat(run(plan, target, 1)).isEqualTo(-2.5);
        UpdatePlan gathering = UpdatePlan.of(chain(accumulate(2), sgd(1)), List.of(target));
        gathering.set("accumulate", 4);
        refused(() -> gathering.set("accumulate", 2.5), "accumulate: must be a whole number, was 2.5");
        refused(() -> gathering.set("accumulate", 0), "accumulate: must be at least 1, was 0");
    }

    @Test
    void aStateThatDoesNotFitIsRefusedAndChangesNothing() {
        Target target = target("net/weight", 0, 1);
        UpdatePlan plan = UpdatePlan.of(chain(accumulate(2), adam(0.1)), List.of(target));
        run(plan, target, 3);
        State saved = plan.save();
        refused(() -> plan.restore(State.empty()), "the saved state lacks net/weight/m; there is none at all");
        refused(
                () -> plan.restore(saved.with("set", State.empty().with("beta1", 7.0))),
                "beta1: must be at least 0 and below 1, was 7.0");
        refused(
                () -> plan.restore(UpdatePlan.of(adam(0.1), List.of(target)).save()),
                "the saved state lacks net/weight/sum; did you mean net/weight/m?");
        assertThat(plan.save()).isEqualTo(saved);
    }

    @Test
    void anyNumberOfThreadsAndEitherKernelsGiveTheSameBitsToEveryChain() {
        List<UpdateRule> rules = List.of(
                lamb(0.01),
                chain(clipByNorm(0.1), yogi(0.01), clipByGlobalNorm(0.5)),
                chain(clipAdaptively(0.01), adam(0.01), lookahead(2, 0.5)),
                chain(optimistic(), clipByGlobalNorm(1), rmsProp(0.01)));
        for (UpdateRule rule : rules) {
            for (ElementType type : KernelsTest.FLOATING) {
                List<long[]> expected = List.of();
                for (Kernels kind : KernelsTest.all()) {
                    for (int threads = 1; threads <= 3; threads++) {
                        List<long[]> bits = bits(rule, type, kind.name(), threads);
                        expected = expected.isEmpty() ? bits : expected;
                        for (int i = 0; i < bits.size(); i++) {
                            assertThat(Arrays.equals(bits.get(i), expected.get(i)))
                                    .as("%s %s %s, %d threads, array %d", rule, type, kind.name(), threads, i)
                                    .isTrue();
                        }
                    }
                }
            }
        }
    }

    private static List<long[]> bits(UpdateRule rule, ElementType type, String kind, int threads) {
        SplittableRandom random = new SplittableRandom(5);
        List<Target> targets = new ArrayList<>();
        for (int[] extents : new int[][] {{3}, {7, 9_001}, {1, 5000}, {20_000, 2}}) {
            Shape shape = Shape.of(extents);
            targets.add(Target.of(
                    "net/" + targets.size(),
                    shape,
                    NativeArrays.filled(type, shape.size(), random::nextGaussian),
                    NativeArrays.filled(type, shape.size(), random::nextGaussian)));
        }
        UpdatePlan plan = UpdatePlan.of(rule, targets);
        try (KernelThreads kernelThreads = KernelThreads.of(
                threads,
                () -> kind.equals("plain") ? Kernels.plain() : Kernels.vector().orElseThrow())) {
            for (int i = 0; i < 4; i++) {
                plan.run(kernelThreads);
            }
        }
        List<long[]> bits = new ArrayList<>();
        targets.forEach(target -> bits.add(NativeArrays.bits(target.weight())));
        plan.slots().values().forEach(slot -> bits.add(NativeArrays.bits(Reals.of(slot))));
        return bits;
    }

    @Test
    void adaptiveClippingIsOfEachUnit() {
        Target target = Target.of(
                "net/weight",
                Shape.of(2, 2),
                NativeArrays.of(DOUBLE, 3, 4, 0, 0),
                NativeArrays.of(DOUBLE, 30, 40, 0, 2));
        run(UpdatePlan.of(chain(clipAdaptively(0.1), sgd(1)), List.of(target)), target, 1);
        double[] moved = NativeArrays.values(target.weight());
        assertThat(moved[0]).isCloseTo(3 - 30 * 0.5 / 50, within(1e-15));
        assertThat(moved[1]).isCloseTo(4 - 40 * 0.5 / 50, within(1e-15));
        assertThat(moved[3]).isCloseTo(-2 * 1e-4 / 2, within(1e-15));
    }

    @Test
    void aNormBehindOtherLinksIsOfWhatReachesIt() {
        Target one = target("a", 0, 3);
        Target two = target("b", 0, 4);
        UpdatePlan plan =
                UpdatePlan.of(chain(Optimizers.scale(2), new ClipByGlobalNorm(5, 0), sgd(1)), List.of(one, two));
        run(plan, one, 1);
        assertThat(NativeArrays.get(one.weight(), 0)).isCloseTo(-3, within(1e-14));
        assertThat(NativeArrays.get(two.weight(), 0)).isCloseTo(-4, within(1e-14));
    }

    @Test
    void aRateThatTurnsBadLaterIsFoundBeforeTraining() {
        UpdateRule rule = chain(clipByGlobalNorm(1), sgd(at -> 1 - at.update() / 5_000.0));
        rule.check(5_000);
        refused(
                () -> rule.check(6_000),
                "sgd: the rate at update 5003 must be finite and at least 0, was " + (1 - 5003 / 5_000.0));
        sgd(new LinearRate(1, 0, 0, 10, RateUnit.EPOCH)).links().get(0).check(1000);
    }

    @Test
    void aRateMayCountRoundsOrEpochs() {
        Rate rounds = new LinearRate(1, 0, 0, 10, RateUnit.ROUND);
        Rate epochs = new StepRate(1, 2, 0.5, RateUnit.EPOCH);
        assertThat(rounds.at(TrainingProgress.of(1000, 5, 0))).isEqualTo(0.5);
        assertThat(epochs.at(TrainingProgress.of(1000, 5, 3.9))).isEqualTo(0.5);
        assertThat(epochs.at(TrainingProgress.of(1000, 5, 4))).isEqualTo(0.25);
    }

    @Test
    void aRateFallsOnAPlateauAndRemembersIt() {
        Target target = target("net/weight", 0, 1);
        Rate rate = new OnPlateauRate(Rate.constant(1), "d/loss", 2, 1, 0.5, 0.1, 0);
        UpdatePlan plan = UpdatePlan.of(sgd(rate), List.of(target));
        assertThat(plan.watched()).containsExactly("d/loss");
        double[] losses = {3, 1, 2, 2, 2, 2};
        for (int i = 0; i < losses.length; i++) {
            plan.observe("d/loss", 9, 2 * i + 1); // of an update that is not made
            plan.observe("d/loss", losses[i], 2 * i + 2);
            run(plan, target, 1);
        }
        assertThat(NativeArrays.get(target.weight(), 0))
                .as("the sixth by half, after two means that do not improve")
                .isEqualTo(-5.5);
        State saved = plan.save();
        plan.reset();
        assertThat(run(plan, target, 1)).isEqualTo(-6.5);
        plan.restore(saved);
        assertThat(run(plan, target, 1)).isEqualTo(-7);
    }

    /** As {@code ReduceLROnPlateau} is asked once a measurement, however many updates there are between two. */
    @Test
    void aValueThatAPlateauHasSeenIsNotSeenAgain() {
        Target target = target("net/weight", 0, 1);
        Rate rate = new OnPlateauRate(Rate.constant(1), "eval/score", 1, 1, 0.5, 0, 0);
        UpdatePlan plan = UpdatePlan.of(sgd(rate), List.of(target));
        for (int i = 0; i < 20; i++) {
            plan.observe("eval/score", 3, 1 + i / 10);
            run(plan, target, 1);
        }
        assertThat(NativeArrays.get(target.weight(), 0)).isEqualTo(-20); // two values: one that did not improve
        State saved = plan.save();
        plan.observe("eval/score", 3, 3);
        assertThat(run(plan, target, 1)).isEqualTo(-20.5);
        plan.restore(saved);
        plan.observe("eval/score", 3, 2);
        assertThat(run(plan, target, 1)).isEqualTo(-21.5);
    }

    @Test
    void aRestoredRateIsThatOfTheLastUpdate() {
        Target target = target("net/weight", 0, 1);
        UpdateRule rule = sgd(new LinearRate(1, 0, 0, 10, RateUnit.UPDATE));
        UpdatePlan plan = UpdatePlan.of(rule, List.of(target));
        for (int i = 0; i < 4; i++) {
            run(plan, target, 1);
        }
        UpdatePlan other = UpdatePlan.of(rule, List.of(target("net/weight", 0, 1)));
        other.restore(plan.save());
        assertThat(other.setting("rate")).isEqualTo(plan.setting("rate")).isNotEqualTo(1);
    }

    /** Keeps what it should keep in a slot. */
    public record Forgetful() implements GradientTransformation {
        @Override
        public void prepare(long count, double rate, double[] numbers) {
            numbers[0] += 1;
        }

        @Override
        public void update(Chunk chunk) {
            java.util.Arrays.fill(chunk.update(), 0, chunk.length(), chunk.numbers()[0]);
        }
    }

    @Test
    void numbersOfAnUpdateBeginAsZerosSoThatAResumedRunHasTheSame() {
        Target target = target("net/weight", 0, 1);
        UpdatePlan plan = UpdatePlan.of(new Forgetful(), List.of(target));
        run(plan, target, 1);
        assertThat(run(plan, target, 1)).isEqualTo(-2);
    }

    @Test
    void aRateThatWatchesAMetricIsTheOutermost() {
        Rate plateau = new OnPlateauRate(Rate.constant(1), "d/loss", 1, 1, 0.5, 0, 0);
        refused(
                () -> new WarmUpRate(10, plateau, 0, RateUnit.UPDATE),
                "then: must not watch a metric, was " + plateau
                        + ", which watches d/loss; such a rate is the outermost one,"
                        + " with the others in it: {on_plateau: {rate: {warm_up: …}, watches: …}}");
    }

    @Test
    void aCycleMayRiseToItsEnd() {
        Rate rate = new OneCycleRate(1, 10, 1, true, false, 0.85, 10, 10, Convention.PYTORCH, RateUnit.UPDATE);
        assertThat(rate.at(TrainingProgress.of(9, 0, 0))).isBetween(0.8, 1.0);
        assertThat(rate.at(TrainingProgress.of(10, 0, 0))).isCloseTo(0.01, within(1e-12));
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }
}
