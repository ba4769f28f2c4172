package hocket.rl.actors;

import hocket.programs.BoundProgram;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.envs.Box;
import hocket.rl.envs.Discrete;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.Space;
import hocket.schedulers.DivergedException;
import java.nio.ByteBuffer;
import java.util.stream.DoubleStream;

/**
 * What acts: an EVAL program that reads {@code observation}, the choice of actions from what it gives, and how those fit
 * the environment.
 *
 * @param program reads one input called {@code observation}; noise of its own is drawn anew each time
 * @param choice of actions
 * @param fit how actions go into the environment
 */
public record Policy(Program program, Choice choice, Fit fit) {
    /** The input that observations are fed to. */
    public static final String OBSERVATION = "observation";

    /** How a policy's actions become the environment's. */
    public enum Fit {
        /** As they are; the index of a discrete action becomes its number. */
        SAME,
        /** Clipped to the bounds of the box. */
        CLIPPED,
        /** Stretched from -1..1 to the bounds of the box, and clipped. */
        SCALED;

        /** Writes the environment's actions. */
        public void into(Space space, float[] actions, float[] fitted, int rows) {
            int width = space.width();
            float start = space instanceof Discrete discrete ? discrete.start() : 0;
            for (int i = 0; i < rows * width; i++) {
                fitted[i] =
                        this != SAME && space instanceof Box box ? of(box, i % width, actions[i]) : actions[i] + start;
            }
        }

        private float of(Box box, int component, float action) {
            float low = box.low(component);
            float high = box.high(component);
            float inside = this == SCALED ? low + 0.5f * (action + 1) * (high - low) : action;
            return Math.max(low, Math.min(high, inside));
        }
    }

    /**
     * Acts on rows of observations.
     *
     * @param bound this policy's program on a store
     * @param observations one row behind the other
     * @param turn counter of the program's noise
     * @param actions takes the actions, not yet fitted
     * @throws DivergedException if a target of the program holds NaN, or infinity above 0
     */
    public void act(BoundProgram bound, float[] observations, int rows, long turn, Pcg64 random, float[] actions) {
        feed(bound, 0, observations, rows);
        bound.run(rows, turn, turn);
        if (bound.nonFinite().isPresent()) {
            program.targets().stream()
                    .filter(value -> value.type().isFloating())
                    .forEach(value -> refuseUnlessNumbers(bound, value));
        }
        choice.choose(bound, rows, random, actions);
    }

    /** Minus infinity is the logarithm of no chance at all. */
    private void refuseUnlessNumbers(BoundProgram bound, Value value) {
        double[] gave = bound.target(program.targets().indexOf(value)).doubles();
        if (DoubleStream.of(gave).anyMatch(number -> number != Double.NEGATIVE_INFINITY && !Double.isFinite(number))) {
            throw new DivergedException(
                    "program " + program.name() + ", which acts, gives " + value.path() + " that is not finite",
                    bound.given());
        }
    }

    /** Feeds whole rows of floats to the input of a position. */
    static void feed(BoundProgram bound, int position, float[] values, int rows) {
        ByteBuffer buffer = bound.feed(position, rows);
        int count = buffer.limit() / Float.BYTES;
        for (int i = 0; i < count; i++) {
            buffer.putFloat(i * Float.BYTES, values[i]);
        }
    }
}
