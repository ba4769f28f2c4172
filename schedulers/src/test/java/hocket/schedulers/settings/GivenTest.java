package hocket.schedulers.settings;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Resample;
import hocket.schedulers.Source;
import hocket.schedulers.Toy;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.feeds.Sources;
import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
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
            assertThatThrownBy(() -> sources.feed(source, Resample.EACH_TURN, 0))
                    .isInstanceOf(UserClassException.class)
                    .hasMessage("class hocket.schedulers.settings.GivenTest$Forgetful: save() gave null");
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
