package hocket.schedulers.optimizers.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.NativeArrays;
import hocket.schedulers.optimizers.Optimizers;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

public class KernelsTest {
    public static final List<ElementType> FLOATING = List.of(ElementType.FLOAT32, ElementType.FLOAT64);

    /** Every loop at least once, with every branch in it. */
    private static final List<GradientTransformation> RULES = List.of(
            Optimizers.sgd(0.1),
            Optimizers.sgd(0.1).weightDecay(0.03),
            Optimizers.sgd(0.1).momentum(0.9).dampening(0.2),
            Optimizers.sgd(0.1).momentum(0.9).nesterov(true).weightDecay(0.01),
            Optimizers.adam(0.01),
            Optimizers.adam(2e-4).beta1(0.5).weightDecay(0.1),
            Optimizers.adam(0.01).beta1(0).decoupledWeightDecay(0.1),
            Optimizers.rmsProp(0.01),
            Optimizers.rmsProp(0.01).decay(0.9).centered(true),
            Optimizers.rmsProp(0.01).momentum(0.9),
            Optimizers.rmsProp(0.01).decay(0.9).centered(true).momentum(0.5));

    private static final double[] SPECIAL = {
        0.0,
        -0.0,
        1,
        -1,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        1e-39,
        -1e-42,
        Float.MIN_NORMAL,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        1e-20,
        1e20,
        Double.MIN_VALUE,
        1e-310,
        Double.MAX_VALUE
    };

    /** Plain kernels, and the vector ones where this JVM has them. */
    public static List<Kernels> all() {
        List<Kernels> all = new ArrayList<>(List.of(Kernels.plain()));
        Kernels.vector().ifPresent(all::add);
        return all;
    }

    private static Kernels vector() {
        assumeTrue(Kernels.vector().isPresent(), "needs --add-modules jdk.incubator.vector");
        return Kernels.vector().orElseThrow();
    }

    @Test
    void theBestKernelsAreVectorExactlyWhereTheModuleIs() {
        boolean module = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        assertThat(Kernels.best().name()).isEqualTo(module ? "vector" : "plain");
    }

    @Test
    void thePropertyForcesPlainKernels() {
        System.setProperty(Kernels.PROPERTY, "plain");
        try {
            assertThat(Kernels.best().name()).isEqualTo("plain");
            System.setProperty(Kernels.PROPERTY, "fast");
            assertThatThrownBy(Kernels::best).hasMessage("hocket.kernels: must be plain or best, was fast");
        } finally {
            System.clearProperty(Kernels.PROPERTY);
        }
    }

