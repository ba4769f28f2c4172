package hocket.workbench.pictures.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TicksTest {
    @Test
    void labelsTellTicksApart() {
        assertThat(Ticks.texts(List.of(0.1, 0.2, 0.30000000000000004))).containsExactly("0.1", "0.2", "0.3");
        assertThat(Ticks.texts(List.of(499.985, 499.99, 500.0))).containsExactly("499.985", "499.99", "500");
        assertThat(Ticks.texts(List.of(0.99996, 1.0))).containsExactly("0.99996", "1");
    }

    @Test
    @Timeout(60)
    void valuesThatAreNearlyEqualHaveAnAxisAroundThem() {
        Extent shown = new Extent(0.5, Math.nextUp(0.5)).roomy(0);
        assertThat(shown.least()).isCloseTo(0.25, within(1e-12));
        assertThat(shown.greatest()).isCloseTo(0.75, within(1e-12));
        assertThat(new Ticks(shown.least(), shown.greatest(), false, false).values(5))
                .hasSizeBetween(2, 7);
        assertThat(new Extent(0.5, 0.7).roomy(0)).isEqualTo(new Extent(0.5, 0.7));
    }
}
