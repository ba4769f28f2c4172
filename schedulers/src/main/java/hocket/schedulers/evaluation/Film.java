package hocket.schedulers.evaluation;

import hocket.scopes.Parameters;
import java.awt.image.BufferedImage;
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

    /** Returns the duration of a frame, in milliseconds. */
    int milliseconds();
}
