package hocket.rl.losses;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sign;

import hocket.programs.Value;
import java.util.stream.DoubleStream;

/**
 * The symmetric logarithm, in which networks learn numbers of any size (Hafner et al. 2023, "Mastering diverse domains through
 * world models"): {@code symlog(x) = sign(x)·log(1 + |x|)}.
 */
public final class Symlog {
    private Symlog() {}

    /** {@code sign(x)·log(1 + |x|)}, element by element. */
    public static Value symlog(Value x) {
        return multiply(sign(x), log(shift(abs(x), 1)));
    }

    /** {@code sign(x)·(exp |x| - 1)}, the inverse of {@link #symlog}. */
    public static Value symexp(Value x) {
        return multiply(sign(x), shift(exp(abs(x)), -1));
    }

    /**
     * Makes atoms that are equidistant in symlog space: {@code symexp(-limit … limit)}.
     *
     * @param limit above 0
     * @param count at least 2
     */
    public static CategoricalAtoms atoms(double limit, int count) {
        return CategoricalAtoms.of(DoubleStream.iterate(0, i -> i + 1)
                .limit(count)
                .map(i -> limit * (2 * i / (count - 1) - 1))
                .map(x -> Math.signum(x) * StrictMath.expm1(Math.abs(x)))
                .toArray());
    }
}
