package hocket.gan.scores;

import hocket.gan.data.Images;
import hocket.schedulers.settings.Keyed;
import hocket.scopes.Tensor;

/**
 * Features of images, between which distances are measured. In a file {@code features: classifier}, or {@code {class:
 * my.Features}}.
 */
@Keyed
public interface Evaluator {
    /**
     * Returns the features of images, the same for the same arguments.
     *
     * @param images (N, channels, height, width), finite; of a generator usually in -1..1
     * @param real the real images, for features that are learnt
     * @param threads on which the features may depend
     * @return (N, d)
     */
    FeatureRows features(Tensor images, Images real, int threads);

    /** The pixels themselves. */
    record Pixels() implements Evaluator {
        @Override
        public FeatureRows features(Tensor images, Images real, int threads) {
            return new FeatureRows(
                    images.floats(), images.shape().size() / images.shape().get(0));
        }
    }

    /**
     * The means of the last convolution's 64 channels in a classifier that is trained on the real images, which need
     * labels.
     */
    record Classifier() implements Evaluator {
        @Override
        public FeatureRows features(Tensor images, Images real, int threads) {
            if (!real.isLabelled()) {
                throw new IllegalArgumentException(
                        "features: classifier is trained on labels, but the real images have none: " + real);
            }
            try (ImageClassifier classifier = ClassifierCache.SHARED.classifier(real, threads)) {
                return classifier.features(images);
            }
        }
    }
}
