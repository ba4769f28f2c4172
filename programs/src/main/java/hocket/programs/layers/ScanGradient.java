package hocket.programs.layers;

import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.programs.operators.Arity;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Composition;
import hocket.programs.operators.Operator;
import java.util.List;

/**
 * The gradient of a {@link Scan} by one of its inputs. Inputs are those of the scan, its result, of which the kept states
 * are read, and the gradient by its result.
 *
 * @param scan the scan
 * @param by the input, whose shape this has
 */
public record ScanGradient(Scan scan, int by) implements Composed {
    @Override
    public Arity arity() {
        int inputs = scan.arity().most() + 2;
        return new Arity(inputs, inputs);
    }

    @Override
    public String settings() {
        return "by input " + by + " of " + scan.settings();
    }

    @Override
    public int[] indexBounds(int input, List<Value> inputs) {
        return input < scan.arity().most()
                ? scan.indexBounds(input, inputs.subList(0, inputs.size() - 2))
                : new int[inputs.get(input).shape().size()];
    }

    /** By the result it is not: that is made of the other inputs. */
    @Override
    public boolean differentiable(int input) {
        return input != scan.arity().most();
    }

    @Override
    public Result check(List<Value> inputs) {
        Value upstream = inputs.get(inputs.size() - 1);
        Operator.require(
                upstream.result().equals(inputs.get(inputs.size() - 2).result()),
                "needs a gradient of the shape of the result, got " + upstream);
        return inputs.get(by).result();
    }

    @Override
    public Value composed(List<Value> inputs) {
        return Composition.gradient(
                scan, inputs.subList(0, inputs.size() - 2), inputs.get(inputs.size() - 1), inputs.get(by));
    }

    /** Two times those of the scan: each step is taken again. */
    @Override
    public RowCost flops(List<Value> inputs, Result result) {
        RowCost steps = scan.flops(
                inputs.subList(0, inputs.size() - 2),
                inputs.get(inputs.size() - 2).result());
        return steps.plus(steps);
    }

    @Override
    public RowCost multiplications(List<Value> inputs, Result result) {
        RowCost steps = scan.multiplications(
                inputs.subList(0, inputs.size() - 2),
                inputs.get(inputs.size() - 2).result());
        return steps.plus(steps);
    }
}
