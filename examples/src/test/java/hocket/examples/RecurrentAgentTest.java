package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dense networks alone: this example runs without the native library. */
class RecurrentAgentTest {
    private static final int TURNS = 12;

    @Tag("slow")
    @Test
    void anAgentWithMemoryKnowsAtTheEndWhatItSawAtTheBeginning() {
        assertThat(RecurrentAgent.run(50_000, 7, true)).isGreaterThan(0.9);
        assertThat(RecurrentAgent.run(50_000, 7, false)).isBetween(-0.4, 0.4); // chance is 0 ± 0.1
    }

    @Test
    void theStateOfTheCellsIsResumedExactlyBetweenAnyTwoTurns() {
        State whole = resumed(TURNS);
        for (int turn = 1; turn < TURNS; turn++) {
            assertThat(resumed(turn).equals(whole))
                    .as("resumed after turn %d", turn)
                    .isTrue();
        }
    }

    /** Takes some turns in one run, and the others in another that restores what the first saved. */
    private static State resumed(int after) {
        RecurrentAgent agent = new RecurrentAgent(3, 50_000, 5, 8, 3e-3, true); // episodes of 8 steps
        Setup one = agent.setup();
        Setup other = agent.setup();
        try (Parameters first = one.initialise(5);
                Parameters second = other.initialise(5);
                Scheduler before = one.schedule(first, 1);
                Scheduler rest = other.schedule(second, 1)) {
            for (int turn = 0; turn < after; turn++) {
                before.proceed();
            }
            rest.restore(before.save());
            for (int turn = after; turn < TURNS; turn++) {
                rest.proceed();
            }
            return rest.save();
        }
    }
}
