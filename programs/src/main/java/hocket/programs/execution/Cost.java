package hocket.programs.execution;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The cost of a program, counted by the rules of its {@linkplain Operator#flops operators} and not measured: a pure
 * function of the program and of the weights whose gradients are computed.
 *
 * @param lines for each value that is not a parameter, in the program's order
 * @param parameters numbers in the store that it reads
 * @param parameterBytes their bytes
 */
public record Cost(List<Line> lines, long parameters, long parameterBytes) {
    /**
     * The cost of one value.
     *
     * @param forward floating-point operations to compute it
     * @param backward floating-point operations for the gradients by those inputs through which a gradient reaches a
     *     requested weight
     * @param bytes of memory that hold it
     */
    public record Line(Value value, RowCost forward, RowCost backward, RowCost bytes) {}

    public Cost {
        lines = List.copyOf(lines);
    }

    /**
     * The cost of a program.
     *
     * @param gradients stored paths of weights for which to compute gradients; none for a forward pass alone. Paths
     *     that the gradient does not reach cost nothing
     */
    public static Cost of(Program program, Set<Path> gradients) {
        Set<Value> wanted = wanted(program, gradients);
        List<Line> lines = new ArrayList<>();
        long parameters = 0;
        long parameterBytes = 0;
        for (Value value : program.values()) {
            if (value.operator() instanceof Leaf.Variable) {
                parameters += value.shape().size();
                parameterBytes += value.shape().bytes(value.type());
            } else {
                lines.add(new Line(
                        value,
                        value.operator().flops(program.inputsOf(value), value.result()),
                        backward(program, value, wanted),
                        RowCost.each(value.result(), value.type().bytes())));
            }
        }
        return new Cost(lines, parameters, parameterBytes);
    }

    /** Returns the values through which a gradient flows: the weights and differentiable results of them. */
    private static Set<Value> wanted(Program program, Set<Path> gradients) {
        Set<Value> wanted = new HashSet<>();
        for (Value value : program.values()) {
            boolean weight = value.operator() instanceof Leaf.Variable parameter
                    && parameter.declaration().kind() == Kind.WEIGHT
                    && gradients.contains(program.stored(value.path()));
            if (weight || program.differentiableInputsOf(value).stream().anyMatch(wanted::contains)) {
                wanted.add(value);
            }
        }
        wanted.retainAll(program.reachedValues());
        return wanted;
    }

    private static RowCost backward(Program program, Value value, Set<Value> wanted) {
        RowCost sum = RowCost.NONE;
        List<Value> inputs = program.inputsOf(value);
        for (int i = 0; i < inputs.size(); i++) {
            if (wanted.contains(value)
                    && wanted.contains(inputs.get(i))
                    && value.operator().differentiable(i)) {
                sum = sum.plus(value.operator().gradientFlops(i, inputs, value.result()));
            }
        }
        return sum;
    }

    /** Floating-point operations of all values. */
    public RowCost forward() {
        return lines.stream().map(Line::forward).reduce(RowCost.NONE, RowCost::plus);
    }

    /** Floating-point operations of all gradients. Sums of gradients of values that are used twice are not counted. */
    public RowCost backward() {
        return lines.stream().map(Line::backward).reduce(RowCost.NONE, RowCost::plus);
    }

    /** Returns the bytes of all values, each with its own memory: training keeps most of them for the backward pass. */
    public RowCost bytes() {
        return lines.stream().map(Line::bytes).reduce(RowCost.NONE, RowCost::plus);
    }
}
