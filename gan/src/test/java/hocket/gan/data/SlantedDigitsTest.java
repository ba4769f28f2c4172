package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.gan.data.Optdigits.Part;
import org.junit.jupiter.api.Test;

class SlantedDigitsTest {
    private final Images digits = Part.TEST.images();

    @Test
    void withoutASlantDigitsAreInverted() {
        float[] inverted = new SlantedDigits(Part.TEST, 0).images().pixels();
        float[] pixels = digits.pixels();
        for (int i = 0; i < pixels.length; i++) {
            assertThat(inverted[i]).isEqualTo(-pixels[i]);
        }
    }

    /** With a slant of 1 the row y = 2 moves by 1.5 to the right: half of each of two pixels. */
    @Test
    void rowsMoveByTheSlantAndAreInterpolated() {
        Images slanted = new SlantedDigits(Part.TEST, 1).images();
        assertThat(slanted).hasToString("299 images of (1,8,8), 10 classes");
        for (int row = 0; row < digits.count(); row++) {
            float[] before = digits.image(row);
            float[] after = slanted.image(row);
            assertThat(slanted.labels()[row]).isEqualTo(digits.labels()[row]);
            for (int x = 0; x < 8; x++) {
                float left = x < 2 ? -1 : before[2 * 8 + x - 2];
                float right = x < 1 ? -1 : before[2 * 8 + x - 1];
                assertThat(after[2 * 8 + x]).isCloseTo(-(left + right) / 2, within(1e-6f));
            }
        }
    }

    @Test
    void theSourceHasImagesAndLabels() {
        SlantedDigits some = new SlantedDigits(Part.TRAIN_B, 0.5);
        assertThat(some.open("slanted", 10, true).columns())
                .hasToString("[image (1,8,8) FLOAT32, label () INT64]")
                .isEqualTo(some.declaredColumns().orElseThrow());
        assertThat(some.open("slanted", 10, true).attribution()).isPresent();
        assertThatThrownBy(() -> some.slant(3)).hasMessage("slant: must be between -2 and 2, was 3.0");
    }
}
