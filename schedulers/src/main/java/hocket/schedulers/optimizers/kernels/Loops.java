package hocket.schedulers.optimizers.kernels;

import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.optimizers.RmsProp;
import hocket.schedulers.optimizers.Sgd;
import hocket.settings.DoubleTwin;
import org.jspecify.annotations.Nullable;

/**
 * The loops for one element type. There are four: plain and vectorised, each for float and for double. All compute an
 * element by the same operations in the same order and precision, so they agree to the bit (except in which NaN a NaN
 * is); the compiler writes those for double from those for float ({@link DoubleTwin}).
 *
 * <p>Scalars are computed in double and rounded once to the element type. An instance has scratch memory: one thread at a
 * time. Ranges are {@code from <= i < to}.
 */
interface Loops {
    /** {@link Sgd} without momentum. */
    void sgd(Sgd rule, UpdateStep updateStep, Reals weight, Reals gradient, int from, int to);

    /** {@link Sgd} with momentum. */
    void momentum(Sgd rule, UpdateStep updateStep, Reals weight, Reals gradient, Reals buffer, int from, int to);

    /** {@link Adam}. */
    void adam(
            Adam rule, UpdateStep updateStep, Reals weight, Reals gradient, Reals mean, Reals square, int from, int to);

    /** {@link RmsProp}; the mean only if centered, the buffer only with momentum. */
    void rmsProp(
            RmsProp rule,
            UpdateStep updateStep,
            Reals weight,
            Reals gradient,
            Reals square,
            @Nullable Reals mean,
            @Nullable Reals buffer,
            int from,
            int to);

    /** {@code target ← decay · target + (1 − decay) · source}. */
    void follow(double decay, Reals target, Reals source, int from, int to);

    /** Replaces subnormal numbers by 0. */
    void flush(Reals values, int from, int to);

    /** The sum of squares of at most {@link Chunks#SIZE} elements, by {@link PartialSums}. */
    double sumOfSquares(Reals values, int from, int to);
}
