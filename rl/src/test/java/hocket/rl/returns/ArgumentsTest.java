package hocket.rl.returns;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The functions of this package refuse bad arguments by their names. */
class ArgumentsTest {
    private static final RolloutLayout LAYOUT = RolloutLayout.timeMajor(3, 2);
    private static final int ACTIONS = 4;

    /** A function and the names of its arrays, in their order. */
    private record Function(String name, List<String> arrays, Consumer<Arguments> call) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Arrays of a call, by their place; one of them may be too short. */
    private record Arguments(List<String> names, int tooShort) {
        private int length(int i) {
            return (names.get(i).startsWith("last ") ? 2 : 6) - (i == tooShort ? 1 : 0);
        }

        float[] floats(int i) {
            return new float[length(i)];
        }

        boolean[] flags(int i) {
            return new boolean[length(i)];
        }

        long[] longs(int i) {
            return new long[length(i)];
        }
    }

    static Stream<Function> functions() {
        VTrace vTrace = new VTrace(1, 1, 1);
        return Stream.of(
                new Function(
                        "TD errors",
                        List.of("rewards", "discounts", "values", "next values", "results"),
                        a -> Returns.tdErrors(LAYOUT, a.floats(0), a.floats(1), a.floats(2), a.floats(3), a.floats(4))),
                new Function(
                        "discounted returns",
                        List.of("rewards", "discounts", "last values", "results"),
                        a -> Returns.discounted(LAYOUT, a.floats(0), a.floats(1), a.floats(2), a.floats(3))),
                new Function(
                        "n-step returns",
                        List.of("rewards", "discounts", "next values", "results"),
                        a -> Returns.nStep(LAYOUT, a.floats(0), a.floats(1), a.floats(2), 2, a.floats(3))),
                new Function(
                        "lambda returns",
                        List.of("rewards", "discounts", "next values", "results"),
                        a -> Returns.lambda(LAYOUT, a.floats(0), a.floats(1), a.floats(2), 0.5, a.floats(3))),
                new Function(
                        "V-trace",
                        List.of("rewards", "discounts", "values", "next values", "ratios", "targets"),
                        a -> vTrace.targets(
                                LAYOUT, a.floats(0), a.floats(1), a.floats(2), a.floats(3), a.floats(4), a.floats(5))),
                new Function(
                        "V-trace",
                        List.of("rewards", "discounts", "values", "next values", "targets", "values of actions"),
                        a -> vTrace.actionValues(
                                LAYOUT, a.floats(0), a.floats(1), a.floats(2), a.floats(3), a.floats(4), a.floats(5))),
                new Function(
                        "V-trace",
                        List.of("values", "ratios", "values of actions", "advantages"),
                        a -> vTrace.advantages(LAYOUT, a.floats(0), a.floats(1), a.floats(2), a.floats(3))),
                new Function(
                        "Retrace",
                        List.of("rewards", "discounts", "next actions", "behaviour", "targets"),
                        a -> new Retrace(1, 0)
                                .targets(
                                        LAYOUT,
                                        ACTIONS,
                                        a.floats(0),
                                        a.floats(1),
                                        new float[6 * ACTIONS],
                                        new float[6 * ACTIONS],
                                        a.longs(2),
                                        a.floats(3),
                                        a.floats(4))),
                new Function(
                        "GAE",
                        List.of(
                                "rewards",
                                "values",
                                "terminated",
                                "truncated",
                                "final values",
                                "last values",
                                "advantages",
                                "returns"),
                        a -> new Gae(0.9, 0.9, Truncation.BOOTSTRAP)
                                .advantages(
                                        LAYOUT,
                                        a.floats(0),
                                        a.floats(1),
                                        a.flags(2),
                                        a.flags(3),
                                        a.floats(4),
                                        a.floats(5),
                                        a.floats(6),
                                        a.floats(7))),
                new Function(
                        "fold",
                        List.of("rewards", "terminated", "truncated", "final values", "folded rewards", "discounts"),
                        a -> Truncation.BOOTSTRAP.fold(
                                LAYOUT,
                                0.9,
                                a.floats(0),
                                a.flags(1),
                                a.flags(2),
                                a.floats(3),
                                a.floats(4),
                                a.floats(5))));
    }

    @ParameterizedTest
    @MethodSource("functions")
    void anArrayThatIsTooShortIsRefusedByItsName(Function function) {
        assertThatCode(() -> function.call().accept(new Arguments(function.arrays(), -1)))
                .doesNotThrowAnyException();
        for (int i = 0; i < function.arrays().size(); i++) {
            Arguments arguments = new Arguments(function.arrays(), i);
            String name = function.arrays().get(i);
            assertThatThrownBy(() -> function.call().accept(arguments))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(function.name() + ": " + name + ": must have ")
                    .hasMessageContaining("had " + arguments.length(i));
        }
    }

    @Test
    void numbersOutsideTheirRangeAreRefusedByTheirName() {
        assertRefused(() -> new VTrace(1, 1, -0.5), "V-trace: ratio limit of the policy: must be at least 0, was -0.5");
        assertRefused(() -> new Retrace(1, -1e-3), "Retrace: epsilon: must be at least 0, was -0.001");
        assertRefused(() -> new RolloutLayout(1, 0, 1, 1), "layout: environments: ");
        assertRefused(() -> new RolloutLayout(1, 1, 0, 1), "layout: step stride: ");
        assertRefused(() -> new RolloutLayout(1, 1, 1, 0), "layout: environment stride: ");
        assertRefused(() -> RunningMoments.of(0), "running moments: features: ");
        float[] six = new float[6];
        assertRefused(() -> Returns.lambda(LAYOUT, six, six, six, 1.5, six), "lambda returns: lambda: ");
        assertRefused(
                () -> new Retrace(1, 0).targets(LAYOUT, 0, six, six, six, six, new long[6], six, six),
                "Retrace: actions: ");
        for (int tooShort = 0; tooShort < 2; tooShort++) {
            float[] nextValues = new float[6 * ACTIONS - (1 - tooShort)];
            float[] policy = new float[6 * ACTIONS - tooShort];
            assertRefused(
                    () -> new Retrace(1, 0)
                            .targets(LAYOUT, ACTIONS, six, six, nextValues, policy, new long[6], six, six),
                    "Retrace: next values and policy: must have at least 24 elements, 4 actions of each step, had "
                            + nextValues.length + " and " + policy.length);
        }
    }

    /** Steps and environments may be any distance apart as long as no two numbers are in one place. */
    @Test
    void aLayoutMayHaveGapsButNotOverlap() {
        new RolloutLayout(2, 3, 3, 1);
        new RolloutLayout(2, 3, 1, 2);
        new RolloutLayout(1, 3, 1, 1);
        new RolloutLayout(3, 1, 1, 1);
        new RolloutLayout(2, 2, 1 << 30, (1 << 30) - 2);
        assertRefused(
                () -> new RolloutLayout(2, 3, 2, 1), "layout: 2 steps 2 apart and 3 environments 1 apart overlap");
        assertRefused(
                () -> new RolloutLayout(3, 3, 1, 2), "layout: 3 steps 1 apart and 3 environments 2 apart overlap");
        assertRefused(() -> new RolloutLayout(2, 2, 1 << 30, (1 << 30) - 1), "layout: ");
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
