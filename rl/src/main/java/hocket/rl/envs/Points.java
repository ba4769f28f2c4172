package hocket.rl.envs;

import hocket.schedulers.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;

/** Points of spaces as text, and numbers as saved. */
final class Points {
    private Points() {}

    /** A point for a message: {@code 3}, {@code [0.5, NaN]}. */
    static String text(Space space, float[] values, int at) {
        if (space instanceof Discrete) {
            return values[at] == (int) values[at] ? Integer.toString((int) values[at]) : Float.toString(values[at]);
        }
        return Arrays.toString(Arrays.copyOfRange(values, at, at + space.width()));
    }

    /**
     * The space as a box.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Box box(Environment environment, Space space, String what) {
        if (space instanceof Box box) {
            return box;
        }
        throw new IllegalArgumentException(
                environment.name() + ": " + what + " must be of a box, they are of " + space);
    }

    /** A box of all real numbers. */
    static Box unbounded(Shape shape) {
        float[] high = new float[shape.size()];
        float[] low = new float[shape.size()];
        Arrays.fill(high, Float.POSITIVE_INFINITY);
        Arrays.fill(low, Float.NEGATIVE_INFINITY);
        return new Box(shape, low, high);
    }

    /** Numbers to be saved. */
    static Tensor saved(double... numbers) {
        return Tensor.of(Shape.of(numbers.length), numbers);
    }

    /** Numbers to be saved. */
    static Tensor saved(float... numbers) {
        return Tensor.of(Shape.of(numbers.length), numbers);
    }

    /**
     * Saved numbers.
     *
     * @throws IllegalArgumentException if there are more or fewer than wanted
     */
    static double[] restored(State state, String name, int count) {
        Tensor tensor = state.tensor(name);
        if (tensor.shape().size() != count) {
            throw new IllegalArgumentException("the saved state's " + name + " must hold " + count + " numbers, has "
                    + tensor.shape().size());
        }
        return tensor.doubles();
    }

    /** Fills an array with saved numbers of its length. */
    static void restore(State state, String name, double[] into) {
        System.arraycopy(restored(state, name, into.length), 0, into, 0, into.length);
    }
}
