package hocket.schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.json.Records;
import org.junit.jupiter.api.Test;

/** What is saved, by name and kind; and what schedules remember, as text. */
class StateTest {
    private enum Side {
        LEFT,
        RIGHT
    }

    private record Inner(double share, long count) {}

    private record Memory(Side side, String name, Inner inner, boolean flag) {}

    private record Odd(Object anything) {}

    @Test
    void anItemIsFoundByNameAndKind() {
        State state = State.empty().with("step", 3).with("rate", 0.5).with("plan", "d");
        assertThat(state.whole("step")).isEqualTo(3);
        assertThat(state.without("step").has("step")).isFalse();
        assertThat(state.without("nothing")).isEqualTo(state);
        assertThatThrownBy(() -> state.whole("stp")).hasMessage("the saved state lacks stp; did you mean step?");
        assertThatThrownBy(() -> state.whole("rate")).hasMessage("the saved state's rate is a Real, not a Whole");
    }

    @Test
    void whatAScheduleRemembersComesBackAsItWas() {
        Memory memory = new Memory(Side.RIGHT, "a \"b\" ü", new Inner(0.1 + 0.2, Long.MIN_VALUE), true);
        assertThat(Records.record(Records.text(memory), Memory.class)).isEqualTo(memory);
        Inner odd = new Inner(Double.NaN, 1);
        assertThat(Records.record(Records.text(odd), Inner.class)).isEqualTo(odd);
    }

    @Test
    void whatCannotBeRememberedIsRefused() {
        assertThatThrownBy(() -> Records.text(new Odd(new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("what a schedule remembers must be numbers, texts, enums and records: Odd[");
        assertThatThrownBy(() -> Records.record("{\"turn\":\"d\"}", Balance.Streak.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("saved for hocket.schedulers.Balance$Streak, which it does not fit: {\"turn\":\"d\"}");
        assertThatThrownBy(() -> Records.record("{\"turn\":\"d\",\"length\":1,\"more\":2}", Balance.Streak.class))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
