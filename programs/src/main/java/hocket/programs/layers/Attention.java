package hocket.programs.layers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.matmul;
import static hocket.programs.Operators.matmulTransposed;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.spreadToRows;
import static hocket.programs.Operators.where;

import hocket.programs.Graph;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.programs.operators.Arity;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Matmul;
import hocket.programs.operators.Operator;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Attention: {@code softmax(scale·q·kᵀ + bias)·v} over the keys that a query may see (Vaswani et al. 2017, equation 1).
 * Queries (…, L, E), keys (…, S, E) and values (…, S, V) give (…, L, V). A query that may see no key gives zeros.
 *
 * @param scale factor of the products; {@link #USUAL} is {@code 1/√E}
 * @param causal which keys the order of time hides
 * @param biased whether a bias (…, L, S) is the fourth input
 * @param masked whether the last input is a mask (S), for each row of a batch: not 0 where a key may be seen
 */
public record Attention(double scale, Causal causal, boolean biased, boolean masked) implements Composed {
    /** Stands for the usual factor. */
    public static final double USUAL = 0;

    /** Takes the place of scores of hidden keys: far below all others, and finite. */
    public static final double HIDDEN = -1e30;

    /** Which keys the order of time hides. */
    public enum Causal {
        /** None. */
        NO,
        /** Query i sees keys up to i. */
        FROM_FIRST,
        /** The queries are the last ones: query i sees keys up to {@code i + S - L}, as with a cache. */
        TO_LAST
    }

    /** @throws IllegalArgumentException if the factor is not finite */
    public Attention {
        Operator.require(Double.isFinite(scale), "the factor of an attention must be finite, was " + scale);
    }

    /** All keys, the usual scale, no bias and no mask. */
    public static Attention full() {
        return new Attention(USUAL, Causal.NO, false, false);
    }

    /** {@link #full} of the keys up to each query. */
    public static Attention toThePast() {
        return full().causal(Causal.FROM_FIRST);
    }

    /**
     * Returns this with another factor.
     *
     * @throws IllegalArgumentException if it is 0 or not finite
     */
    public Attention scale(double other) {
        Operator.require(other != 0, "the factor of an attention must not be 0, which would ignore the queries");
        return new Attention(other, causal, biased, masked);
    }

    /** Returns this with other keys hidden. */
    public Attention causal(Causal other) {
        return new Attention(scale, other, biased, masked);
    }

    /**
     * Makes attention. Axes before the last two, and the batch, are broadcast.
     *
     * @param bias (…, L, S), or fewer axes; null for none
     * @param mask (S); null for none
     * @throws IllegalArgumentException naming the value, if the inputs do not fit
     */
    public Value of(Value queries, Value keys, Value values, @Nullable Value bias, @Nullable Value mask) {
        List<Value> inputs = new ArrayList<>(Matmul.broadcast(queries, keys, values));
        boolean batched = bias != null && bias.batched() || mask != null && mask.batched();
        inputs.replaceAll(value -> batched ? spreadToRows(value) : value);
        if (bias != null) {
            inputs.add(bias);
        }
        if (mask != null) {
            inputs.add(inputs.get(0).batched() ? spreadToRows(mask) : mask);
        }
        return new Attention(scale, causal, bias != null, mask != null).of(inputs.toArray(Value[]::new));
    }

    @Override
    public Arity arity() {
        int inputs = 3 + (biased ? 1 : 0) + (masked ? 1 : 0);
        return new Arity(inputs, inputs);
    }

    @Override
    public boolean differentiable(int input) {
        return input < (biased ? 4 : 3);
    }

    /** Returns the factor of the products. */
    public double factor(Value queries) {
        return scale == USUAL ? 1 / Math.sqrt(queries.shape().get(-1)) : scale;
    }

    /** Returns by how much more than its own number a query sees keys in the order of time. */
    public int seenBefore(Value queries, Value keys) {
        return causal == Causal.TO_LAST ? keys.shape().get(-2) - queries.shape().get(-2) : 0;
    }

    /** Returns whether each query sees a key. */
    public boolean seesAlways(Value queries, Value keys) {
        return !masked && (causal != Causal.TO_LAST || seenBefore(queries, keys) >= 0);
    }

    @Override
    public Result check(List<Value> inputs) {
        Value q = Operator.floating(inputs.get(0));
        Value k = inputs.get(1);
        Value v = inputs.get(2);
        int rank = q.shape().rank();
        Operator.require(
                rank >= 2
                        && k.result().equals(new Result(q.shape().with(-2, extent(k, -2)), q.batched(), q.type()))
                        && v.result().equals(new Result(k.shape().with(-1, extent(v, -1)), q.batched(), q.type())),
                "needs queries (…, L, E), keys (…, S, E) and values (…, S, V), got " + inputs);
        if (biased) {
            Value bias = inputs.get(3);
            Shape scores =
                    k.shape().with(-2, q.shape().get(-2)).with(-1, k.shape().get(-2));
            boolean fits = bias.shape().rank() <= rank && (q.batched() || !bias.batched());
            fits &= bias.type() == q.type();
            for (int axis = -1; fits && axis >= -bias.shape().rank(); axis--) {
                fits = extent(bias, axis) == scores.get(axis) || extent(bias, axis) == 1;
            }
            Operator.require(
                    fits, "needs a bias " + scores + " of " + q.type() + ", got " + bias + " of " + bias.type());
        }
        if (masked) {
            Value mask = inputs.get(inputs.size() - 1);
            Operator.require(
                    mask.result().equals(new Result(Shape.of(k.shape().get(-2)), q.batched(), q.type())),
                    "needs a mask of " + k.shape().get(-2) + " keys of " + q.type() + ", got " + mask + " of "
                            + mask.type());
        }
        return new Result(q.shape().with(-1, v.shape().get(-1)), q.batched(), q.type());
    }

    private static int extent(Value x, int axis) {
        return x.shape().rank() < -axis ? 0 : x.shape().get(axis);
    }

    /** Those by queries, keys and values are {@link AttentionGradient}s; that by the bias is composed. */
    @Override
    public Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted) {
        Map<Integer, Value> gradients = new HashMap<>();
        if (wanted.contains(3)) {
            gradients.putAll(Composed.super.gradients(result, upstream, new TreeSet<>(Set.of(3))));
        }
        List<Value> inputs = new ArrayList<>(result.inputs());
        inputs.add(upstream);
        for (AttentionGradient.By by : AttentionGradient.By.values()) {
            if (wanted.contains(by.ordinal())) {
                gradients.put(by.ordinal(), new AttentionGradient(this, by).of(inputs.toArray(Value[]::new)));
            }
        }
        return gradients;
    }

    @Override
    public Value composed(List<Value> inputs) {
        Value q = inputs.get(0);
        Value k = inputs.get(1);
        Value scores = Operators.scale(matmulTransposed(q, k), factor(q));
        scores = biased ? add(scores, inputs.get(3)) : scores;
        int keys = k.shape().get(-2);
        Value allowed = causal == Causal.NO ? null : past(q, k);
        if (masked) {
            Value row = reshape(inputs.get(inputs.size() - 1), 1, keys);
            allowed = allowed == null ? row : where(row, allowed, q.graph().constant(0));
        }
        if (allowed == null) {
            return matmul(softmax(scores), inputs.get(2));
        }
        Graph graph = q.graph();
        Value weights = softmax(where(allowed, scores, graph.constant(HIDDEN)));
        return matmul(seesAlways(q, k) ? weights : where(allowed, weights, graph.constant(0)), inputs.get(2));
    }

    /** Products of queries and keys, their maximum, differences, powers and sum, and the products with the values. */
    @Override
    public RowCost flops(List<Value> inputs, Result result) {
        RowCost products = multiplications(inputs, result);
        Value q = inputs.get(0);
        Value k = inputs.get(1);
        int more = causal == Causal.NO && !masked ? 6 : 7;
        Result queriesOnly = new Result(q.shape().with(-1, 1), q.batched(), q.type());
        long scores = k.shape().get(-2) * (more + (biased ? 1L : 0));
        return products.plus(products).plus(RowCost.each(queriesOnly, scores));
    }

    @Override
    public RowCost multiplications(List<Value> inputs, Result result) {
        int keys = inputs.get(1).shape().get(-2);
        return RowCost.each(inputs.get(0).result(), keys).plus(RowCost.each(result, keys));
    }

    private Value past(Value q, Value k) {
        Graph graph = q.graph();
        int queries = q.shape().get(-2);
        int keys = k.shape().get(-2);
        int more = seenBefore(q, k);
        Shape shape = Shape.of(queries, keys);
        double[] seen = new double[shape.size()];
        for (int at = 0; at < seen.length; at++) {
            seen[at] = at % keys <= at / keys + more ? 1 : 0;
        }
        return graph.constant(Tensor.rounded(shape, graph.floatType(), seen));
    }
}
