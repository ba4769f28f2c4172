package hocket.workbench.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private static final ProgressLine LINE = new ProgressLine(
            "digits-gan",
            "epoch 123/500",
            0.246,
            List.of("d 0.91", "g 1.24"),
            List.of("error 0.17"),
            List.of("142 it/s", "1:23 left"));

    @Test
    void everythingIsShownWhereThereIsRoom() {
        assertThat(LINE.text(100))
                .isEqualTo("digits-gan  epoch 123/500  [####..............]  d 0.91  g 1.24  error 0.17  142 it/s"
                        + "  1:23 left");
    }

    @Test
    void onEightyColumnsTheNameGoesAndTheBarFillsTheLine() {
        assertThat(LINE.text(80))
                .isEqualTo("epoch 123/500  [###...........]  d 0.91  g 1.24  error 0.17  142 it/s  1:23 left")
                .hasSize(80);
    }

    @Test
    void aLineIsNeverWiderThanAsked() {
        for (int columns = 10; columns < 120; columns++) {
            assertThat(LINE.text(columns).length()).isLessThanOrEqualTo(columns);
        }
        assertThat(LINE.text(40)).startsWith("epoch 123/500").contains("1:23 left");
    }
}
