package hocket.gan.scores;

import hocket.gan.data.Images;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A split of labelled images into those that a classifier is trained on and those that it is tested on. The split is
 * deterministic.
 *
 * @param training five of six images
 * @param heldOut the test images: the sixth, twelfth, … image of each class; empty where no class has six
 */
record HeldOutSplit(Images training, Optional<Images> heldOut) {
    private static final int EVERY = 6;

    static HeldOutSplit of(Images images) {
        int[] seen = new int[images.classes()];
        int[] labels = images.labels();
        boolean[] isHeldOut = new boolean[images.count()];
        for (int i = 0; i < labels.length; i++) {
            isHeldOut[i] = ++seen[labels[i]] % EVERY == 0;
        }
        int[] others =
                IntStream.range(0, images.count()).filter(i -> isHeldOut[i]).toArray();
        if (others.length == 0) {
            return new HeldOutSplit(images, Optional.empty());
        }
        int[] taught =
                IntStream.range(0, images.count()).filter(i -> !isHeldOut[i]).toArray();
        return new HeldOutSplit(images.at(taught), Optional.of(images.at(others)));
    }
}
