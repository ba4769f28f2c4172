package hocket.programs.layers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Value;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.LongStream;

/**
 * Positions in a sequence: {@code Positions.interleaved().from(3).sinusoidal(x)}. Tables are computed in FLOAT64, then
 * rounded.
 *
 * @param halves whether sines stand before cosines, or the first half of the elements before the second; else the two of
 *     a pair are neighbours
 * @param base the base of the wavelengths
 * @param first the position of the first element of a sequence
 */
public record Positions(boolean halves, double base, int first) {
    /** @throws IllegalArgumentException if the base is not above 1 or a position below 0 */
    public Positions {
        if (!(base > 1) || first < 0) {
            throw new IllegalArgumentException(
                    "positions need a base above 1 and a first position of at least 0, got " + base + " and " + first);
        }
    }

    /** Pairs of neighbours, the base 10,000 and the first position 0 (Vaswani et al. 2017). */
    public static Positions interleaved() {
        return new Positions(false, 10_000, 0);
    }

    /** Sines before cosines, as in tensor2tensor, whose frequencies are others too; the base 10,000. */
    public static Positions inHalves() {
        return new Positions(true, 10_000, 0);
    }

    /** Returns these with another base. */
    public Positions base(double other) {
        return new Positions(halves, other, first);
    }

    /** Returns these with another position of the first element. */
    public Positions from(int position) {
        return new Positions(halves, base, position);
    }

    /**
     * x (T, d) plus a table of sines and cosines (Vaswani et al. 2017, section 3.5): interleaved {@code P[p, 2i] =
     * sin(p·base^(-2i/d))} and {@code P[p, 2i+1]} the cosine; in halves {@code P[p, i] = sin(p·base^(-i/(d/2-1)))} and
     * {@code P[p, d/2+i]} the cosine.
     *
     * @throws IllegalArgumentException if x is not (T, d), or d is odd or below 4 in halves
     */
    public Value sinusoidal(Value x) {
        int width = width(x, 2);
        if (halves && (width % 2 != 0 || width < 4)) {
            throw new IllegalArgumentException("positions in halves need an even width of at least 4, got " + x);
        }
        int pairs = width / 2;
        double[] table = new double[x.shape().size()];
        for (int at = 0; at < table.length; at++) {
            int i = at % width;
            double frequency = halves
                    ? Math.pow(base, -(double) (i % pairs) / (pairs - 1))
                    : Math.pow(base, -2.0 * (i / 2) / width);
            double angle = (first + at / width) * frequency;
            table[at] = (halves ? i < pairs : i % 2 == 0) ? Math.sin(angle) : Math.cos(angle);
        }
        return add(x, constant(x.graph(), x.shape(), table));
    }

    /**
     * Rotary positions (Su et al. 2021) of queries or keys (…, T, E): the two elements of a pair are turned by the angle
     * {@code p·base^(-2i/E)}; pair i has the elements 2i and 2i+1, in halves i and i+E/2.
     *
     * @throws IllegalArgumentException if x has fewer than two axes or an odd width
     */
    public Value rotary(Value x) {
        int width = width(x, 0);
        if (width % 2 != 0) {
            throw new IllegalArgumentException("rotary positions need an even width, got " + x);
        }
        int steps = x.shape().get(-2);
        int pairs = width / 2;
        int axis = x.shape().rank() - 1;
        Graph graph = x.graph();
        Value cosines = angles(graph, steps, width, Math::cos);
        Value sines = angles(graph, steps, width, Math::sin);
        Value turned;
        if (halves) {
            turned = concat(axis, negate(slice(x, axis, pairs, width)), slice(x, axis, 0, pairs));
        } else {
            int[] paired = Arrays.copyOf(x.shape().extents(), axis + 2);
            paired[axis] = pairs;
            paired[axis + 1] = 2;
            Value both = reshape(x, paired);
            Value exchanged = concat(axis + 1, negate(slice(both, axis + 1, 1, 2)), slice(both, axis + 1, 0, 1));
            turned = reshape(exchanged, x.shape().extents());
        }
        return add(multiply(x, cosines), multiply(turned, sines));
    }

    private Value angles(Graph graph, int steps, int width, DoubleUnaryOperator of) {
        int pairs = width / 2;
        IntToDoubleFunction each = at -> {
            int i = halves ? at % width % pairs : at % width / 2;
            return of.applyAsDouble((first + at / width) * Math.pow(base, -2.0 * i / width));
        };
        double[] table = new double[steps * width];
        Arrays.setAll(table, each);
        return constant(graph, Shape.of(steps, width), table);
    }

    /**
     * x (T, d) plus the rows of a table that is learned. Parameter {@code table (entries, d)} under the name, normal of
     * deviation 0.02 as in GPT-2.
     *
     * @throws IllegalArgumentException if the sequence is longer than the table
     */
    public static Value learned(String name, Value x, int entries) {
        int width = width(x, 2);
        Value places = x.graph()
                .constant(Tensor.of(
                        Shape.of(x.shape().get(0)),
                        LongStream.range(0, x.shape().get(0)).toArray()));
        return add(x, Layers.embedding(name, places, entries, width, Initialiser.normal(0.02)));
    }

    /**
     * The linear bias of attention (Press et al. 2022) for {@link Attention}: {@code -slope·(i-j)} of query i and key j,
     * with the slopes {@code 2^(-8(h+1)/heads)}: (heads, T, T).
     *
     * @throws IllegalArgumentException unless the number of heads is a power of two
     */
    public static Value linearBias(Graph graph, int heads, int steps) {
        if (heads < 1 || Integer.bitCount(heads) != 1) {
            throw new IllegalArgumentException("linear biases need a power of two of heads, got " + heads);
        }
        Shape shape = Shape.of(heads, steps, steps);
        double[] biases = new double[shape.size()];
        for (int at = 0; at < biases.length; at++) {
            int head = at / (steps * steps);
            double slope = Math.pow(2, -8.0 * (head + 1) / heads);
            biases[at] = -slope * (at / steps % steps - at % steps);
        }
        return constant(graph, shape, biases);
    }

    private static int width(Value x, int rank) {
        if (x.shape().rank() < 2 || rank > 0 && x.shape().rank() != rank) {
            throw new IllegalArgumentException(
                    "positions need a sequence " + (rank > 0 ? "(T, d)" : "(…, T, E)") + ", got " + x);
        }
        return x.shape().get(-1);
    }

    private static Value constant(Graph graph, Shape shape, double[] numbers) {
        return graph.constant(Tensor.rounded(shape, graph.floatType(), numbers));
    }
}
