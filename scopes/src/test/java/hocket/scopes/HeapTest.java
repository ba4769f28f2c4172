package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HeapTest {
    @Test
    void asMuchAsIsFreeMayBeHeldAndNoMore() {
        Heap.require("pictures", 3e6, 3e6, 8e6);
        assertThatThrownBy(() -> Heap.require("pictures", 3e6 + 1, 3e6, 8e6))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pictures would need 3 MB, and the JVM has 3 MB left of 8 MB (-Xmx gives it more)");
    }

    @Test
    void whatIsFreeIsPartOfWhatTheJvmMayTake() {
        Heap.require("nothing", 0);
        assertThatThrownBy(
                        () -> Heap.require("all", (double) Runtime.getRuntime().maxMemory()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("all would need ");
    }
}
