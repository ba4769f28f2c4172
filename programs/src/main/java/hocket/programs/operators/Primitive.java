package hocket.programs.operators;

import hocket.programs.Value;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An operator that each lowering computes by a rule of its own. A new one is a record with its line in {@link Rules}: the
 * compiler then names the lowerings whose tables lack its rule.
 */
public sealed interface Primitive extends Operator
        permits Leaf,
                Elementwise.OneOperation,
                Elementwise.Scalar,
                Elementwise.Clip,
                Elementwise.Dropout,
                Elementwise.ByMode,
                Elementwise.Running,
                Elementwise.StopGradient,
                Products.WithBias,
                Products.DenseInput,
                Products.DenseWeight,
                Products.ConvolutionWeight,
                Products.Embedding,
                Matmul,
                Arrangement.Moving,
                Arrangement.Pick,
                Arrangement.OneHot,
                Reduction.Reduce,
                Reduction.ArgMax,
                Reduction.ArgSort,
                Reduction.Softmax,
                Reduction.CumulativeSum,
                Pooling.OfWindows,
                BatchNorm {

    /**
     * A lowering's rules. A rule is null where the lowering has none: it then refuses programs with this operator.
     *
     * @param <R> what a rule is
     */
    interface Rules<R> {
        /** The rule for values that are not computed. */
        @Nullable
        R leaf(Leaf leaf);

        @Nullable
        R unary(Elementwise.Unary operator);

        @Nullable
        R leakyRelu(Elementwise.LeakyRelu operator);

        @Nullable
        R elu(Elementwise.Elu operator);

        @Nullable
        R scalar(Elementwise.Scalar operator);

        @Nullable
        R binary(Elementwise.Binary operator);

        @Nullable
        R where(Elementwise.Where operator);

        @Nullable
        R clip(Elementwise.Clip operator);

        @Nullable
        R dropout(Elementwise.Dropout operator);

        @Nullable
        R byMode(Elementwise.ByMode operator);

        @Nullable
        R running(Elementwise.Running operator);

        @Nullable
        R stopGradient(Elementwise.StopGradient operator);

        @Nullable
        R dense(Products.Dense operator);

        @Nullable
        R denseInput(Products.DenseInput operator);

        @Nullable
        R denseWeight(Products.DenseWeight operator);

        @Nullable
        R convolution(Products.Convolution operator);

        @Nullable
        R transposedConvolution(Products.TransposedConvolution operator);

        @Nullable
        R convolutionWeight(Products.ConvolutionWeight operator);

        @Nullable
        R embedding(Products.Embedding operator);

        @Nullable
        R matmul(Matmul operator);

        @Nullable
        R reshape(Arrangement.Reshape operator);

        @Nullable
        R concat(Arrangement.Concat operator);

        @Nullable
        R slice(Arrangement.Slice operator);

        @Nullable
        R transpose(Arrangement.Transpose operator);

        @Nullable
        R pad(Arrangement.Pad operator);

        @Nullable
        R spread(Arrangement.Spread operator);

        @Nullable
        R pick(Arrangement.Pick operator);

        @Nullable
        R oneHot(Arrangement.OneHot operator);

        @Nullable
        R reduce(Reduction.Reduce operator);

        @Nullable
        R argMax(Reduction.ArgMax operator);

        @Nullable
        R argSort(Reduction.ArgSort operator);

        @Nullable
        R softmax(Reduction.Softmax operator);

        @Nullable
        R cumulativeSum(Reduction.CumulativeSum operator);

        @Nullable
        R maxPool(Pooling.MaxPool operator);

        @Nullable
        R maxPoolInput(Pooling.MaxPoolInput operator);

        @Nullable
        R maxPoolPick(Pooling.MaxPoolPick operator);

        @Nullable
        R batchNorm(BatchNorm operator);
    }

    /** Returns this operator's rule. */
    <R> @Nullable R rule(Rules<R> rules);

    /** The type of the first input, which must be floating, where an operator says nothing else. */
    @Override
    default Result check(List<Value> inputs) {
        return Operator.floating(inputs.get(0)).result();
    }

    /** Each by {@link #gradient}, where an operator has nothing to share among them. */
    @Override
    default Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted) {
        Map<Integer, Value> gradients = new TreeMap<>();
        wanted.forEach(input -> gradients.put(input, gradient(input, result, upstream)));
        return gradients;
    }

    /** Returns the gradient by one input. */
    default Value gradient(int input, Value result, Value upstream) {
        throw new IllegalArgumentException(result + ": no gradient flows through " + kind());
    }
}
