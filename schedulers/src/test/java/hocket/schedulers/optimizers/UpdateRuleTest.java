package hocket.schedulers.optimizers;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.rmsProp;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.optimizers.kernels.FusedChain;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.kernels.KernelsTest;
import hocket.schedulers.optimizers.kernels.Operands;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.kernels.UpdateStep;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.transforms.ClipByGlobalNorm;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.scopes.ElementType;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class UpdateRuleTest {
    @Test
    void rulesAreValues() {
        assertThat(adam(2e-4).beta1(0.5))
                .isEqualTo(new Adam(Rate.constant(2e-4), 0.5, 0.999, 1e-8, 0, false, 0, false, false))
                .isNotEqualTo(adam(2e-4));
        assertThat(sgd(0.1).momentum(0.9).nesterov(true).weightDecay(0.01))
                .isEqualTo(new Sgd(Rate.constant(0.1), 0.9, 0, true, 0.01));
        assertThat(rmsProp(0.01).decay(0.9).epsilon(1e-5).centered(true).momentum(0.5))
                .isEqualTo(new RmsProp(Rate.constant(0.01), 0.9, 1e-5, true, 0.5, false, 0));
        assertThat(chain(clipByGlobalNorm(0.5), adam(1)))
                .isEqualTo(new Chain(List.of(new ClipByGlobalNorm(0.5, 1e-6), adam(1))));
    }

    @Test
    void aRuleNamesItsSlots() {
        assertThat(sgd(0.1).slots()).isEmpty();
        assertThat(sgd(0.1).momentum(0.9).slots()).containsExactly(Slot.of("momentum"));
        assertThat(adam(0.1).slots()).containsExactly(Slot.of("m"), Slot.of("v"));
        assertThat(rmsProp(0.1).centered(true).momentum(0.9).initial(1).slots())
                .containsExactly(new Slot("v", 1), Slot.of("mean"), Slot.of("momentum"));
    }

    @Test
    void aRateMayDependOnTheUpdate() {
        Sgd rule = sgd(0).rate(at -> 0.5 / at.update());
        Reals weight = NativeArrays.of(ElementType.FLOAT64, 0);
        Target on = Target.of("w", weight, NativeArrays.of(ElementType.FLOAT64, 1));
        UpdatePlan plan = UpdatePlan.of(rule, List.of(on));
        try (KernelThreads kernelThreads = KernelThreads.of(1)) {
            plan.run(kernelThreads);
            plan.run(kernelThreads);
        }
        assertThat(NativeArrays.get(weight, 0)).isEqualTo(-0.75);
        assertThat(rule.rate().describe()).isEqualTo("a function of the update");
        assertThat(Rate.constant(0.25)).isEqualTo(Rate.constant(0.25)).isNotEqualTo(Rate.constant(0.5));
        assertThat(Rate.constant(0.25).describe()).isEqualTo("0.25");
    }

    @Test
    void settingsOutOfRangeAreRefusedByName() {
        refused(() -> adam(-1), "rate: must be finite and at least 0, was -1.0");
        refused(() -> sgd(Double.NaN), "rate: must be finite and at least 0, was NaN");
        refused(() -> sgd(Double.POSITIVE_INFINITY), "rate: must be finite and at least 0, was Infinity");
        refused(() -> adam(1).beta1(1), "beta1: must be at least 0 and below 1, was 1.0");
        refused(() -> adam(1).beta2(-0.1), "beta2: must be at least 0 and below 1, was -0.1");
        refused(() -> adam(1).epsilon(-1), "epsilon: must be finite and at least 0, was -1.0");
        refused(() -> adam(1).weightDecay(-1), "weightDecay: must be finite and at least 0, was -1.0");
        refused(() -> sgd(1).momentum(1.5), "momentum: must be above -1 and below 1, was 1.5");
        refused(() -> sgd(1).momentum(0.5).dampening(2), "dampening: must be between 0 and 1, was 2.0");
        refused(() -> sgd(1).dampening(0.5), "dampening: needs a momentum, was 0.5 with none");
        refused(
                () -> sgd(1).momentum(0.5).dampening(0.5).nesterov(true),
                "nesterov: needs a momentum and no dampening, had momentum 0.5 and dampening 0.5");
        refused(() -> sgd(1).weightDecay(-1), "weightDecay: must be finite and at least 0, was -1.0");
        refused(() -> rmsProp(1).decay(1), "decay: must be at least 0 and below 1, was 1.0");
        refused(() -> rmsProp(1).momentum(1), "momentum: must be at least 0 and below 1, was 1.0");
        refused(() -> rmsProp(1).epsilon(Double.NaN), "epsilon: must be finite and at least 0, was NaN");
        refused(() -> clipByGlobalNorm(0), "norm: must be finite and above 0, was 0.0");
        refused(() -> chain(), "a chain needs at least one link");
    }

    @Test
    void aRateThatBecomesBadIsRefusedBeforeAnythingChanges() {
        Reals weight = NativeArrays.of(ElementType.FLOAT32, 3);
        Target on = Target.of("w", weight, NativeArrays.of(ElementType.FLOAT32, 1));
        UpdatePlan plan = UpdatePlan.of(List.of(
                new UpdatePlan.Group(sgd(1), List.of(on)),
                new UpdatePlan.Group(adam(1).rate(at -> 1 - at.update()), List.of())));
        try (KernelThreads kernelThreads = KernelThreads.of(1)) {
            plan.run(kernelThreads);
            refused(
                    () -> plan.run(kernelThreads),
                    "adam: the rate at update 2 must be finite and at least 0, was -1.0");
            refused(
                    () -> plan.run(kernelThreads),
                    "adam: the rate at update 2 must be finite and at least 0, was -1.0");
        }
        assertThat(NativeArrays.get(weight, 0)).isEqualTo(2);
    }

    @Test
    void anElementWithoutGradientStaysWhereItIs() {
        for (GradientTransformation rule : List.of(
                sgd(1), sgd(1).momentum(0.9), adam(1), rmsProp(1), rmsProp(1).centered(true))) {
            for (ElementType type : KernelsTest.FLOATING) {
                for (Kernels kernels : KernelsTest.all()) {
                    Reals weight = NativeArrays.filled(type, 20, () -> 0.7);
                    List<Reals> slots = rule.slots().stream()
                            .map(slot -> NativeArrays.zeros(type, 20))
                            .toList();
                    long[] before = NativeArrays.bits(weight);
                    UpdateStep updateStep = new UpdateStep();
                    updateStep.size = 1;
                    updateStep.epsilon = 1e-8;
                    updateStep.fresh = 1;
                    FusedChain.apply(
                            kernels,
                            rule,
                            updateStep,
                            new Operands(weight, NativeArrays.zeros(type, 20), slots),
                            0,
                            20);
                    assertThat(NativeArrays.bits(weight))
                            .as("%s %s", rule, type)
                            .isEqualTo(before);
                }
            }
        }
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }
}
