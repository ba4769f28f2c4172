package hocket.gan.parts;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.spreadToRows;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.where;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A pool of past generated rows, so that a discriminator does not forget them (Shrivastava et al. 2017, section 2.3; CycleGAN's
 * image pool). Each row of a batch has a pool of its own, so that a batch of one is CycleGAN's form. While the pool has room, a
 * row is stored and passed on. After that, with probability 1/2, it takes the place of a random stored row, which is passed on
 * instead; else it is passed on and not stored.
 *
 * <p>The pool is a state of the turn that takes the discriminator's loss, {@code carries: {pool: pool_next}}: it is saved with the
 * run. Noise {@code pool/draw}.
 *
 * @param size stored rows for each row of a batch, at least 1
 */
public record SamplePool(int size) {
    /** The help of a setting that is the size of a pool. */
    public static final String HELP =
            "past generated rows kept for each row of a batch, shown to the discriminator half the"
                    + " time; 0 for none";

    /** Returns the rows of a pool of a size, or the newest rows where the size is 0; see {@link #exchange}. */
    public static Value exchange(int size, String name, Value newest) {
        return size == 0 ? newest : new SamplePool(size).exchange(name, newest);
    }

    /**
     * Returns the rows that a discriminator sees in place of the newest ones; no gradient flows back.
     *
     * <p>The state is (size, 1 + n) for rows of n numbers. The first number of a place is 1 if a row is stored there, else 0.
     *
     * @param name of the input that reads the pool; the value that it has the next time is {@code name_next}
     * @param newest generated rows
     */
    public Value exchange(String name, Value newest) {
        Graph graph = newest.graph();
        int n = newest.shape().size();
        Value pool = graph.input(name, Shape.of(size, 1 + n));
        Value draw = graph.noise(name + "/draw", Shape.of(2), new Distribution.Uniform(0, 1), Redraw.EACH_TURN);
        Value one = spreadToRows(graph.constant(Tensor.rounded(Shape.of(1), graph.floatType(), 1)));
        Value row = reshape(stopGradient(newest), n);

        Value taken = reshape(slice(pool, 1, 0, 1), size);
        Value isFull = slice(taken, 0, size - 1, size);
        Value isSwapped = multiply(isFull, greater(scale(one, 0.5), slice(draw, 0, 0, 1)));
        Value free =
                subtract(size == 1 ? one : concat(0, one, slice(taken, 0, 0, size - 1)), taken); // the first such place
        Value place = where(isFull, drawn(scale(slice(draw, 0, 1, 2), size)), free);

        Value stored = sum(multiply(reshape(place, size, 1), slice(pool, 1, 1, 1 + n)), 0);
        Value isWritten = multiply(place, where(isFull, isSwapped, one));
        Value entry = reshape(concat(0, one, row), 1, 1 + n);
        graph.name(name + "_next", where(reshape(isWritten, size, 1), entry, pool));
        return reshape(where(isSwapped, stored, row), newest.shape().extents());
    }

    /** Returns 1 at the place i with {@code i <= at < i + 1}, and 0 at the others. */
    private Value drawn(Value at) {
        Value above = numbers(at.graph(), IntStream.range(1, size + 1).mapToDouble(i -> i == size ? 2.0 * size : i));
        Value from = numbers(at.graph(), IntStream.range(0, size).mapToDouble(i -> i));
        return subtract(greater(above, at), greater(from, at));
    }

    private Value numbers(Graph graph, DoubleStream numbers) {
        return graph.constant(Tensor.rounded(Shape.of(size), graph.floatType(), numbers.toArray()));
    }
}
