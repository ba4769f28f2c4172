package hocket.programs.jvm;

import hocket.programs.execution.RuleTable;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Gathering;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Matmul;
import hocket.programs.operators.Pooling;
import hocket.programs.operators.Primitive;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import org.jspecify.annotations.Nullable;

/** The {@link PlainRules} of each operator. */
final class PlainTable implements Primitive.Rules<PlainRules.Step> {
    static final RuleTable<PlainRules.Step> TABLE = new RuleTable<>(new PlainTable())
            .with(
                    Gathering.Gather.class,
                    operator -> (in, v, x, out) -> PlainReductionRules.gather(in, operator, v, x, out))
            .with(
                    Gathering.ScatterAdd.class,
                    operator -> (in, v, x, out) -> PlainReductionRules.scatterAdd(in, operator, v, x, out))
            .with(
                    Gathering.EmbeddingWeight.class,
                    operator -> (in, v, x, out) -> PlainReductionRules.embeddingWeight(in, operator, v, x, out));

    private PlainTable() {}

    @Override
    public PlainRules.@Nullable Step leaf(Leaf leaf) {
        return leaf instanceof Leaf.Constant constant ? (in, v, x, out) -> PlainRules.constant(constant, v, out) : null;
    }

    @Override
    public PlainRules.Step unary(Elementwise.Unary operator) {
        return (in, v, x, out) -> in.each(x, out, PlainRules.function(operator.function()));
    }

    @Override
    public PlainRules.Step leakyRelu(Elementwise.LeakyRelu operator) {
        return (in, v, x, out) -> in.each(x, out, a -> a > 0 ? a : operator.slope() * a);
    }

    @Override
    public PlainRules.Step elu(Elementwise.Elu operator) {
        return (in, v, x, out) -> in.each(x, out, a -> a > 0 ? a : operator.alpha() * StrictMath.expm1(a));
    }

    @Override
    public PlainRules.Step scalar(Elementwise.Scalar operator) {
        return (in, v, x, out) -> in.each(x, out, a -> operator.scale() * a + operator.shift());
    }

    @Override
    public PlainRules.Step binary(Elementwise.Binary operator) {
        return (in, v, x, out) -> PlainRules.binary(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step where(Elementwise.Where operator) {
        return (in, v, x, out) -> PlainRules.where(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step clip(Elementwise.Clip operator) {
        return (in, v, x, out) -> in.each(x, out, a -> Math.min(Math.max(a, operator.low()), operator.high()));
    }

    @Override
    public PlainRules.Step dropout(Elementwise.Dropout operator) {
        return (in, v, x, out) -> PlainRules.dropout(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step byMode(Elementwise.ByMode operator) {
        return (in, v, x, out) -> in.moved(x.get(0), out, PlainRules.identity(out.length));
    }

    @Override
    public PlainRules.Step running(Elementwise.Running operator) {
        return (in, v, x, out) -> in.moved(x.get(0), out, PlainRules.identity(out.length));
    }

    @Override
    public PlainRules.Step stopGradient(Elementwise.StopGradient operator) {
        return (in, v, x, out) -> in.moved(x.get(0), out, PlainRules.identity(out.length));
    }

    @Override
    public PlainRules.Step dense(Products.Dense operator) {
        return (in, v, x, out) -> PlainProductRules.dense(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step denseInput(Products.DenseInput operator) {
        return (in, v, x, out) -> PlainProductRules.denseInput(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step denseWeight(Products.DenseWeight operator) {
        return (in, v, x, out) -> PlainProductRules.denseWeight(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step convolution(Products.Convolution operator) {
        return (in, v, x, out) -> PlainProductRules.convolution(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step transposedConvolution(Products.TransposedConvolution operator) {
        return (in, v, x, out) -> PlainProductRules.transposedConvolution(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step convolutionWeight(Products.ConvolutionWeight operator) {
        return (in, v, x, out) -> PlainProductRules.convolutionWeight(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step embedding(Products.Embedding operator) {
        return (in, v, x, out) -> PlainProductRules.embedding(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step matmul(Matmul operator) {
        return (in, v, x, out) -> PlainProductRules.matmul(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step reshape(Arrangement.Reshape operator) {
        return (in, v, x, out) -> in.moved(x.get(0), out, PlainRules.identity(out.length));
    }

    @Override
    public PlainRules.Step concat(Arrangement.Concat operator) {
        return (in, v, x, out) -> PlainRules.concat(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step slice(Arrangement.Slice operator) {
        return (in, v, x, out) -> PlainRules.slice(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step transpose(Arrangement.Transpose operator) {
        return (in, v, x, out) -> PlainRules.transpose(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step pad(Arrangement.Pad operator) {
        return (in, v, x, out) -> PlainRules.pad(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step spread(Arrangement.Spread operator) {
        return (in, v, x, out) -> PlainRules.spread(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step pick(Arrangement.Pick operator) {
        return (in, v, x, out) -> PlainRules.pick(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step oneHot(Arrangement.OneHot operator) {
        return (in, v, x, out) -> PlainRules.oneHot(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step reduce(Reduction.Reduce operator) {
        return (in, v, x, out) -> PlainReductionRules.reduce(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step argMax(Reduction.ArgMax operator) {
        return (in, v, x, out) -> PlainReductionRules.argMax(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step argSort(Reduction.ArgSort operator) {
        return (in, v, x, out) -> PlainReductionRules.argSort(in, operator, x, out);
    }

    @Override
    public PlainRules.Step softmax(Reduction.Softmax operator) {
        return (in, v, x, out) -> PlainReductionRules.softmax(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step cumulativeSum(Reduction.CumulativeSum operator) {
        return (in, v, x, out) -> PlainReductionRules.cumulativeSum(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step maxPool(Pooling.MaxPool operator) {
        return (in, v, x, out) -> PlainReductionRules.picked(in, operator.kernel(), v, x.get(0), x.get(0), out);
    }

    @Override
    public PlainRules.Step maxPoolInput(Pooling.MaxPoolInput operator) {
        return (in, v, x, out) -> PlainReductionRules.maxPoolInput(in, operator, v, x, out);
    }

    @Override
    public PlainRules.Step maxPoolPick(Pooling.MaxPoolPick operator) {
        return (in, v, x, out) -> PlainReductionRules.picked(in, operator.kernel(), v, x.get(0), x.get(1), out);
    }

    @Override
    public PlainRules.Step batchNorm(BatchNorm operator) {
        return (in, v, x, out) -> PlainReductionRules.batchNorm(in, operator, v, x, out);
    }
}