    @ParameterizedTest
    @FieldSource("FLOATING")
    void vectorAndPlainKernelsAgreeToTheBitForAllShortLengths(ElementType type) {
        Kernels vector = vector();
        SplittableRandom random = new SplittableRandom(3);
        for (GradientTransformation rule : RULES) {
            for (int length = 1; length <= 67; length++) {
                agree(rule, vector, operands(rule, type, length, () -> random.nextGaussian()), 0, length);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("FLOATING")
    void vectorAndPlainKernelsAgreeToTheBitForAnyRange(ElementType type) {
        Kernels vector = vector();
        SplittableRandom random = new SplittableRandom(4);
        for (GradientTransformation rule : RULES) {
            for (int trial = 0; trial < 20; trial++) {
                int length = random.nextInt(1, 6000);
                int from = random.nextInt(length);
                agree(
                        rule,
                        vector,
                        operands(rule, type, length, () -> random.nextGaussian()),
                        from,
                        random.nextInt(from, length + 1));
            }
        }
    }

    @ParameterizedTest
    @FieldSource("FLOATING")
    void vectorAndPlainKernelsAgreeToTheBitOnSpecialValues(ElementType type) {
        Kernels vector = vector();
        SplittableRandom random = new SplittableRandom(5);
        for (GradientTransformation rule : RULES) {
            Operands on = operands(rule, type, 2000, () -> SPECIAL[random.nextInt(SPECIAL.length)]);
            agree(rule, vector, on, 0, 2000);
        }
    }

    @ParameterizedTest
    @FieldSource("FLOATING")
    void theBitsStayWhenTheLoopsHaveBeenCompiled(ElementType type) {
        SplittableRandom random = new SplittableRandom(8);
        for (GradientTransformation rule : RULES) {
            Operands start = operands(rule, type, 1003, random::nextGaussian);
            for (Kernels kernels : all()) {
                Operands first = updated(rule, kernels, start);
                for (int i = 0; i < 300; i++) {
                    updated(rule, kernels, start);
                }
                assertSameBits(
                        rule + " " + kernels.name(),
                        updated(rule, kernels, start).weight(),
                        first.weight());
            }
        }
    }

    private static Operands updated(GradientTransformation rule, Kernels kernels, Operands start) {
        Operands on = NativeArrays.copy(start);
        UpdateStep updateStep = new UpdateStep();
        for (int count = 1; count <= 5; count++) {
            fused(rule, count, updateStep);
            FusedChain.apply(kernels, rule, updateStep, on, 0, on.weight().length());
        }
        return on;
    }

    /** The numbers of an update, roughly: the loops are what is compared. */
    static void fused(GradientTransformation rule, long count, UpdateStep updateStep) {
        updateStep.scale = 0.9;
        updateStep.decay = 0.01;
        updateStep.keep = 1 - 1e-3 / count;
        updateStep.size = 0.1 / count;
        updateStep.epsilon = 1e-8;
        updateStep.fresh = count == 1 ? 1 : 0.8;
    }

    private static Operands operands(GradientTransformation rule, ElementType type, int length, DoubleSupplier next) {
        return new Operands(
                NativeArrays.filled(type, length, next),
                NativeArrays.filled(type, length, next),
                rule.slots().stream()
                        .map(slot -> NativeArrays.filled(type, length, next))
                        .toList());
    }

    /** Five updates of the range by either kernels: the same bits, and none changed outside the range. */
    private static void agree(GradientTransformation rule, Kernels vector, Operands on, int from, int to) {
        Operands other = NativeArrays.copy(on);
        Operands before = NativeArrays.copy(on);
        Kernels plain = Kernels.plain();
        UpdateStep updateStep = new UpdateStep();
        for (int count = 1; count <= 5; count++) {
            fused(rule, count, updateStep);
            FusedChain.apply(vector, rule, updateStep, on, from, to);
            FusedChain.apply(plain, rule, updateStep, other, from, to);
        }
        String what = rule + " " + on.weight() + " " + from + ".." + to;
        assertSameBits(what, on.weight(), other.weight());
        assertSameBits(what + " gradient", on.gradient(), before.gradient());
        assertSameBits(what + " gradient", other.gradient(), before.gradient());
        for (int i = 0; i < on.slots().size(); i++) {
            assertSameBits(what + " slot " + i, on.slots().get(i), other.slots().get(i));
        }
        long[] now = NativeArrays.bits(on.weight());
        long[] then = NativeArrays.bits(before.weight());
        for (int i = 0; i < now.length; i++) {
            if (i < from || i >= to) {
                assertThat(now[i]).as("%s, outside at %d", what, i).isEqualTo(then[i]);
            }
        }
    }

    private static void assertSameBits(String what, Reals a, Reals b) {
        assertThat(NativeArrays.bits(a)).as(what).isEqualTo(NativeArrays.bits(b));
    }

    @ParameterizedTest
    @FieldSource("FLOATING")
    void followingAndSumsAgreeToTheBitBetweenVectorAndPlainKernels(ElementType type) {
        Kernels vector = vector();
        Kernels plain = Kernels.plain();
        SplittableRandom random = new SplittableRandom(6);
        for (int trial = 0; trial < 300; trial++) {
            int length = trial < 140 ? trial + 1 : random.nextInt(1, 20_000);
            int from = trial < 140 ? 0 : random.nextInt(length);
            Reals source = NativeArrays.filled(type, length, random::nextGaussian);
            Reals target = NativeArrays.filled(type, length, random::nextGaussian);
            Reals other = NativeArrays.copy(target);
            vector.follow(0.995, target, source, from, length);
            plain.follow(0.995, other, source, from, length);
            assertSameBits("follow " + from + ".." + length, target, other);
            assertThat(vector.sumOfSquares(source, from, length))
                    .as("%s %d..%d", type, from, length)
                    .isEqualTo(plain.sumOfSquares(source, from, length));
        }
    }

    @ParameterizedTest
    @FieldSource("FLOATING")
    void sumOfSquaresIsTheSumOfSquaresInDouble(ElementType type) {
        SplittableRandom random = new SplittableRandom(7);
        Reals values = NativeArrays.filled(type, 10_001, random::nextGaussian);
        double expected =
                Arrays.stream(NativeArrays.values(values)).map(x -> x * x).sum();
        Reals huge = NativeArrays.of(type, Float.MAX_VALUE, Float.MIN_VALUE);
        for (Kernels kernels : all()) {
            assertThat(kernels.sumOfSquares(values, 0, 10_001)).isCloseTo(expected, within(1e-9));
            assertThat(kernels.sumOfSquares(huge, 0, 2)).isEqualTo((double) Float.MAX_VALUE * Float.MAX_VALUE);
            assertThat(kernels.sumOfSquares(huge, 1, 2))
                    .isEqualTo((double) Float.MIN_VALUE * Float.MIN_VALUE)
                    .isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void oneElementThatIsNotFiniteShowsInTheSumOfSquares(double bad) {
        for (Kernels kernels : all()) {
            for (ElementType type : FLOATING) {
                for (int at : new int[] {0, 31, 32, 4095, 4096, 4999}) {
                    Reals values = NativeArrays.zeros(type, 5000);
                    assertThat(kernels.sumOfSquares(values, 0, 5000)).isZero();
                    if (type == ElementType.FLOAT32) {
                        values.floats().put(at, (float) bad);
                    } else {
                        values.doubles().put(at, bad);
                    }
                    assertThat(Double.isFinite(kernels.sumOfSquares(values, 0, 5000)))
                            .as("%s %s at %d", kernels.name(), type, at)
                            .isFalse();
                }
            }
        }
    }

    @ParameterizedTest
    @FieldSource("FLOATING")
    void flushingSetsTheSubnormalNumbersOfTheRangeToZeroAndNoOthers(ElementType type) {
        double smallest = type == ElementType.FLOAT32 ? Float.MIN_NORMAL : Double.MIN_NORMAL;
        double[] edges = {smallest, -smallest, 0.99 * smallest, -0.99 * smallest, 1, Double.NaN, -1e-30};
        double[] values = IntStream.range(0, 200)
                .mapToDouble(i -> edges[i % edges.length])
                .toArray();
        for (Kernels kernels : all()) {
            Reals array = NativeArrays.of(type, values);
            double[] expected = NativeArrays.values(array);
            for (int i = 5; i < 193; i++) {
                expected[i] = Math.abs(values[i]) < smallest ? 0 : expected[i];
            }
            kernels.flush(array, 5, 193);
            assertThat(NativeArrays.values(array)).as(kernels.name()).isEqualTo(expected);
        }
    }

    @Test
    void copyingTakesTheRangeAsItIs() {
        Reals source = NativeArrays.of(ElementType.FLOAT32, 1, -0.0, Double.NaN, 4);
        Reals target = NativeArrays.zeros(ElementType.FLOAT32, 4);
        Kernels.copy(target, source, 1, 3);
        assertThat(NativeArrays.values(target)).containsExactly(0, -0.0, Double.NaN, 0);
    }

    @Test
    void badRangesArraysAndDecaysAreRefused() {
        Kernels kernels = Kernels.plain();
        Reals four = NativeArrays.zeros(ElementType.FLOAT32, 4);
        Reals five = NativeArrays.zeros(ElementType.FLOAT32, 5);
        assertThatThrownBy(() -> kernels.sumOfSquares(four, 0, 5)).hasMessageContaining("0..5 of FLOAT32[4]");
        assertThatThrownBy(() -> kernels.flush(four, 0, 5)).hasMessageContaining("0..5 of FLOAT32[4]");
        assertThatThrownBy(() -> kernels.follow(0.9, four, five, 0, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("source: must be like");
        assertThatThrownBy(() -> kernels.follow(1.5, four, four, 0, 4))
                .hasMessage("decay: must be between 0 and 1, was 1.5");
        assertThatThrownBy(() -> Kernels.copy(four, five, 0, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Reals.of(Device.jvm().allocate(Shape.of(1), ElementType.INT64)))
                .hasMessageContaining("INT64");
    }
}
