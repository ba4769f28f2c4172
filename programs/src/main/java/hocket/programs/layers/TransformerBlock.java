package hocket.programs.layers;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Operators.add;

import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.scopes.Scope;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A block of a transformer: {@code TransformerBlock.of(4, 512).causal().apply("block1", x)}. Before the norm (Xiong et
 * al. 2020): {@code x += attention(norm1(x)); x += feed(norm2(x))}; after it (Vaswani et al. 2017): {@code x = norm1(x +
 * attention(x)); x = norm2(x + feed(x))}.
 *
 * @param attention the attention
 * @param feedForward units of the hidden layer
 * @param activation of the hidden layer
 * @param normFirst whether the norms stand before attention and hidden layer; there is then none at the end
 * @param epsilon of the norms
 * @param dropout rate of what is added to x; 0 for none
 */
public record TransformerBlock(
        MultiHeadAttention attention,
        int feedForward,
        UnaryOperator<Value> activation,
        boolean normFirst,
        double epsilon,
        double dropout) {
    /** A block with norms first, GELU and no dropout, in which each element sees all others. */
    public static TransformerBlock of(int heads, int feedForward) {
        return new TransformerBlock(MultiHeadAttention.of(heads), feedForward, Operators::gelu, true, 1e-5, 0);
    }

    /** Returns this with elements after each one hidden from it. */
    public TransformerBlock causal() {
        return attention(attention.causal());
    }

    /** Returns this with another attention. */
    public TransformerBlock attention(MultiHeadAttention other) {
        return new TransformerBlock(other, feedForward, activation, normFirst, epsilon, dropout);
    }

    /** Returns this with another activation. */
    public TransformerBlock activation(UnaryOperator<Value> other) {
        return new TransformerBlock(attention, feedForward, other, normFirst, epsilon, dropout);
    }

    /** Returns this with norms after each sum. */
    public TransformerBlock normLast() {
        return new TransformerBlock(attention, feedForward, activation, false, epsilon, dropout);
    }

    /** Returns this with dropout of what is added to x. */
    public TransformerBlock dropout(double rate) {
        return new TransformerBlock(attention, feedForward, activation, normFirst, epsilon, rate);
    }

    /** x (T, width) gives (T, width). */
    public Value apply(String name, Value x) {
        return apply(name, x, null);
    }

    /**
     * x (T, width) gives (T, width). Parameters of {@code attention}, {@code linear1}, {@code linear2}, {@code norm1} and
     * {@code norm2}.
     *
     * @param mask (T), not 0 where an element may be seen; null for none. The others are computed too.
     */
    public Value apply(String name, Value x, @Nullable Value mask) {
        Value y;
        try (Scope<Value> scope = x.graph().scope(name)) {
            if (normFirst) {
                Value h = add(x, attended(layerNorm("norm1", x, 1, epsilon), mask));
                y = add(h, fed(layerNorm("norm2", h, 1, epsilon)));
            } else {
                Value h = layerNorm("norm1", add(x, attended(x, mask)), 1, epsilon);
                y = layerNorm("norm2", add(h, fed(h)), 1, epsilon);
            }
        }
        return x.graph().name(name, y);
    }

    private Value attended(Value x, @Nullable Value mask) {
        return dropped("attention_dropout", attention.apply("attention", x, x, x, null, mask));
    }

    private Value fed(Value x) {
        Value hidden = activation.apply(dense("linear1", x, feedForward, attention.weights()));
        return dropped("feed_dropout", dense("linear2", hidden, x.shape().get(1), attention.weights()));
    }

    private Value dropped(String name, Value x) {
        return dropout == 0 ? x : Operators.dropout(name, x, dropout);
    }
}
