package hocket.schedulers.optimizers.updates;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.rmsProp;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.FreshJvm;
import hocket.schedulers.optimizers.NativeArrays;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.kernels.KernelsTest;
import hocket.schedulers.optimizers.kernels.Operands;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UpdatePlanTest {
    /** Some arrays below a chunk, some of several; enough elements together to be shared between threads. */
    private static final int[] LENGTHS = {64, 130_001, 1, 4096, 3, 90_007, 5000};

    private static final List<Supplier<Kernels>> KINDS =
            List.of(Kernels::plain, () -> Kernels.vector().orElseGet(Kernels::plain));

    private static List<UpdatePlan.Group> groups() {
        SplittableRandom random = new SplittableRandom(11);
        List<Target> first = new ArrayList<>();
        List<Target> second = new ArrayList<>();
        for (int i = 0; i < LENGTHS.length; i++) {
            first.add(NativeArrays.target("a/" + i, ElementType.FLOAT32, LENGTHS[i], random));
            second.add(NativeArrays.target("b/" + i, ElementType.FLOAT64, (LENGTHS[i] + 1) / 2, random));
        }
        return List.of(
                new UpdatePlan.Group(chain(clipByGlobalNorm(0.5), adam(0.01)), first),
                new UpdatePlan.Group(sgd(0.1).momentum(0.9), second));
    }

    @Test
    void anyNumberOfThreadsAndEitherKernelsGiveTheSameBits() {
        List<long[]> expected = null;
        for (Supplier<Kernels> kernels : KINDS) {
            for (int threads = 1; threads <= 3; threads++) {
                List<UpdatePlan.Group> groups = groups();
                UpdatePlan plan = UpdatePlan.of(groups);
                List<long[]> bits = new ArrayList<>();
                try (KernelThreads kernelThreads = KernelThreads.of(threads, kernels)) {
                    for (int count = 1; count <= 5; count++) {
                        plan.run(kernelThreads);
                    }
                    bits.add(new long[] {Double.doubleToLongBits(plan.gradientNorm(kernelThreads))});
                }
                for (UpdatePlan.Group group : groups) {
                    group.targets().forEach(on -> bits.add(NativeArrays.bits(on.weight())));
                }
                plan.slots().values().forEach(slot -> bits.add(NativeArrays.bits(Reals.of(slot))));
                if (expected == null) {
                    expected = bits;
                }
                assertThat(bits.size()).isEqualTo(expected.size());
                for (int i = 0; i < bits.size(); i++) {
                    assertThat(Arrays.equals(bits.get(i), expected.get(i)))
                            .as("array %d with %d threads", i, threads)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void theNormOfAGroupClipsThatGroupOnly() {
        Target three = target("three", 3);
        Target four = target("four", 4);
        Target other = target("other", 100);
        UpdatePlan plan = UpdatePlan.of(List.of(
                new UpdatePlan.Group(chain(clipByGlobalNorm(1), sgd(1)), List.of(three, four)),
                new UpdatePlan.Group(sgd(1), List.of(other))));
        try (KernelThreads kernelThreads = KernelThreads.of(1)) {
            assertThat(plan.gradientNorm(kernelThreads)).isEqualTo(Math.sqrt(10_025));
            plan.run(kernelThreads);
            double scale = 1 / (5 + 1e-6);
            assertThat(NativeArrays.get(three.weight(), 0)).isEqualTo(-3 * scale);
            assertThat(NativeArrays.get(four.weight(), 0)).isEqualTo(-4 * scale);
            assertThat(NativeArrays.get(other.weight(), 0)).isEqualTo(-100);
            assertThat(NativeArrays.get(three.gradient(), 0)).isEqualTo(3);

            NativeArrays.set(three.gradient(), 0.3); // below the largest norm: left as it is
            NativeArrays.set(four.gradient(), 0.4);
            NativeArrays.set(three.weight(), 0);
            plan.run(kernelThreads);
            assertThat(NativeArrays.get(three.weight(), 0)).isEqualTo(-0.3);
        }
    }

    /** They would stay subnormal for ever, which takes processors ten times longer. */
    @Test
    void averagesOfGradientsThatStayZeroBecomeZero() {
        for (UpdateRule rule : List.of(
                adam(0.01).beta2(0.9),
                sgd(0.1).momentum(0.9),
                rmsProp(0.01).decay(0.9).momentum(0.9))) {
            Target dead = dying();
            UpdatePlan plan = UpdatePlan.of(rule, List.of(dead));
            updateWithoutGradients(plan, dead);
            for (Device.Array slot : plan.slots().values()) {
                assertThat(slot.read().doubles()).as("%s", rule).containsOnly(0);
            }
        }
    }

    @Test
    void averagesThatDivideStayAboveZeroWithoutEpsilon() {
        Target dead = dying();
        UpdatePlan plan = UpdatePlan.of(adam(0.01).beta2(0.9).epsilon(0), List.of(dead));
        updateWithoutGradients(plan, dead);
        assertThat(NativeArrays.values(dead.weight())).doesNotContain(Double.NaN);
        assertThat(plan.slots().values())
                .allSatisfy(slot -> assertThat(slot.read().doubles()).doesNotContain(0));
    }

    private static Target dying() {
        return Target.of(
                "dead",
                NativeArrays.filled(ElementType.FLOAT32, 100, () -> 1),
                NativeArrays.filled(ElementType.FLOAT32, 100, () -> 1e-3));
    }

    private static void updateWithoutGradients(UpdatePlan plan, Target dead) {
        try (KernelThreads kernelThreads = KernelThreads.of(1)) {
            plan.run(kernelThreads);
            dead.gradient().fill(0);
            for (int i = 0; i < 1200; i++) {
                plan.run(kernelThreads);
            }
        }
    }

    private static Target target(String path, double gradient) {
        return Target.of(path, NativeArrays.of(ElementType.FLOAT64, 0), NativeArrays.of(ElementType.FLOAT64, gradient));
    }

    @Test
    void anArrayThatMovedIsFoundAgain() {
        Device.Array[] place = IntStream.of(1, 1, 2)
                .mapToObj(length -> Device.jvm().allocate(Shape.of(length), ElementType.FLOAT64))
                .toArray(Device.Array[]::new);
        int[] now = {0};
        Reals weight = Reals.of(() -> place[now[0]]);
        UpdatePlan plan =
                UpdatePlan.of(sgd(1), List.of(Target.of("w", weight, NativeArrays.of(ElementType.FLOAT64, 2))));
        try (KernelThreads kernelThreads = KernelThreads.of(1)) {
            plan.run(kernelThreads);
            now[0] = 1;
            plan.run(kernelThreads);
            plan.run(kernelThreads);
            assertThat(place[0].read().scalar()).isEqualTo(-2);
            assertThat(place[1].read().scalar()).isEqualTo(-4);
            now[0] = 2;
            assertThatThrownBy(() -> plan.run(kernelThreads))
                    .hasMessageContaining("FLOAT64[1]")
                    .hasMessageContaining("FLOAT64[2]");
        }
    }

    @Test
    void followingAveragesSomeArraysAndCopiesOthersForAnyNumberOfThreads() {
        for (int threads = 1; threads <= 3; threads++) {
            Reals average = NativeArrays.filled(ElementType.FLOAT32, 230_001, () -> 1);
            Reals weight = NativeArrays.filled(ElementType.FLOAT32, 230_001, () -> 3);
            Reals statistic = NativeArrays.of(ElementType.FLOAT64, 1, 2, 3);
            Reals running = NativeArrays.of(ElementType.FLOAT64, 7, 8, 9);
            FollowPlan plan = FollowPlan.of(
                    List.of(new FollowPlan.Pair(average, weight)), List.of(new FollowPlan.Pair(statistic, running)));
            try (KernelThreads kernelThreads = KernelThreads.of(threads)) {
                plan.run(0.75, kernelThreads);
                assertThatThrownBy(() -> plan.run(-1, kernelThreads)).hasMessageContaining("decay");
            }
            assertThat(NativeArrays.values(average)).containsOnly(1.5);
            assertThat(NativeArrays.values(weight)).containsOnly(3);
            assertThat(NativeArrays.values(statistic)).containsExactly(7, 8, 9);
        }
    }

    @Test
    void arraysThatDoNotFitAreRefused() {
        Reals four = NativeArrays.zeros(ElementType.FLOAT32, 4);
        Reals five = NativeArrays.zeros(ElementType.FLOAT32, 5);
        Reals wide = NativeArrays.zeros(ElementType.FLOAT64, 4);
        assertThatThrownBy(() -> new Operands(four, five, List.of()))
                .hasMessage("gradient: must be like the weight, FLOAT32[4], was FLOAT32[5]");
        assertThatThrownBy(() -> new Operands(four, four, List.of(wide)))
                .hasMessage("slot: must be like the weight, FLOAT32[4], was FLOAT64[4]");
        assertThatThrownBy(() -> Target.of("net/w", four, wide))
                .hasMessage("gradient: must be like the weight, FLOAT32[4], was FLOAT64[4]");
    }

    @Test
    void anUpdateAllocatesNothingAfterTheFirstOnes() throws IOException, InterruptedException {
        assertThat(FreshJvm.bytes(Updates.class, 0)).as("bytes in 20 updates").isZero();
    }

    /** The bytes that 20 updates of rules of several kinds take, for few elements and for many, with either kernels. */
    public static final class Updates implements LongSupplier {
        @Override
        public long getAsLong() {
            long bytes = 0;
            for (int length : new int[] {100, 300_000}) {
                for (Supplier<Kernels> kernels : KINDS) {
                    bytes += bytes(length, kernels);
                }
            }
            return bytes;
        }

        private static long bytes(int length, Supplier<Kernels> kernels) {
            SplittableRandom random = new SplittableRandom(1);
            List<UpdatePlan.Group> groups = new ArrayList<>();
            for (UpdateRule rule : List.of(
                    sgd(0.1),
                    sgd(0.1).momentum(0.9),
                    chain(clipByGlobalNorm(1), adam(0.1)),
                    rmsProp(0.1).centered(true))) {
                for (ElementType type : KernelsTest.FLOATING) {
                    groups.add(new UpdatePlan.Group(
                            rule, List.of(NativeArrays.target("w" + groups.size(), type, length, random))));
                }
            }
            UpdatePlan plan = UpdatePlan.of(groups);
            Target followed = groups.get(0).targets().get(0);
            FollowPlan follow =
                    FollowPlan.of(List.of(new FollowPlan.Pair(followed.weight(), followed.gradient())), List.of());
            try (KernelThreads kernelThreads = KernelThreads.of(2, kernels)) {
                return FreshJvm.least(0, () -> {
                    for (int i = 0; i < 20; i++) {
                        plan.run(kernelThreads);
                        follow.run(0.9, kernelThreads);
                    }
                });
            }
        }
    }
}
