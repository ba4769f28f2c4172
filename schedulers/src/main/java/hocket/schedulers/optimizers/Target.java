package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Reals;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A weight to be updated.
 *
 * @param path its name
 * @param unit number of consecutive elements that make a unit, such as the weights of one neuron or filter
 * @param weight the array that changes
 * @param gradient the derivative of the loss with respect to the weight; only read
 * @param used the units whose gradients may differ from 0 now, of a table whose units are its rows; null where it may be any
 */
public record Target(
        Path path,
        int unit,
        Reals weight,
        Reals gradient,
        @Nullable Supplier<BitSet> used) {
    /** @throws IllegalArgumentException if weight and gradient differ in type or length, or the unit does not divide it */
    public Target {
        weight.requireAlike("gradient", gradient);
        if (unit < 1 || weight.length() % unit != 0) {
            throw new IllegalArgumentException(path + ": units of " + unit + " do not make up " + weight);
        }
    }

    /** A weight of a shape: a unit has one index along the first of several axes, or is an array of one axis. */
    public static Target of(String path, Shape shape, Reals weight, Reals gradient) {
        int unit = shape.rank() > 1 ? shape.size() / shape.get(0) : shape.size();
        return new Target(Path.of(path), unit, weight, gradient, null);
    }

    /** A weight of one axis. */
    public static Target of(String path, Reals weight, Reals gradient) {
        return new Target(Path.of(path), Math.max(1, weight.length()), weight, gradient, null);
    }

    /** Returns this weight as a table of which an update may take some rows: those of the last gradient. */
    public Target using(Supplier<BitSet> rows) {
        return new Target(path, unit, weight, gradient, rows);
    }
}
