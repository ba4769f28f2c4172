package hocket.programs.layers;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.transpose;

import hocket.programs.Value;
import hocket.programs.layers.Attention.Causal;
import hocket.programs.operators.Operator;
import hocket.scopes.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Attention of several heads over projected inputs (Vaswani et al. 2017, section 3.2.2): {@code
 * MultiHeadAttention.of(4).causal().apply("attention", x)}. Each head has its part of the projections.
 *
 * @param heads number of heads, a divisor of the width
 * @param attention the attention of each head
 * @param weights of the four projections
 */
public record MultiHeadAttention(int heads, Attention attention, Weights weights) {
    /** @throws IllegalArgumentException if there is no head */
    public MultiHeadAttention {
        if (heads < 1) {
            throw new IllegalArgumentException("attention needs at least one head, got " + heads);
        }
    }

    /** Attention over all keys, Xavier's weights and biases of zeros. */
    public static MultiHeadAttention of(int heads) {
        return new MultiHeadAttention(heads, Attention.full(), Weights.standard());
    }

    /** Returns this with keys after a query hidden; its attention stays as it is otherwise. */
    public MultiHeadAttention causal() {
        return attention.causal() == Causal.NO ? attention(attention.causal(Causal.FROM_FIRST)) : this;
    }

    /** Returns this with another attention of its heads. */
    public MultiHeadAttention attention(Attention other) {
        return new MultiHeadAttention(heads, other, weights);
    }

    /** Returns this with other weights. */
    public MultiHeadAttention weights(Weights other) {
        return new MultiHeadAttention(heads, attention, other);
    }

    /** Self-attention: x (T, width) gives (T, width). */
    public Value apply(String name, Value x) {
        return apply(name, x, x, x, null, null);
    }

    /** Self-attention with a mask (T): not 0 where a key may be seen. */
    public Value apply(String name, Value x, Value mask) {
        return apply(name, x, x, x, null, mask);
    }

    /**
     * Attention of queries (L, width) to keys and values (S, width): (L, width). Parameters {@code weight (width,
     * width)} and {@code bias (width)} of {@code query}, {@code key}, {@code value} and {@code output}.
     *
     * @param bias of the scores, (heads, L, S) or (L, S); null for none
     * @param mask (S); null for none
     * @throws IllegalArgumentException if the inputs are no sequences, or the heads do not divide the width
     */
    public Value apply(
            String name, Value queries, Value keys, Value values, @Nullable Value bias, @Nullable Value mask) {
        Operator.require(
                queries.shape().rank() == 2
                        && keys.shape().rank() == 2
                        && values.shape().rank() == 2
                        && queries.shape().get(1) % heads == 0,
                name + ": needs sequences (T, width) of a width that " + heads + " divides, got " + queries + ", "
                        + keys + " and " + values);
        int width = queries.shape().get(1);
        Value y;
        try (Scope<Value> scope = queries.graph().scope(name)) {
            Value q = split(dense("query", queries, width, weights));
            Value k = split(dense("key", keys, width, weights));
            Value v = split(dense("value", values, width, weights));
            Value each = transpose(attention.of(q, k, v, bias, mask), 1, 0, 2);
            y = dense("output", reshape(each, queries.shape().get(0), width), width, weights);
        }
        return queries.graph().name(name, y);
    }

    /** (T, width) as (heads, T, width / heads). */
    private Value split(Value x) {
        int steps = x.shape().get(0);
        return transpose(reshape(x, steps, heads, x.shape().get(1) / heads), 1, 0, 2);
    }
}
