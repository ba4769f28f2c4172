package hocket.programs.layers;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Arrangement.Spread;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction.How;
import hocket.programs.operators.Reduction.Reduce;
import hocket.scopes.Shape;

/** Combinations of the rows of a batch. Their results have no batch axis, or tell each row about the others. */
public final class BatchStatistics {
    private static final double EPSILON = 1e-8;

    private BatchStatistics() {}

    /** Combines the rows of a batch element by element. */
    public static Value combined(How how, Value x) {
        return x.graph().numbered(new Reduce(how, Reduce.BATCH), x);
    }

    /** {@code Σ aᵀ·b} over the rows: a (p), b (q) give (p, q). */
    public static Value product(Value a, Value b) {
        if (!a.batched() || !b.batched() || a.shape().rank() != 1 || b.shape().rank() != 1) {
            throw new IllegalArgumentException(
                    "a product over the batch needs batches of vectors, got " + a + " and " + b);
        }
        return a.graph().numbered(new Products.DenseWeight(), b, a);
    }

    /** The minibatch standard deviation: {@code features} further channels. */
    public static Value deviation(Value x, int groups, int features) {
        int channels = x.shape().rank() < 1 ? 0 : x.shape().get(0);
        if (!x.batched() || groups < 1 || features < 1 || channels == 0 || channels % features != 0) {
            throw new IllegalArgumentException("minibatch standard deviation needs a batch (channels, …), at least 1"
                    + " group, and features that divide the channels, got " + x + ", " + groups + " groups and "
                    + features + " features");
        }
        Shape one = Shape.ones(x.shape().rank()).with(0, features);
        Value rows = reshape(x, x.shape().size());
        Value deviations = groups == 1 ? ofBatch(rows, features) : ofGroups(rows, groups, features);
        Shape shape = x.shape().with(0, features);
        Value each = x.graph().numbered(new Spread(shape, true, false), reshape(deviations, one.extents()));
        return concat(0, x, each);
    }

    private static Value ofBatch(Value rows, int features) {
        Value centred = subtract(rows, combined(How.MEAN, rows));
        Value deviation = sqrt(shift(combined(How.MEAN, square(centred)), EPSILON));
        return mean(reshape(deviation, features, deviation.shape().size() / features), 1);
    }

    private static Value ofGroups(Value rows, int groups, int features) {
        Graph graph = rows.graph();
        Leaf.Distribution numbering = new Leaf.Distribution.RowGroup(groups);
        Value member =
                graph.numbered(new Leaf.Noise(Shape.of(groups), graph.floatType(), numbering, Leaf.Redraw.EACH_TURN));
        Value sizes = reshape(maximum(combined(How.SUM, member), graph.constant(1)), groups, 1);
        Value means = divide(product(member, rows), sizes);
        Value centred = subtract(rows, graph.numbered(new Products.DenseInput(), member, means));
        Value deviations = sqrt(shift(divide(product(member, square(centred)), sizes), EPSILON));
        Value each = mean(reshape(deviations, groups, features, rows.shape().size() / features), 2);
        return graph.numbered(new Products.DenseInput(), member, each);
    }
}
