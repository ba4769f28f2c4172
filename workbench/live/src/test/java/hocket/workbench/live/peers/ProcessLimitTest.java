package hocket.workbench.live.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import hocket.workbench.live.http.HttpError;
import org.junit.jupiter.api.Test;

class ProcessLimitTest {
    private final Process first = mock();
    private final Process second = mock();

    @Test
    void processesThatHaveEndedMakeRoom() {
        ProcessLimit limit = new ProcessLimit(1);
        when(first.isAlive()).thenReturn(true);
        assertThat(limit.start(() -> first)).isSameAs(first);
        assertThatThrownBy(() -> limit.start(() -> second))
                .isInstanceOf(HttpError.class)
                .hasMessage("1 runs are training already: stop one, or wait until one ends");
        when(first.isAlive()).thenReturn(false);
        assertThat(limit.start(() -> second)).isSameAs(second);
    }

    @Test
    void aStartThatFailsTakesNoRoom() {
        ProcessLimit limit = new ProcessLimit(1);
        when(first.isAlive()).thenReturn(true);
        assertThatThrownBy(() -> limit.start(() -> {
                    throw new IllegalStateException("no such program");
                }))
                .hasMessage("no such program");
        assertThat(limit.start(() -> first)).isSameAs(first);
    }
}
