package hocket.rl.losses;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sign;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;

import hocket.programs.Value;
import hocket.schedulers.settings.Limits;

/**
 * The rescaling of values in which networks learn returns of any size (Pohlen et al. 2018, section 3.2; Kapturowski et al.
 * 2019): {@code h(x) = sign(x)·(√(|x| + 1) - 1) + epsilon·x}.
 */
public final class ValueRescaling {
    /** The epsilon of both papers. */
    public static final double EPSILON = 1e-3;

    private ValueRescaling() {}

    /**
     * {@code h(x)}, element by element.
     *
     * @param epsilon above 0
     */
    public static Value rescaled(Value x, double epsilon) {
        Limits.positive("rescaling: epsilon", epsilon);
        Value root = divide(x, shift(sqrt(shift(abs(x), 1)), 1)); // sign(x)·(√(|x| + 1) - 1), exact near 0
        return add(root, scale(x, epsilon));
    }

    /** The inverse of {@link #rescaled}. */
    public static Value original(Value x, double epsilon) {
        Limits.positive("rescaling: epsilon", epsilon);
        Value size = shift(abs(x), 1 + epsilon);
        Value root = divide(scale(size, 2), shift(sqrt(shift(scale(size, 4 * epsilon), 1)), 1));
        return multiply(sign(x), shift(square(root), -1));
    }
}
