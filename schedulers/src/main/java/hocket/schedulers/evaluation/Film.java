package hocket.schedulers.evaluation;

import hocket.scopes.Parameters;
import java.awt.image.BufferedImage;
import java.util.function.Consumer;

/** What a result looks like at work: an agent in its world. */
public interface Film {
    /**
     * Plays what the parameters do, and hands out each frame; the same for the same parameters and seed. Changes nothing.
     *
     * @param parameters that act
     * @param seed of the worlds; successive episodes begin differently
     * @param episodes how many, at least 1
     * @param frames takes the frames, all of one size
     */
    void play(Parameters parameters, long seed, int episodes, Consumer<BufferedImage> frames);

    /** How long a frame is to be seen, in milliseconds. */
    int milliseconds();
}
