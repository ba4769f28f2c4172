package hocket.rl.envs;

import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;

/** Converts arrays of numbers to the tensors of a saved state and back. */
public final class StateArrays {
    private StateArrays() {}

    /** The numbers as a tensor of one axis. */
    public static Tensor tensor(double... numbers) {
        return Tensor.of(Shape.of(numbers.length), numbers);
    }

    /** The numbers as a tensor of one axis. */
    public static Tensor tensor(float... numbers) {
        return Tensor.of(Shape.of(numbers.length), numbers);
    }

    /**
     * Reads the numbers of a saved tensor.
     *
     * @throws IllegalArgumentException if the tensor does not hold {@code count} numbers
     */
    public static double[] read(State state, String name, int count) {
        return tensor(state, name, count).doubles();
    }

    /**
     * Reads the numbers of a saved tensor as floats.
     *
     * @throws IllegalArgumentException if the tensor does not hold {@code count} numbers
     */
    public static float[] floats(State state, String name, int count) {
        return tensor(state, name, count).floats();
    }

    private static Tensor tensor(State state, String name, int count) {
        Tensor tensor = state.tensor(name);
        if (tensor.shape().size() != count) {
            throw new IllegalArgumentException("the saved state's " + name + " must hold " + count + " numbers, has "
                    + tensor.shape().size());
        }
        return tensor;
    }

    /**
     * Fills an array with the numbers of a saved tensor.
     *
     * @throws IllegalArgumentException if the tensor has another length than the array
     */
    public static void read(State state, String name, double[] into) {
        System.arraycopy(read(state, name, into.length), 0, into, 0, into.length);
    }
}
