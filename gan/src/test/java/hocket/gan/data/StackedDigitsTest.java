package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.data.Optdigits.Part;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StackedDigitsTest {
    private static final int PIXELS = 64;

    @Test
    void eachChannelIsADigitAndTheLabelReadsThemAsANumber() {
        Images digits = Digits.load();
        Map<String, Integer> labelOf = IntStream.range(0, digits.count())
                .boxed()
                .collect(Collectors.toMap(
                        row -> Arrays.toString(digits.image(row)), row -> digits.labels()[row], (one, same) -> one));
        Images stacked = new StackedDigits(Part.ALL, 200, true, 1).images();
        assertThat(stacked).hasToString("200 images of (3,8,8), 1000 classes");
        for (int row = 0; row < stacked.count(); row++) {
            float[] image = stacked.image(row);
            int label = 0;
            for (int channel = 0; channel < 3; channel++) {
                float[] digit = Arrays.copyOfRange(image, channel * PIXELS, (channel + 1) * PIXELS);
                assertThat(labelOf).containsKey(Arrays.toString(digit));
                label = 10 * label + labelOf.getOrDefault(Arrays.toString(digit), -1);
            }
            assertThat(stacked.labels()[row]).isEqualTo(label);
        }
    }

    @Test
    void mostOfTheThousandModesAreAmongAFewThousandImages() {
        int[] labels = new StackedDigits(Part.ALL, 12_800, true, 1).images().labels();
        assertThat(IntStream.of(labels).distinct().count()).isEqualTo(1000);
        assertThat(StackedDigits.modes()).isEqualTo(1000);
    }

    @Test
    void theImagesFollowFromTheSeedAndThePart() {
        float[] pixels = new StackedDigits(Part.ALL, 30, false, 1).images().pixels();
        assertThat(new StackedDigits(Part.ALL, 30, false, 1).images().pixels()).isEqualTo(pixels);
        assertThat(new StackedDigits(Part.ALL, 30, false, 2).images().pixels()).isNotEqualTo(pixels);
        assertThat(new StackedDigits(Part.TEST, 30, false, 1).images().pixels()).isNotEqualTo(pixels);
    }

    @Test
    void theSourceHasALabelIfItIsAskedFor() {
        StackedDigits plain = new StackedDigits(Part.ALL, 30, false, 1);
        assertThat(plain.open("stacked", 10, true).columns())
                .hasToString("[image (3,8,8) FLOAT32]")
                .isEqualTo(plain.declaredColumns().orElseThrow());
        StackedDigits labelled = new StackedDigits(Part.ALL, 30, true, 1);
        assertThat(labelled.open("stacked", 10, true).columns())
                .hasToString("[image (3,8,8) FLOAT32, label () INT64]")
                .isEqualTo(labelled.declaredColumns().orElseThrow());
        assertThat(plain.open("stacked", 10, true).attribution()).isPresent();
    }

    @Test
    void settingsOutOfRangeAreRefusedByName() {
        assertThatThrownBy(() -> new StackedDigits(Part.ALL, 0, false, 1))
                .hasMessage("rows: must be at least 1, was 0");
    }
}
