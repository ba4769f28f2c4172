package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.execution.RuleTable;
import hocket.programs.jvm.kernels.Activation;
import hocket.programs.jvm.kernels.Binary;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.layers.Attention;
import hocket.programs.layers.AttentionGradient;
import hocket.programs.layers.Scan;
import hocket.programs.layers.ScanGradient;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.BatchNormGradient;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Gathering;
import hocket.programs.operators.Gelu;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Matmul;
import hocket.programs.operators.Normalised;
import hocket.programs.operators.Pooling;
import hocket.programs.operators.Primitive;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@link DenseRules} of each operator. A compiled program has none of those without a rule: a mode takes one of their
 * inputs, or they share its array.
 */
final class DenseTable implements Primitive.Rules<DenseRules.Step> {
    static final RuleTable<DenseRules.Step> TABLE = new RuleTable<>(new DenseTable())
            .with(BatchNormGradient.ByInput.class, DenseTable::normGradient)
            .with(BatchNormGradient.ByScale.class, DenseTable::normGradient)
            .with(BatchNormGradient.ByRowScale.class, DenseTable::normGradient)
            .with(Gelu.class, operator -> (in, v, x, out) -> DenseElementwiseRules.gelu(in, x.get(0), out))
            .with(
                    Gelu.Gradient.class,
                    operator -> (in, v, x, out) -> DenseElementwiseRules.geluGradient(in, x.get(0), x.get(1), out))
            .with(
                    Normalised.class,
                    operator -> (in, v, x, out) -> DenseNormRules.normalised(in, operator, v, x.get(0), null, out))
            .with(
                    Normalised.Gradient.class,
                    operator -> (in, v, x, out) ->
                            DenseNormRules.normalised(in, operator.norm(), v, x.get(0), x.get(1), out))
            .with(
                    Gathering.Gather.class,
                    operator -> (in, v, x, out) -> DenseGatheringRules.gather(in, operator, v, x, out))
            .with(
                    Gathering.ScatterAdd.class,
                    operator -> (in, v, x, out) -> DenseGatheringRules.scatterAdd(in, operator, v, x, out))
            .with(
                    Gathering.EmbeddingWeight.class,
                    operator -> (in, v, x, out) -> DenseGatheringRules.embeddingWeight(in, v, x, out))
            .with(
                    Attention.class,
                    operator -> operator.biased()
                            ? null
                            : (in, v, x, out) -> DenseAttentionRules.attention(in, operator, v, x, out))
            .with(
                    AttentionGradient.class,
                    operator -> operator.attention().biased()
                            ? null
                            : (in, v, x, out) -> attentionGradients(in, operator, x, List.of(), out))
            .with(Scan.class, operator -> (in, v, x, out) -> DenseScanRules.scan(in, operator, x, out))
            .with(ScanGradient.class, operator -> (in, v, x, out) -> scanGradients(in, operator, x, List.of(), out));

    private DenseTable() {}

    private static DenseRules.Step normGradient(BatchNormGradient norm) {
        return (in, v, x, out) -> DenseNormRules.gradients(in, norm, x, List.of(), out);
    }

    /** Returns the step of a gradient of an attention, and of others of the same. */
    static Runnable attentionGradients(
            DenseRules in, AttentionGradient gradient, List<Value> inputs, List<Value> companions, float[] out) {
        float[] @Nullable [] outs = new float[AttentionGradient.By.values().length][];
        outs[gradient.by().ordinal()] = out;
        for (Value other : companions) {
            outs[((AttentionGradient) other.operator()).by().ordinal()] = in.array(other);
        }
        return DenseAttentionRules.gradients(in, gradient.attention(), inputs, outs);
    }

    /** Returns the step of a gradient of a scan, and of others of the same. */
    static Runnable scanGradients(
            DenseRules in, ScanGradient gradient, List<Value> inputs, List<Value> companions, float[] out) {
        float[] @Nullable [] outs = new float[gradient.scan().arity().most()][];
        outs[gradient.by()] = out;
        for (Value other : companions) {
            outs[((ScanGradient) other.operator()).by()] = in.array(other);
        }
        return DenseScanRules.gradients(in, gradient.scan(), inputs, outs);
    }

    @Override
    public DenseRules.@Nullable Step leaf(Leaf leaf) {
        return null;
    }

