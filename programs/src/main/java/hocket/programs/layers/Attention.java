package hocket.programs.layers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.matmul;
import static hocket.programs.Operators.matmulTransposed;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.where;

import hocket.programs.Graph;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.operators.Arity;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Operator;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
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
    private static final double HIDDEN = -1e30;

    /** Which keys the order of time hides. */
    public enum Causal {
        /** None. */
        NO,
        /** Query i sees keys up to i. */
        FROM_FIRST,
        /** The queries are the last ones: query i sees keys up to {@code i + S - L}, as with a cache. */
        TO_LAST
    }

    /** All keys, the usual scale, no bias and no mask. */
    public static Attention full() {
        return new Attention(USUAL, Causal.NO, false, false);
    }

    /** {@link #full} of the keys up to each query. */
    public static Attention toThePast() {
        return full().causal(Causal.FROM_FIRST);
    }

    /** Returns this with another factor. */
    public Attention scale(double other) {
        return new Attention(other, causal, biased, masked);
    }

    /** Returns this with other keys hidden. */
    public Attention causal(Causal other) {
        return new Attention(scale, other, biased, masked);
    }

    /**
     * Makes attention.
     *
     * @param bias (…, L, S), or fewer axes; null for none
     * @param mask (S); null for none
     * @throws IllegalArgumentException naming the value, if the inputs do not fit
     */
    public Value of(Value queries, Value keys, Value values, @Nullable Value bias, @Nullable Value mask) {
        List<Value> inputs = new ArrayList<>(List.of(queries, keys, values));
        if (bias != null) {
            inputs.add(bias);
        }
        if (mask != null) {
            inputs.add(mask);
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

    @Override
    public Value composed(List<Value> inputs) {
        Value q = inputs.get(0);
        Value k = inputs.get(1);
        Operator.require(
                q.shape().rank() >= 2
                        && k.shape().rank() == q.shape().rank()
                        && inputs.get(2).shape().rank() == q.shape().rank(),
                "needs queries (…, L, E), keys (…, S, E) and values (…, S, V), got " + inputs);
        double factor = scale == USUAL ? 1 / Math.sqrt(q.shape().get(-1)) : scale;
        Value scores = Operators.scale(matmulTransposed(q, k), factor);
        scores = biased ? add(scores, inputs.get(3)) : scores;
        int queries = q.shape().get(-2);
        int keys = k.shape().get(-2);
        Value allowed = causal == Causal.NO ? null : past(q.graph(), queries, keys);
        if (masked) {
            Value mask = inputs.get(inputs.size() - 1);
            Operator.require(mask.shape().equals(Shape.of(keys)), "needs a mask of " + keys + " keys, got " + mask);
            Value row = reshape(mask, 1, keys);
            allowed = allowed == null ? row : where(row, allowed, q.graph().constant(0));
        }
        if (allowed == null) {
            return matmul(softmax(scores), inputs.get(2));
        }
        Graph graph = q.graph();
        Value weights = softmax(where(allowed, scores, graph.constant(HIDDEN)));
        boolean always = !masked && (causal == Causal.FROM_FIRST || keys >= queries); // each query sees a key
        return matmul(always ? weights : where(allowed, weights, graph.constant(0)), inputs.get(2));
    }

    private Value past(Graph graph, int queries, int keys) {
        int more = causal == Causal.TO_LAST ? keys - queries : 0;
        double[] seen = new double[queries * keys];
        for (int at = 0; at < seen.length; at++) {
            seen[at] = at % keys <= at / keys + more ? 1 : 0;
        }
        return graph.constant(Tensor.rounded(Shape.of(queries, keys), graph.floatType(), seen));
    }
}
