package hocket.schedulers.evaluation;

import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.awt.image.BufferedImage;
import java.util.Collections;
import java.util.SortedMap;
import java.util.function.Consumer;

/** A film of a result at work, such as an agent in its environment. */
public interface Film {
    /**
     * Plays the parameters and passes on each frame; the same for the same parameters and seed. Changes nothing.
     *
     * @param parameters that act
     * @param seed of the environments; successive episodes start differently
     * @param episodes how many, at least 1
     * @param frames takes the frames, all of one size
     */
    void play(Parameters parameters, long seed, int episodes, Consumer<BufferedImage> frames);

    /**
     * Plays the parameters and returns what happened as arrays by name, a row a step; empty where there are no steps. Changes
     * nothing.
     *
     * @param parameters that act
     * @param seed of the environments; successive episodes start differently
     * @param episodes how many, at least 1
     * @param random share of the actions that are drawn at random, 0 to 1
     */
    default SortedMap<String, Tensor> steps(Parameters parameters, long seed, int episodes, double random) {
        return Collections.emptySortedMap();
    }

    /** Returns the duration of a frame, in milliseconds. */
    int milliseconds();
}
