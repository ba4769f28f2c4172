package hocket.rl.actors;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.turns.DivergedException;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * A policy: an EVAL program that reads {@code observation}, the selection of actions from its outputs, and their
 * transform to the environment's action space. A policy with a memory also reads {@code start} (), 1 in the first step of
 * an episode, else 0, and {@code state}, and its last target is the next state. A policy in environments that forbid actions
 * reads a {@code mask}.
 *
 * @param program with an input {@code observation}; its own noise is sampled at each call
 * @param selection of actions from the program's outputs
 * @param transform of actions to the environment's action space
 */
public record Policy(Program program, ActionSelection selection, ActionTransform transform) {
    /** The name of the input for observations. */
    public static final String OBSERVATION = "observation";

    /** The name of the input for the state of a memory. */
    public static final String STATE = "state";

    /** The name of the input that says whether an episode starts. */
    public static final String START = "start";

    /** The name of the input for the mask of actions, (n) of 1 for each that is allowed, else 0. */
    public static final String MASK = "mask";

    /** The mapping of a policy's actions to the environment's. */
    public enum ActionTransform {
        /** Unchanged; the index of a discrete action becomes its number. */
        SAME,
        /** Clipped to the bounds of the box. */
        CLIPPED,
        /** Scaled from -1..1 to the bounds of the box, and clipped. */
        SCALED;

        /** Writes the environment's actions for rows of a policy's actions. */
        public void apply(Space space, float[] actions, float[] fitted, int rows) {
            int width = space.width();
            float start = space instanceof Discrete discrete ? discrete.start() : 0;
            for (int i = 0; i < rows * width; i++) {
                fitted[i] =
                        this != SAME && space instanceof Box box ? of(box, i % width, actions[i]) : actions[i] + start;
            }
        }

        /** Maps actions of a box, one row after the other, from its bounds to -1..1: the inverse of {@link #SCALED}. */
        public void unapply(Box box, float[] actions) {
            for (int i = 0; i < actions.length; i++) {
                float low = box.low(i % box.width());
                float high = box.high(i % box.width());
                actions[i] = high == low ? 0 : Math.max(-1, Math.min(1, 2 * (actions[i] - low) / (high - low) - 1));
            }
        }

        private float of(Box box, int component, float action) {
            float low = box.low(component);
            float high = box.high(component);
            float inside = this == SCALED ? low + 0.5f * (action + 1) * (high - low) : action;
            return Math.max(low, Math.min(high, inside));
        }
    }

    /** Returns the shape of the memory's state; empty without a memory. */
    public Optional<Shape> stateShape() {
        return program.input(STATE).map(Value::shape);
    }

    /** Returns whether the policy keeps to a mask of actions. */
    public boolean isMasked() {
        return program.input(MASK).isPresent();
    }

    /** Feeds the masks of rows to the program of a policy that {@linkplain #isMasked keeps to them}. */
    public void mask(BoundProgram bound, float[] masks, int rows) {
        feed(bound, bound.position(MASK), masks, rows);
    }

    /**
     * Chooses actions for rows of observations; its other inputs must have been fed: {@code start} and {@code state} of a
     * memory, and a {@code mask}.
     *
     * @param bound this policy's program on a store
     * @param observations one row after the other
     * @param turn the counter of the program's noise
     * @param actions takes the actions, before their transform
     * @throws DivergedException if a target of the program holds NaN, or infinity above 0
     */
    public void act(BoundProgram bound, float[] observations, int rows, long turn, Pcg64 random, float[] actions) {
        feed(bound, bound.position(OBSERVATION), observations, rows);
        bound.run(rows, turn, turn);
        if (bound.nonFinite().isPresent()) {
            program.targets().stream()
                    .filter(value -> value.type().isFloating())
                    .forEach(value -> requireNumbers(bound, value));
        }
        selection.choose(bound, rows, random, actions);
    }

    /** Rejects NaN and plus infinity; minus infinity is the logarithm of probability 0. */
    private void requireNumbers(BoundProgram bound, Value value) {
        double[] gave = bound.target(program.targets().indexOf(value)).doubles();
        if (DoubleStream.of(gave).anyMatch(number -> number != Double.NEGATIVE_INFINITY && !Double.isFinite(number))) {
            throw new DivergedException(
                    "program " + program.name() + ", which acts, gives " + value.path() + " that is not finite",
                    bound.given());
        }
    }

    /** Feeds rows of floats to the input at a position. */
    static void feed(BoundProgram bound, int position, float[] values, int rows) {
        ByteBuffer buffer = bound.feed(position, rows);
        int count = buffer.limit() / Float.BYTES;
        for (int i = 0; i < count; i++) {
            buffer.putFloat(i * Float.BYTES, values[i]);
        }
    }
}