    @Override
    public DenseRules.Step unary(Elementwise.Unary operator) {
        return (in, v, x, out) -> DenseElementwiseRules.unary(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step leakyRelu(Elementwise.LeakyRelu operator) {
        return (in, v, x, out) -> DenseElementwiseRules.each(in, Unary.LEAKY_RELU, operator.slope(), 0, x, out);
    }

    @Override
    public DenseRules.Step elu(Elementwise.Elu operator) {
        return (in, v, x, out) -> DenseElementwiseRules.each(in, Unary.ELU, operator.alpha(), 0, x, out);
    }

    @Override
    public DenseRules.Step scalar(Elementwise.Scalar operator) {
        return (in, v, x, out) ->
                DenseElementwiseRules.each(in, Unary.AFFINE, operator.scale(), operator.shift(), x, out);
    }

    @Override
    public DenseRules.Step binary(Elementwise.Binary operator) {
        return (in, v, x, out) -> DenseElementwiseRules.binary(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step where(Elementwise.Where operator) {
        return (in, v, x, out) -> DenseElementwiseRules.where(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step clip(Elementwise.Clip operator) {
        return (in, v, x, out) -> DenseElementwiseRules.each(in, Unary.CLIP, operator.low(), operator.high(), x, out);
    }

    @Override
    public DenseRules.Step dropout(Elementwise.Dropout operator) {
        return (in, v, x, out) -> DenseElementwiseRules.pair(in, Binary.MULTIPLY, v, x, out);
    }

    @Override
    public DenseRules.@Nullable Step byMode(Elementwise.ByMode operator) {
        return null;
    }

    @Override
    public DenseRules.@Nullable Step running(Elementwise.Running operator) {
        return null;
    }

    @Override
    public DenseRules.@Nullable Step stopGradient(Elementwise.StopGradient operator) {
        return null;
    }

    @Override
    public DenseRules.Step dense(Products.Dense operator) {
        return (in, v, x, out) -> DenseProductRules.dense(in, x, Activation.NONE, 0, out);
    }

    @Override
    public DenseRules.Step denseInput(Products.DenseInput operator) {
        return (in, v, x, out) -> DenseProductRules.denseInput(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step denseWeight(Products.DenseWeight operator) {
        return (in, v, x, out) -> DenseProductRules.denseWeight(in, x, null, out);
    }

    @Override
    public DenseRules.Step convolution(Products.Convolution operator) {
        return (in, v, x, out) -> DenseConvolutionRules.convolution(in, operator, v, x, null, out);
    }

    @Override
    public DenseRules.Step transposedConvolution(Products.TransposedConvolution operator) {
        return (in, v, x, out) -> DenseConvolutionRules.transposedConvolution(in, operator, v, x, null, out);
    }

    @Override
    public DenseRules.Step convolutionWeight(Products.ConvolutionWeight operator) {
        return (in, v, x, out) -> DenseConvolutionRules.weight(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step embedding(Products.Embedding operator) {
        return (in, v, x, out) -> DenseGatheringRules.embedding(in, v, x, out);
    }

    @Override
    public DenseRules.Step matmul(Matmul operator) {
        return (in, v, x, out) -> DenseProductRules.matmul(in, operator, v, x, out);
    }

    @Override
    public DenseRules.@Nullable Step reshape(Arrangement.Reshape operator) {
        return null;
    }

    @Override
    public DenseRules.Step concat(Arrangement.Concat operator) {
        return (in, v, x, out) -> DenseArrangementRules.concat(in, operator, v, x);
    }

    @Override
    public DenseRules.Step slice(Arrangement.Slice operator) {
        return (in, v, x, out) -> DenseArrangementRules.slice(in, operator, v, x);
    }

    @Override
    public DenseRules.Step transpose(Arrangement.Transpose operator) {
        return (in, v, x, out) -> DenseArrangementRules.transpose(in, operator, v, x);
    }

    @Override
    public DenseRules.Step pad(Arrangement.Pad operator) {
        return (in, v, x, out) -> DenseArrangementRules.pad(in, operator, v, x);
    }

    @Override
    public DenseRules.Step spread(Arrangement.Spread operator) {
        return (in, v, x, out) -> DenseArrangementRules.spread(in, operator, v, x);
    }

    @Override
    public DenseRules.Step pick(Arrangement.Pick operator) {
        return (in, v, x, out) -> DenseGatheringRules.pick(in, x, out);
    }

    @Override
    public DenseRules.Step oneHot(Arrangement.OneHot operator) {
        return (in, v, x, out) -> DenseGatheringRules.oneHot(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step reduce(Reduction.Reduce operator) {
        return (in, v, x, out) -> DenseReductionRules.reduce(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step argMax(Reduction.ArgMax operator) {
        return (in, v, x, out) -> DenseReductionRules.argMax(in, x.get(0), in.memory.integers(v));
    }

    @Override
    public DenseRules.Step argSort(Reduction.ArgSort operator) {
        return (in, v, x, out) -> DenseReductionRules.argSort(in, operator, x.get(0), in.memory.integers(v));
    }

    @Override
    public DenseRules.Step softmax(Reduction.Softmax operator) {
        return (in, v, x, out) -> DenseReductionRules.softmax(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step cumulativeSum(Reduction.CumulativeSum operator) {
        return (in, v, x, out) -> DenseReductionRules.cumulativeSum(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step maxPool(Pooling.MaxPool operator) {
        return (in, v, x, out) -> DensePoolingRules.picked(in, operator.kernel(), v, x.get(0), x.get(0), out);
    }

    @Override
    public DenseRules.Step maxPoolInput(Pooling.MaxPoolInput operator) {
        return (in, v, x, out) -> DensePoolingRules.maxPoolInput(in, operator, v, x, out);
    }

    @Override
    public DenseRules.Step maxPoolPick(Pooling.MaxPoolPick operator) {
        return (in, v, x, out) -> DensePoolingRules.picked(in, operator.kernel(), v, x.get(0), x.get(1), out);
    }

    @Override
    public DenseRules.Step batchNorm(BatchNorm operator) {
        return (in, v, x, out) -> DenseNormRules.batchNorm(in, operator, v, x, null, out);
    }
}
