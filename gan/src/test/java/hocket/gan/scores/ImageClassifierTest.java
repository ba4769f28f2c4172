package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.data.Digits;
import hocket.gan.data.Images;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the classifier that scores samples, on the embedded digits. */
@Tag("engine")
class ImageClassifierTest {
    private final Images digits = Digits.load();

    /**
     * Every fifth image, or all others. The last ones of the set are by other writers, and hard for every classifier.
     */
    private Images part(boolean heldOut) {
        int row = digits.valuesPerImage();
        int[] chosen = IntStream.range(0, digits.count())
                .filter(i -> i % 5 == 0 == heldOut)
                .toArray();
        float[] pixels = new float[chosen.length * row];
        int[] labels = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            System.arraycopy(digits.image(chosen[i]), 0, pixels, i * row, row);
            labels[i] = digits.labels()[chosen[i]];
        }
        return Images.of(digits.channels(), digits.height(), digits.width(), pixels)
                .withLabels(labels, digits.classes());
    }

    @Test
    void itErrsOnFewerThanThreeInAHundredDigitsThatItHasNotSeen() {
        try (ImageClassifier classifier = ImageClassifier.train(part(false), 0, 8, 2)) {
            double errorRate = classifier.errorRate(part(true));
            assertThat(errorRate).isLessThan(0.03);
            assertThat(classifier.errorRate(part(false))).isLessThan(0.01);
            assertThat(classifier.classes()).isEqualTo(10);
        }
    }

    @Test
    void theSameImagesAndSeedGiveTheSameClassifierAndAnotherSeedDoesNot() {
        Images few = digits.at(IntStream.range(0, 200).toArray());
        Tensor judged = Tensor.of(
                Shape.of(300, 1, 8, 8),
                digits.at(IntStream.range(0, 300).toArray()).pixels());
        float[][] probabilities = new float[3][];
        for (int i = 0; i < 3; i++) {
            try (ImageClassifier classifier = ImageClassifier.train(few, i == 2 ? 1 : 0, 2, 2)) {
                probabilities[i] = classifier.probabilities(judged);
            }
        }
        assertThat(probabilities[0]).hasSize(300 * 10);
        assertThat(probabilities[1]).isEqualTo(probabilities[0]);
        assertThat(probabilities[2]).isNotEqualTo(probabilities[0]);
    }

    @Test
    void imagesWithoutLabelsTeachNothing() {
        Images unlabelled = Images.of(1, 8, 8, new float[64 * 4]);
        assertThatThrownBy(() -> ImageClassifier.train(unlabelled, 1))
                .hasMessage("a classifier needs images with labels, got 4 images of (1,8,8), no labels");
    }
}
