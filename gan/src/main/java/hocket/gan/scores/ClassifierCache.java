package hocket.gan.scores;

import hocket.gan.data.Images;
import hocket.schedulers.checkpoint.Checksums;
import hocket.scopes.Snapshot;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Classifiers by the content of their images: each is trained once in this process for each number of threads. Training
 * again would give the same parameters. Thread-safe.
 */
public final class ClassifierCache {
    /** The cache of this process. */
    public static final ClassifierCache SHARED = new ClassifierCache(ImageClassifier::train);

    private static final int MOST_IMAGES = 12_000;
    private static final int MOST_KEPT = 8;

    /** Trains a classifier on images with a number of threads. */
    @FunctionalInterface
    interface Training {
        ImageClassifier on(Images images, int threads);
    }

    private record Key(String sha256, int threads) {}

    private final Training training;
    private final Map<Key, Snapshot> trained = new LinkedHashMap<>();

    ClassifierCache(Training training) {
        this.training = training;
    }

    /** Returns the images that a classifier of these is trained and tested on: 12,000 at most. */
    static HeldOutSplit split(Images real) {
        return HeldOutSplit.of(real.spread(Math.min(MOST_IMAGES, real.count())));
    }

    /** Returns a classifier trained on the training part of {@link #split}; close it after use. */
    public synchronized ImageClassifier classifier(Images real, int threads) {
        Images images = split(real).training();
        Key key = new Key(sha256(images), threads);
        Snapshot known = trained.get(key);
        if (known != null) {
            return ImageClassifier.of(images, known, threads);
        }
        ImageClassifier classifier = training.on(images, threads);
        if (trained.size() == MOST_KEPT) {
            trained.remove(trained.keySet().iterator().next());
        }
        trained.put(key, classifier.trained());
        return classifier;
    }

    private static String sha256(Images images) {
        MessageDigest digest = Checksums.digest();
        int[] labels = images.labels();
        ByteBuffer head = ByteBuffer.allocate(Integer.BYTES * (3 + labels.length));
        head.putInt(images.classes()).putInt(images.height()).putInt(images.width());
        head.asIntBuffer().put(labels);
        digest.update(head.array());
        float[] pixels = images.pixels();
        ByteBuffer image = ByteBuffer.allocate(Float.BYTES * images.valuesPerImage());
        for (int i = 0; i < images.count(); i++) { // all of them may be more bytes than an array holds
            image.asFloatBuffer().put(pixels, i * images.valuesPerImage(), images.valuesPerImage());
            digest.update(image.array());
        }
        return Checksums.hex(digest);
    }
}
