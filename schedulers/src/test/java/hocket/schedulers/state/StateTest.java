package hocket.schedulers.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Balance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is saved, by name and kind; and what schedules remember, as text. */
class StateTest {
    private enum Side {
        LEFT,
        RIGHT
    }

    private record Inner(double share, long count) {}

    private record Remembered(Side side, String name, Inner inner, boolean flag) {}

    private record Odd(Object anything) {}

    private record Many(List<Inner> list, Map<String, Float> map, char letter, Record any, short number) {}

    private record Perhaps(Optional<Double> last) {}

    private record Chance(java.util.Random random) {}

    private sealed interface Either {}

    private record Left(int value) implements Either {}

    private record Sealed(Either one) {}

    private record Deep(List<Perhaps> all) {}

    private record Getter(OnlyRead held) {}

    /** A class that serialisers write by its getter, and cannot make again. */
    private static final class OnlyRead {
        public int getCount() {
            return 1;
        }
    }

    /** A record that does not come back equal. */
    private record Forgets(int length) {
        Forgets {
            length = length == 3 ? 3 : length;
        }

        public int length() {
            return length + 1 - 1 + (length == 3 ? 1 : 0);
        }
    }

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
        Remembered memory = new Remembered(Side.RIGHT, "a \"b\" ü", new Inner(0.1 + 0.2, Long.MIN_VALUE), true);
        assertThat(StateCodec.restore(memory, StateCodec.save(memory))).isEqualTo(memory);
        Inner odd = new Inner(Double.NaN, 1);
        assertThat(StateCodec.restore(odd, StateCodec.save(odd))).isEqualTo(odd);
        Many many = new Many(List.of(odd, new Inner(-0.0, 2)), Map.of("a", 1.5f), 'x', odd, (short) 3);
        assertThat(StateCodec.restore(many, StateCodec.save(many))).isEqualTo(many);
        Map<String, Float> ordered = new LinkedHashMap<>();
        IntStream.range(0, 12).forEach(i -> ordered.put("k" + (7 * i) % 12, (float) i));
        Many map = new Many(List.of(), ordered, 'x', odd, (short) 3);
        assertThat(StateCodec.restore(map, StateCodec.save(map)).map()).containsExactlyEntriesOf(ordered);
    }

    private record Grown(int length, @AddedLater long reports) {}

    @Test
    void aComponentThatFormerStatesLackIsThatOfTheStart() {
        Grown start = new Grown(0, 7);
        assertThat(StateCodec.restore(start, State.empty().with("length", 3))).isEqualTo(new Grown(3, 7));
        assertThat(StateCodec.restore(start, StateCodec.save(new Grown(3, 9)))).isEqualTo(new Grown(3, 9));
        assertThatThrownBy(() -> StateCodec.restore(start, State.empty().with("reports", 9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(" lacks length");
        assertThatThrownBy(() -> StateCodec.restore(
                        start, State.empty().with("length", 3).with("more", 2)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatCannotBeRememberedIsRefusedByNameBeforeItIsSaved() {
        refused(new Odd(1f), "Odd.anything is a java.lang.Object");
        refused(new Perhaps(Optional.empty()), "Perhaps.last is a java.util.Optional");
        refused(new Chance(new java.util.Random(1)), "Chance.random is a java.util.Random");
        refused(new Sealed(new Left(1)), "Sealed.one is a hocket.schedulers.state.StateTest$Either");
        refused(new Getter(new OnlyRead()), "Getter.held is a hocket.schedulers.state.StateTest$OnlyRead");
        refused(new Deep(List.of(new Perhaps(Optional.empty()))), "Perhaps.last is a java.util.Optional");
        refused(new Forgets(3), "Forgets[length=3] comes back as Forgets[length=4], which is not equal to it");
    }

    private static void refused(Record start, String because) {
        assertThatThrownBy(() -> StateCodec.requireSaved("what my.Rule remembers", start))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("what my.Rule remembers cannot be saved: ")
                .hasMessageContaining(because);
    }

    @Test
    void whatWasSavedForAnotherRecordIsRefused() {
        Balance.Streak like = new Balance.Streak("d", 0);
        assertThatThrownBy(() -> StateCodec.restore(like, State.empty().with("turn", "d")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("what was saved for hocket.schedulers.Balance$Streak lacks length");
        assertThatThrownBy(() -> StateCodec.restore(
                        like, State.empty().with("turn", "d").with("length", 1).with("more", 2)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        StateCodec.restore(like, State.empty().with("turn", "d").with("length", "long")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Balance$Streak.length is a int");
    }
}
