package hocket.programs.operators;

import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/** Rows split into parts of neighbouring elements, each part brought to a common size by itself. */
public final class Normalised {
    /**
     * In groups of fewer elements almost all of a gradient cancels: centring it again before the division doubles the
     * digits that FLOAT32 keeps.
     */
    private static final int FEW = 4;

    private Normalised() {}

    /** {@code (x - mean) / sqrt(variance + epsilon)} of each part. */
    public static Value standardised(String name, Value x, int parts, double epsilon) {
        Value rows = rows(name, x, parts, epsilon);
        Value standard = divided(centredTwice(rows), epsilon);
        return reshape(
                rows.shape().get(1) < FEW ? centred(standard) : standard,
                x.shape().extents());
    }

    /**
     * The rounding error of the mean of close values is as large as their differences, so the remainder is centred
     * again. Its own mean is 0 except for rounding, and so is the gradient.
     */
    private static Value centredTwice(Value rows) {
        Value once = centred(rows);
        return subtract(once, stopGradient(Reduction.kept(mean(once, 1), 1)));
    }

    private static Value centred(Value rows) {
        return subtract(rows, Reduction.kept(mean(rows, 1), 1));
    }

    /** {@code x / sqrt(mean(x²) + epsilon)} of each part. */
    public static Value ofRootMeanSquare(String name, Value x, int parts, double epsilon) {
        return reshape(
                divided(rows(name, x, parts, epsilon), epsilon), x.shape().extents());
    }

    /** Each channel standardised. */
    public static Value instances(String name, Value x, double epsilon) {
        if (x.shape().rank() < 2) {
            throw new IllegalArgumentException(
                    name + ": instance norm needs rows (channels, …) of at least two axes, input is " + x);
        }
        return standardised(name, x, x.shape().get(0), epsilon);
    }

    /** Returns the number of channels of x (channels, …). */
    public static int channels(String name, Value x) {
        if (x.shape().rank() < 1) {
            throw new IllegalArgumentException(name + ": needs rows (channels, …), input is " + x);
        }
        return x.shape().get(0);
    }

    private static Value rows(String name, Value x, int parts, double epsilon) {
        if (!(epsilon > 0)) {
            throw new IllegalArgumentException(name + ": epsilon must be above 0, was " + epsilon);
        }
        return reshape(x, parts, x.shape().size() / parts);
    }

    private static Value divided(Value rows, double epsilon) {
        return divide(rows, sqrt(shift(Reduction.kept(mean(square(rows), 1), 1), epsilon)));
    }
}
