package hocket.schedulers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

class GivenTest {
    /** Rows that say nothing of where they are. */
    private static final class Forgetful extends ForwardingSource {
        Forgetful() {
            super(Toy.rows("image", 8, 4).batches(4));
        }

        @Override
        @SuppressWarnings("NullAway") // as one who does not check for it
        public State save() {
            return null;
        }
    }

    @Test
    void aSourceThatSavesNullIsRefusedByNameWhenItComesAlsoUnderAnotherName() {
        Sources sources = new Sources(Streams.seed(1), source -> {});
        for (Source source : List.of(new Forgetful(), new Forgetful().feeding("other", List.of("picture")))) {
            assertThatThrownBy(() -> sources.feed(source, Draw.EACH_TURN, 0))
                    .isInstanceOf(OwnClassException.class)
                    .hasMessage("class hocket.schedulers.GivenTest$Forgetful: save() gave null");
        }
    }

    @Test
    void anItemOfAStateMustBeThere() {
        assertThatThrownBy(() -> State.empty().with("position", nothing())).hasMessage("position");
    }

    @SuppressWarnings("NullAway")
    private static Saved nothing() {
        return null;
    }
}
