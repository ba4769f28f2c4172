package hocket.gan.parts;

import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.shift;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;

/** Random categories of rows. */
public final class Categories {
    private Categories() {}

    /**
     * Draws a category for each row, INT64, by relative frequencies: the one in whose part of [0, 1) a uniform number is.
     *
     * @param name of the noise
     * @param noise when it is drawn again
     */
    public static Value drawn(Graph graph, String name, List<Double> weights, Redraw noise) {
        int n = weights.size();
        double all = weights.stream().mapToDouble(Double::doubleValue).sum();
        double[] from = new double[n];
        double[] to = new double[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            from[i] = sum / all;
            sum += weights.get(i);
            to[i] = sum / all;
        }
        from[0] = -1;
        Arrays.fill(to, n - 1, n, 2);
        Value u = graph.noise(name, Shape.of(1), new Distribution.Uniform(0, 1), noise);
        Value above = shift(negate(greater(numbers(graph, from), u)), 1); // from <= u
        return argMax(multiply(above, greater(numbers(graph, to), u)));
    }

    private static Value numbers(Graph graph, double... numbers) {
        return graph.constant(Tensor.rounded(Shape.of(numbers.length), graph.floatType(), numbers));
    }
}
