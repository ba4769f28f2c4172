package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.gan.data.Digits;
import hocket.gan.data.Images;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that a classifier's test images are not among its training images. */
class HeldOutSplitTest {
    private static Set<String> pictures(Images images) {
        Set<String> pictures = new HashSet<>();
        for (int i = 0; i < images.count(); i++) {
            pictures.add(Arrays.toString(images.image(i)));
        }
        return pictures;
    }

    @Test
    void aSixthOfEachClassIsHeldOutAndTheRestIsForTraining() {
        Images digits = Digits.load();
        HeldOutSplit parts = HeldOutSplit.of(digits);
        Images others = parts.heldOut().orElseThrow();
        assertThat(parts.training().count() + others.count()).isEqualTo(1797);
        for (int label = 0; label < 10; label++) {
            int of = label;
            long all = IntStream.of(digits.labels()).filter(each -> each == of).count();
            assertThat(IntStream.of(others.labels()).filter(each -> each == of).count())
                    .isEqualTo(all / 6);
        }
        assertThat(pictures(parts.training())).doesNotContainAnyElementsOf(pictures(others));
        assertThat(HeldOutSplit.of(digits).heldOut().orElseThrow().pixels()).isEqualTo(others.pixels());
    }

    @Test
    void fewImagesAreAllForTraining() {
        Images few = Digits.load().at(IntStream.range(0, 10).toArray());
        assertThat(HeldOutSplit.of(few).heldOut()).isEmpty();
        assertThat(HeldOutSplit.of(few).training()).isSameAs(few);
    }
}
