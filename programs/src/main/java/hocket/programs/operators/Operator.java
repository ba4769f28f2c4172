package hocket.programs.operators;

import hocket.programs.Gradients;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * An operator, which computes a value from others: a record of its settings with all that is known of it, but for its
 * computation: number and types of inputs, shape, derivative, cost. A {@link Primitive} is computed by a rule of each
 * lowering, a {@link Composed} operator by others, a {@link FurtherResult} with the operator that has it.
 */
public sealed interface Operator permits Primitive, Composed, FurtherResult {

    /**
     * The type of the result.
     *
     * @param shape without the batch axis
     * @param batched whether there is a batch axis in front
     * @param type the type of the elements
     */
    record Result(Shape shape, boolean batched, ElementType type) {
        /** @throws IllegalArgumentException if a row, or the whole without batch axis, has more than 2147483647 bytes */
        public Result {
            shape.bytes(type);
        }
    }

    /** The name that numbers automatic values: {@code leaky_relu}, that of the record where it says nothing else. */
    default String kind() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    /** Returns its settings for people: {@code kernel 4x4 stride 2 pad 1}; empty without settings. */
    default String settings() {
        return "";
    }

    /** Returns the number of inputs; one where an operator says nothing else. */
    default Arity arity() {
        return Arity.ONE;
    }

    /**
     * The rule for shapes and types.
     *
     * @param inputs as many as {@link #arity} says
     * @throws IllegalArgumentException if the inputs do not fit, with a message that continues a path: {@code "needs
     *     rank 3, input has (64)"}
     */
    Result check(List<Value> inputs);

    /**
     * Checks number and types of inputs, and returns the type of the result.
     *
     * @throws IllegalArgumentException as {@link #check}
     */
    default Result resultOf(List<Value> inputs) {
        arity().check(kind(), inputs.size());
        return check(inputs);
    }

    /** Returns the types of results that the operator has besides its value, see {@link FurtherResult}; mostly none. */
    default List<Result> furtherResults(List<Value> inputs) {
        return List.of();
    }

    /** Returns those of the inputs that a program of this mode reads: all, where an operator says nothing else. */
    default List<Value> inputsIn(Mode mode, List<Value> inputs) {
        return inputs;
    }

    /**
     * Returns where a result is made of this input's elements as they are, and of others: for each element of a row of the
     * result its place in a row of the input, -1 for others. Null where it computes.
     */
    default int @Nullable [] sources(int input, List<Value> inputs) {
        return null;
    }

    /** Returns the exclusive upper bound of an input of indices; 0 for other inputs. */
    default int indexBound(int input, List<Value> inputs) {
        return 0;
    }

    /** Returns that bound for each element of a row of the input. */
    default int[] indexBounds(int input, List<Value> inputs) {
        int[] bounds = new int[inputs.get(input).shape().size()];
        Arrays.fill(bounds, indexBound(input, inputs));
        return bounds;
    }

    /**
     * Returns the exclusive upper bound of each element of a row of an index in the look-ups of some values; 0 where it is
     * not an index.
     */
    static int[] indexBounds(Collection<Value> values, Value index) {
        int[] bounds = new int[index.shape().size()];
        if (index.type().isFloating()) {
            return bounds;
        }
        for (Value value : values) {
            for (int i = 0; i < value.inputs().size(); i++) {
                if (value.inputs().get(i) == index) {
                    bound(bounds, values, value, i);
                }
            }
        }
        return bounds;
    }

    private static void bound(int[] bounds, Collection<Value> values, Value value, int input) {
        int[] sources = value.operator().sources(input, value.inputs());
        int[] its = sources == null ? value.operator().indexBounds(input, value.inputs()) : indexBounds(values, value);
        for (int i = 0; i < its.length; i++) {
            int at = sources == null ? i : sources[i];
            if (at >= 0 && its[i] > 0 && (bounds[at] == 0 || its[i] < bounds[at])) {
                bounds[at] = its[i];
            }
        }
    }

    /** Returns the least of these bounds; 0 where no element is an index. */
    static int least(int[] bounds) {
        return Arrays.stream(bounds).filter(bound -> bound > 0).min().orElse(0);
    }

    /** @throws IllegalArgumentException if the value is not FLOAT32 or FLOAT64: the engine would find out as it runs */
    static Value floating(Value x) {
        if (!x.type().isFloating()) {
            throw new IllegalArgumentException("needs FLOAT32 or FLOAT64, got " + x);
        }
        return x;
    }

    /** @throws IllegalArgumentException with this message, unless a rule of an operator holds */
    static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns whether a gradient flows from the result to this input. */
    default boolean differentiable(int input) {
        return true;
    }

    /**
     * Returns the gradients by some inputs, given the upstream gradient by the result. The rule writes them with operators
     * again, so that they can be differentiated in turn ({@link Gradients}). They may be larger than a broadcast input:
     * {@link Gradients} adds them up. An input that is missing in the answer gets none.
     *
     * @param result the result of this operator
     * @param upstream the gradient by it, of its shape
     * @param wanted positions of inputs that are {@linkplain #differentiable differentiable}
     */
    Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted);

    /**
     * The rule for cost: floating-point operations of the result, as its definition is written. An addition,
     * subtraction, multiplication, division, comparison or square root counts 1, so a multiply-add counts 2; a function
     * of one number, such as relu, exp or sigmoid, counts 1, whatever its cost; moving elements counts nothing. Noise
     * and masks are drawn before a program runs and count nothing; padding counts like other
     * elements. By default the {@link #multiplications}, twice.
     *
     * @param inputs the inputs of the result in the program's mode: {@link Program#inputsOf}
     * @param result the result
     */
    default RowCost flops(List<Value> inputs, Result result) {
        RowCost multiplications = multiplications(inputs, result);
        return multiplications.plus(multiplications);
    }

    /**
     * Returns the operations for the gradient by one input, given the gradient by the result: by default as many as for
     * the result, the usual estimate.
     */
    default RowCost gradientFlops(int input, List<Value> inputs, Result result) {
        return flops(inputs, result);
    }

    /** Returns the multiplications by weights among {@link #flops}, each with an addition: what threads share. */
    default RowCost multiplications(List<Value> inputs, Result result) {
        return RowCost.NONE;
    }
}
