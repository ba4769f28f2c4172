package hocket.programs.layers;

import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.programs.operators.Arity;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Composition;
import hocket.programs.operators.Operator;
import java.util.List;
import java.util.Locale;

/**
 * The gradient of {@link Attention} by its queries, keys or values. Inputs are those of the attention, then the gradient
 * by its result (…, L, V).
 *
 * @param attention the attention
 * @param by the input, whose shape this has
 */
public record AttentionGradient(Attention attention, By by) implements Composed {
    /** An input of an attention, in their order. */
    public enum By {
        QUERIES,
        KEYS,
        VALUES
    }

    @Override
    public Arity arity() {
        int inputs = attention.arity().most() + 1;
        return new Arity(inputs, inputs);
    }

    @Override
    public String settings() {
        return "by " + by.name().toLowerCase(Locale.ROOT) + " of " + attention.settings();
    }

    @Override
    public boolean differentiable(int input) {
        return input == attention.arity().most() || attention.differentiable(input);
    }

    @Override
    public Result check(List<Value> inputs) {
        List<Value> own = inputs.subList(0, inputs.size() - 1);
        Value upstream = inputs.get(inputs.size() - 1);
        Operator.require(
                attention.check(own).equals(upstream.result()),
                "needs a gradient of the shape of the attention, got " + upstream);
        return inputs.get(by.ordinal()).result();
    }

    @Override
    public Value composed(List<Value> inputs) {
        Value upstream = inputs.get(inputs.size() - 1);
        return Composition.gradient(
                attention, inputs.subList(0, inputs.size() - 1), upstream, inputs.get(by.ordinal()));
    }

    /** As many operations as for the attention. */
    @Override
    public RowCost flops(List<Value> inputs, Result result) {
        return attention.flops(inputs, inputs.get(inputs.size() - 1).result());
    }

    @Override
    public RowCost multiplications(List<Value> inputs, Result result) {
        return attention.multiplications(inputs, inputs.get(inputs.size() - 1).result());
    }
}
