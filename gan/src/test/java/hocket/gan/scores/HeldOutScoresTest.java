package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.data.ImageSource;
import hocket.gan.data.Images;
import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.schedulers.evaluation.Evaluation.Reference;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A memoriser, one Gaussian and real rows, beside digits that no generator was trained on. */
class HeldOutScoresTest {
    private static final Evaluator PIXELS = new Evaluator.Pixels();

    private final Images training = images(Part.TRAIN);
    private final Images heldOut = images(Part.TEST);

    private static Images images(Part part) {
        ImageSource source = new Optdigits(part).open("digits", 64, true);
        return source.images();
    }

    @Test
    @Tag("engine")
    void onlyAMemoriserIsNearerToTrainingRowsThanHeldOutRowsAre() {
        ImageSetScores scores = new ImageSetScores(training, PIXELS).heldOut(heldOut);
        List<Reference> references = scores.references(1000, true, 1);
        assertThat(references.stream().map(Reference::name))
                .containsExactly("bootstrap", "halves", "gaussian", "held_out");
        assertThat(references.stream().map(Reference::rows)).containsExactly(1000, 749, 1000, 299);
        SortedMap<String, Double> memoriser = references.get(0).scores();
        SortedMap<String, Double> gaussian = references.get(2).scores();
        SortedMap<String, Double> honest = references.get(3).scores();
        assertThat(memoriser).containsEntry("nearest_neighbour_ratio", 0.0).containsEntry("nearer_to_training", 1.0);
        assertThat(gaussian.get("nearest_neighbour_ratio")).isBetween(0.8, 1.1);
        assertThat(honest.get("nearest_neighbour_ratio")).isBetween(0.6, 1.0);
        assertThat(honest.get("nearer_to_training")).isBetween(0.5, 0.95);
        assertThat(gaussian.get("precision")).isLessThan(honest.getOrDefault("precision", 0.0) - 0.2);
        assertThat(memoriser.get("classification_accuracy_score")).isGreaterThan(0.9);
        assertThat(gaussian).doesNotContainKeys("classification_accuracy_score", "label_agreement");
    }

    @Test
    @Tag("engine")
    void aClassifierThatLearnsWrongLabelsHasNoAccuracyOnHeldOutImages() {
        Images few = training.at(IntStream.range(0, 300).toArray());
        int[] wrong = IntStream.of(few.labels()).map(label -> (label + 1) % 10).toArray();
        HeldOutScores scores = new HeldOutScores(training, heldOut, PIXELS);
        assertThat(scores.accuracy(ImageSetScores.tensor(few), wrong, 1).get("classification_accuracy_score"))
                .isLessThan(0.1);
        assertThat(scores.accuracy(ImageSetScores.tensor(few), ImageSetScores.NO_LABELS, 1))
                .isEmpty();
    }

    @Test
    void imagesThatAreNotHeldOutOrUnlikeTheRealOnesAreRefused() {
        Images known = training.at(3, 5, 8);
        assertThatThrownBy(() -> new HeldOutScores(training, known, PIXELS))
                .hasMessage("held-out images must not be real ones that the generator is trained on, but 3 of 3 are");
        Images unlabelled = Images.of(1, 8, 8, heldOut.pixels());
        assertThatThrownBy(() -> new HeldOutScores(training, unlabelled, PIXELS))
                .hasMessage("held-out images must be as the real ones are, 1498 images of (1,8,8), 10 classes, but are"
                        + " 299 images of (1,8,8), no labels");
    }

    @Test
    @Tag("engine")
    void theFeaturesOfAClassifierAreMeansOfItsLastChannels() {
        Evaluator classifier = new Evaluator.Classifier();
        FeatureRows features = classifier.features(ImageSetScores.tensor(heldOut), training, 1);
        assertThat(features.count()).isEqualTo(299);
        assertThat(features.dimension()).isEqualTo(64);
        assertThat(classifier
                        .features(ImageSetScores.tensor(heldOut), training, 1)
                        .values())
                .isEqualTo(features.values());
        Images unlabelled = Images.of(1, 8, 8, heldOut.pixels());
        assertThatThrownBy(() -> classifier.features(ImageSetScores.tensor(heldOut), unlabelled, 1))
                .hasMessageStartingWith("features: classifier is trained on labels, but the real images have none");
    }
}
