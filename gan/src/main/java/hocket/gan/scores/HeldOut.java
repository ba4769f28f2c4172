package hocket.gan.scores;

import hocket.gan.data.Images;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Labelled images in two parts that share none: those that a classifier learns, and those that it is tested on. The same
 * images are parted in the same way.
 *
 * @param taught five of six
 * @param heldOut the sixth, twelfth, … image of each class; empty where no class has six
 */
record HeldOut(Images taught, Optional<Images> heldOut) {
    private static final int EVERY = 6;

    static HeldOut of(Images images) {
        int[] seen = new int[images.classes()];
        int[] labels = images.labels();
        boolean[] isHeldOut = new boolean[images.count()];
        for (int i = 0; i < labels.length; i++) {
            isHeldOut[i] = ++seen[labels[i]] % EVERY == 0;
        }
        int[] others =
                IntStream.range(0, images.count()).filter(i -> isHeldOut[i]).toArray();
        if (others.length == 0) {
            return new HeldOut(images, Optional.empty());
        }
        int[] taught =
                IntStream.range(0, images.count()).filter(i -> !isHeldOut[i]).toArray();
        return new HeldOut(images.at(taught), Optional.of(images.at(others)));
    }
}
