package hocket.rl.sampling;

import hocket.rl.random.Pcg64;
import hocket.schedulers.state.Stateful;

/**
 * The draws from one buffer. Its rows are at places of a ring from 0, in which the newest row takes the place of the
 * oldest.
 */
public interface Sampling extends Stateful {
    /** Learns that a new row is at a place. */
    void added(int place);

    /**
     * Draws rows.
     *
     * @param places takes a place for each, from 0 to below the size
     * @param weights takes a finite weight for each in a loss; read only where rows have priorities
     * @param size rows in the buffer, at the places below it
     * @param progress of the run, from 0 to 1
     */
    void draw(int[] places, float[] weights, int size, double progress, Pcg64 random);

    /**
     * Learns the errors of rows that were drawn, if {@link Sampler#isPrioritised}: after each turn that learns from them.
     *
     * @param errors of a loss, one for each place
     * @throws IllegalArgumentException if one is not a number
     */
    void learnt(int[] places, float[] errors);

    /** The bytes that it needs for each row; 0 by default. */
    default int bytesOfRow() {
        return 0;
    }
}
