package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.data.Optdigits.Part;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OptdigitsTest {
    private final Images digits = Digits.load();

    private static Images part(Part part) {
        return new Optdigits(part).open("digits", 64, true).images();
    }

    @Test
    void trainAndTestAndTheTwoHalvesEachShareAllDigitsOut() {
        assertThat(part(Part.ALL).pixels()).isEqualTo(digits.pixels());
        assertThat(part(Part.TRAIN).count()).isEqualTo(1498);
        assertThat(part(Part.TRAIN).image(5)).isEqualTo(digits.image(6));
        assertThat(part(Part.TEST).count()).isEqualTo(299);
        assertThat(part(Part.TEST).image(1)).isEqualTo(digits.image(11));
        assertThat(part(Part.FIRST_HALF).count()).isEqualTo(900);
        assertThat(part(Part.FIRST_HALF).image(899)).isEqualTo(digits.image(899));
        assertThat(part(Part.SECOND_HALF).count()).isEqualTo(897);
        assertThat(part(Part.SECOND_HALF).image(0)).isEqualTo(digits.image(900));
    }

    @Test
    void theHalvesOfTrainShareItOutAndNoDigitIsInBoth() {
        Images train = part(Part.TRAIN);
        Images a = part(Part.TRAIN_A);
        Images b = part(Part.TRAIN_B);
        assertThat(a.count()).isEqualTo(749);
        assertThat(b.count()).isEqualTo(749);
        for (int row = 0; row < train.count(); row++) {
            assertThat((row % 2 == 0 ? a : b).image(row / 2)).isEqualTo(train.image(row));
        }
    }

    @Test
    void columnsMayFeedInputsOfOtherNames() {
        assertThat(new Optdigits(Part.ALL).open("digits", 64, true).columns())
                .hasToString("[image (1,8,8) FLOAT32, label () INT64]")
                .isEqualTo(new Optdigits(Part.ALL).declaredColumns().orElseThrow());
        assertThat(new Optdigits(Part.ALL)
                        .open("digits", 64, true)
                        .feeding("digits", List.of("image_left", "label_left"))
                        .columns())
                .hasToString("[image_left (1,8,8) FLOAT32, label_left () INT64]");
    }

    @Test
    void batchesComeInTheFilesOrderUnlessTheyAreShuffled() {
        float[] first = Drawn.floats(new Optdigits(Part.ALL).open("digits", 64, false));
        assertThat(first).isEqualTo(digits.at(IntStream.range(0, 64).toArray()).pixels());
        assertThat(Drawn.floats(new Optdigits(Part.ALL).open("digits", 64, true)))
                .isNotEqualTo(first);
    }

    @Test
    void aBatchBeyondThePartIsRefusedNamingTheFeed() {
        assertThatThrownBy(() -> new Optdigits(Part.TEST).open("held-out", 300, false))
                .hasMessage("source held-out: a batch must be 1 to the table's 299 rows, was 300");
    }
}
