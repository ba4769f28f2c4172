package hocket.programs.jvm.dense;

import hocket.programs.Mode;
import hocket.programs.Value;
import hocket.programs.jvm.kernels.Activation;
import hocket.programs.jvm.kernels.Binary;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Pooling;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import hocket.scopes.ElementType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The computation of each operator by the {@link DenseKernels}, and common parts of its rules. */
final class DenseRules {
    /** A rule that computes an operator's result into an array. */
    @FunctionalInterface
    private interface Rule<O extends Operator> {
        Runnable step(DenseRules in, O operator, Value value, List<Value> inputs, float[] out);
    }

    private static final Map<Class<? extends Operator>, Rule<?>> RULES = new HashMap<>();

    private static <O extends Operator> void rule(Class<O> operator, Rule<O> rule) {
        RULES.put(operator, rule);
    }

    static {
        rule(Products.Dense.class, (in, op, v, x, out) -> DenseProductRules.dense(in, x, Activation.NONE, 0, out));
        rule(Products.DenseInput.class, DenseProductRules::denseInput);
        rule(Products.DenseWeight.class, (in, op, v, x, out) -> DenseProductRules.denseWeight(in, x, null, out));
        rule(Products.Embedding.class, DenseProductRules::embedding);
        rule(Products.Convolution.class, DenseConvolutionRules::convolution);
        rule(Products.TransposedConvolution.class, DenseConvolutionRules::transposedConvolution);
        rule(Products.ConvolutionWeight.class, DenseConvolutionRules::weight);
        rule(
                Pooling.MaxPool.class,
                (in, op, v, x, out) -> DensePoolingRules.picked(in, op.kernel(), v, x.get(0), x.get(0), out));
        rule(
                Pooling.MaxPoolPick.class,
                (in, op, v, x, out) -> DensePoolingRules.picked(in, op.kernel(), v, x.get(0), x.get(1), out));
        rule(Pooling.MaxPoolInput.class, DensePoolingRules::maxPoolInput);
        rule(Elementwise.Unary.class, DenseElementwiseRules::unary);
        rule(
                Elementwise.LeakyRelu.class,
                (in, op, v, x, out) -> DenseElementwiseRules.each(in, Unary.LEAKY_RELU, op.slope(), 0, x, out));
        rule(
                Elementwise.Elu.class,
                (in, op, v, x, out) -> DenseElementwiseRules.each(in, Unary.ELU, op.alpha(), 0, x, out));
        rule(
                Elementwise.Scalar.class,
                (in, op, v, x, out) -> DenseElementwiseRules.each(in, Unary.AFFINE, op.scale(), op.shift(), x, out));
        rule(
                Elementwise.Clip.class,
                (in, op, v, x, out) -> DenseElementwiseRules.each(in, Unary.CLIP, op.low(), op.high(), x, out));
        rule(Elementwise.Binary.class, DenseElementwiseRules::binary);
        rule(
                Elementwise.Dropout.class,
                (in, op, v, x, out) -> DenseElementwiseRules.pair(in, Binary.MULTIPLY, v, x, out));
        rule(Elementwise.Where.class, DenseElementwiseRules::where);
        rule(Arrangement.Concat.class, DenseArrangementRules::concat);
        rule(Arrangement.Slice.class, DenseArrangementRules::slice);
        rule(Arrangement.Pad.class, DenseArrangementRules::pad);
        rule(Arrangement.Transpose.class, DenseArrangementRules::transpose);
        rule(Arrangement.Spread.class, DenseArrangementRules::spread);
        rule(Arrangement.Pick.class, DenseArrangementRules::pick);
        rule(Arrangement.OneHot.class, DenseArrangementRules::oneHot);
        rule(Reduction.Reduce.class, DenseReductionRules::reduce);
        rule(Reduction.Softmax.class, DenseReductionRules::softmax);
        rule(Reduction.CumulativeSum.class, DenseReductionRules::cumulativeSum);
        rule(BatchNorm.class, DenseReductionRules::batchNorm);
    }

    /** The mode of the program. */
    final Mode mode;

    final DenseMemory memory;
    final DenseKernels kernels;
    final DenseThreads threads;

    private final Map<Value, double[][]> moments = new HashMap<>();

    DenseRules(Mode mode, DenseMemory memory, DenseKernels kernels, DenseThreads threads) {
        this.mode = mode;
        this.memory = memory;
        this.kernels = kernels;
        this.threads = threads;
    }

    float[] array(Value value) {
        return memory.array(value);
    }

    /**
     * Returns the task that computes a value from existing arrays into its own.
     *
     * @param bias the bias gradient computed with a weight gradient; null for none
     */
    @SuppressWarnings("unchecked") // a rule is stored under the class of the operators that it takes
    Runnable step(DenseFusion.Node node, @Nullable Value bias) {
        Value value = node.value();
        if (value.type() == ElementType.INT64) {
            return DenseReductionRules.argMax(this, node.reads().get(0), memory.integers(value));
        }
        float[] out = array(value);
        if (bias != null) {
            return DenseProductRules.denseWeight(this, node.reads(), array(bias), out);
        }
        if (node.fusion() instanceof DenseFusion.Activated activated) {
            return DenseProductRules.dense(this, node.reads(), activated.activation(), activated.slope(), out);
        }
        if (node.fusion() instanceof DenseFusion.Sloped sloped) {
            return DenseElementwiseRules.sloped(this, sloped, node.reads(), out);
        }
        Rule<Operator> rule = (Rule<Operator>) RULES.get(value.operator().getClass());
        if (rule == null) {
            throw new IllegalArgumentException(
                    value + ": there is no fast kernel for " + value.operator().kind());
        }
        return rule.step(this, value.operator(), value, node.reads(), out);
    }

    /** Returns the arrays for means and variances of a batch norm that normalises by the batch. */
    double[][] momentsOf(Value norm, int channels) {
        return moments.computeIfAbsent(norm, of -> new double[2][channels]);
    }

    /** The moments that a batch norm used last. */
    void moments(Value norm, double[] mean, double[] variance) {
        double[][] both = moments.get(norm);
        if (both == null) {
            throw new IllegalStateException(norm + " does not normalise by the batch");
        }
        System.arraycopy(both[0], 0, mean, 0, mean.length);
        System.arraycopy(both[1], 0, variance, 0, variance.length);
    }
}
