package hocket.programs.operators;

import hocket.programs.Gradients;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Locale;

/**
 * An operator, which computes a value from others: a record of its settings with the rules for shape, derivative and
 * cost. Each lowering has a table with one computation rule for each operator. The rule for the derivative writes it
 * with operators again, so that it can be differentiated in turn ({@link Gradients}).
 */
public sealed interface Operator
        permits Leaf.Input,
                Leaf.Noise,
                Leaf.Variable,
                Leaf.Constant,
                Elementwise.Unary,
                Elementwise.LeakyRelu,
                Elementwise.Elu,
                Elementwise.Scalar,
                Elementwise.Binary,
                Elementwise.Where,
                Elementwise.Clip,
                Elementwise.Dropout,
                Elementwise.ByMode,
                Elementwise.Running,
                Elementwise.StopGradient,
                Products.Dense,
                Products.DenseInput,
                Products.DenseWeight,
                Products.Convolution,
                Products.TransposedConvolution,
                Products.ConvolutionWeight,
                Products.Embedding,
                Arrangement.Reshape,
                Arrangement.Concat,
                Arrangement.Slice,
                Arrangement.Transpose,
                Arrangement.Pad,
                Arrangement.Spread,
                Arrangement.Pick,
                Arrangement.OneHot,
                Reduction.Reduce,
                Reduction.ArgMax,
                Reduction.Softmax,
                Reduction.CumulativeSum,
                Pooling.MaxPool,
                Pooling.MaxPoolInput,
                Pooling.MaxPoolPick,
                BatchNorm {

    /**
     * The type of the result.
     *
     * @param shape without the batch axis
     * @param batched whether there is a batch axis in front
     * @param type the type of the elements
     */
    record Result(Shape shape, boolean batched, ElementType type) {}

    /** The name that numbers automatic values: {@code leaky_relu}, that of the record where it says nothing else. */
    default String kind() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    /** Returns its settings for people: {@code kernel 4x4 stride 2 pad 1}; empty without settings. */
    default String settings() {
        return "";
    }

    /**
     * The rule for shapes and types: those of the first input, which must be floating, where a rule says nothing else.
     *
     * @throws IllegalArgumentException if the inputs do not fit, with a message that continues a path: {@code "needs
     *     rank 3, input has (64)"}
     */
    default Result infer(List<Value> inputs) {
        return floating(inputs.get(0)).result();
    }

    /** @throws IllegalArgumentException if the value is not FLOAT32 or FLOAT64: the engine would find out as it runs */
    static Value floating(Value x) {
        if (!x.type().isFloating()) {
            throw new IllegalArgumentException("needs FLOAT32 or FLOAT64, got " + x);
        }
        return x;
    }

    /** Returns whether a gradient flows from the result to this input. */
    default boolean differentiable(int input) {
        return true;
    }

    /**
     * Returns the gradient by one input, given the upstream gradient by the result. It may be larger than a broadcast
     * input: {@link Gradients} adds it up.
     *
     * @param input position of an input that is {@linkplain #differentiable differentiable}
     * @param result the result of this operator
     * @param upstream the gradient by it, of its shape
     */
    default Value gradient(int input, Value result, Value upstream) {
        throw new IllegalArgumentException(result + ": no gradient flows through " + kind());
    }

    /**
     * The rule for cost: floating-point operations of the result, as its definition is written. An addition,
     * subtraction, multiplication, division, comparison or square root counts 1, so a multiply-add counts 2; a function
     * of one number, such as relu, exp or sigmoid, counts 1, whatever its cost; moving elements counts nothing. Noise
     * and masks are drawn before a program runs and count nothing, the default of a rule; padding counts like other
     * elements.
     *
     * @param inputs the inputs of the result in the program's mode: {@link Program#inputsOf}
     * @param result the result
     */
    default RowCost flops(List<Value> inputs, Result result) {
        return RowCost.NONE;
    }

    /**
     * Returns the operations for the gradient by one input, given the gradient by the result: by default as many as for
     * the result, the usual estimate.
     */
    default RowCost gradientFlops(int input, List<Value> inputs, Result result) {
        return flops(inputs, result);
    }
}
