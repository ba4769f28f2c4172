package hocket.rl.envs;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the checker finds the mistake of environments with one each, and none in Hocket's own. */
class EnvironmentCheckerTest {
    static Set<String> names() {
        return Environments.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void builtInEnvironmentsKeepTheirContract(String name) {
        assertThat(EnvironmentChecker.check(() -> Environments.make(name))).isEmpty();
    }

    @Test
    void aCorrectEnvironmentIsAccepted() {
        assertThat(EnvironmentChecker.check(() -> new Faulty(Faulty.Fault.NONE)))
                .isEmpty();
        EnvironmentChecker.require(() -> new Faulty(Faulty.Fault.NONE));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            OUTSIDE              | must observe a point of its space, Box(2) of [0.0, 0.0] to [50.0, 50.0]
            NAN                  | must observe finite numbers
            NAN_REWARD           | must give rewards that are finite floats
            HUGE_REWARD          | must give rewards that are finite floats
            WRITES_PARTLY        | must write all 2 numbers each time it observes
            OTHER_START          | must start alike from the same seed
            OTHER_STEPS          | must continue alike by the same actions
            NEVER_REFUSES        | must refuse a step after the end with an IllegalStateException
            STEPS_UNSTARTED      | must refuse a step before the first reset with an IllegalStateException
            TAKES_ANY_ACTION     | must refuse an action outside its space with an IllegalArgumentException
            FORGETS_PLACE        | must show the same after restore as when it was saved
            FORGETS_GENERATOR    | must continue after restore as if nothing had happened
            SAVES_SOMETHING_ELSE | must save what was restored
            WRITES_BEYOND        | must write 2 numbers where it observes
            MOVES_WHEN_SEEN      | must observe the same until the next step
            CHANGES_THE_ACTION   | must leave the action as it is
            READS_THE_FIRST_ACTION | must read its action at its offset in the array
            ENDED_AT_RESET       | must not have ended after a reset
            REWARD_AT_RESET      | must have a reward of 0 after a reset
            OTHER_SPACE          | must always have the same spaces
            THROWS               | must work without exceptions
            ASSERTS              | must work without exceptions
            OVERFLOWS            | must work without exceptions
            """)
    void aBrokenContractIsFound(Faulty.Fault fault, String rule) {
        assertThat(EnvironmentChecker.check(() -> new Faulty(fault)))
                .anyMatch(finding ->
                        finding.startsWith("Faulty, episode ") && finding.contains(": it " + rule + ", but "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            OTHER_STEPS            | must continue alike by the same actions
            READS_THE_FIRST_ACTION | must read its action at its offset in the array
            """)
    void nothingElseIsFound(Faulty.Fault fault, String rule) {
        assertThat(EnvironmentChecker.check(() -> new Faulty(fault)))
                .singleElement(as(STRING))
                .contains(": it " + rule + ", but ");
    }

    @Test
    void anotherExceptionThanTheRefusalIsNamed() {
        assertThat(EnvironmentChecker.check(() -> new Faulty(Faulty.Fault.FAILS_AT_THE_END)))
                .containsExactly("Faulty, episode 1, step 6: it must refuse a step after the end with an"
                        + " IllegalStateException, but threw java.lang.UnsupportedOperationException: nothing here");
    }

    @Test
    void anEnvironmentThatCannotBeMadeIsAFindingToo() {
        Supplier<Environment> none = () -> {
            throw new AssertionError("no world today");
        };
        String finding = "the environment, episode 0, step 0: it must work without exceptions, but threw"
                + " java.lang.AssertionError: no world today";
        assertThat(EnvironmentChecker.check(none)).containsExactly(finding);
        assertThat(EnvironmentChecker.checkUnlessBuiltIn(none)).containsExactly(finding);
    }

    @Test
    void aFindingNamesTheValueAndThePlace() {
        assertThat(EnvironmentChecker.check(() -> new Faulty(Faulty.Fault.NAN_REWARD)))
                .contains("Faulty, episode 1, step 2: it must give rewards that are finite floats, but it was NaN");
        List<String> thrown = EnvironmentChecker.check(() -> new Faulty(Faulty.Fault.THROWS));
        assertThat(thrown)
                .containsExactly("Faulty, episode 1, step 2: it must work without exceptions, but threw"
                        + " java.lang.UnsupportedOperationException: not yet");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnvironmentChecker.require(() -> new Faulty(Faulty.Fault.THROWS)))
                .withMessage(thrown.get(0));
    }
}
