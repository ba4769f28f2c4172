package hocket.programs.mxnet;

import static hocket.programs.mxnet.Idioms.cast;
import static hocket.programs.mxnet.Idioms.flag;
import static hocket.programs.mxnet.Idioms.input;

import hocket.programs.execution.RuleTable;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Matmul;
import hocket.programs.operators.Pooling;
import hocket.programs.operators.Primitive;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import hocket.scopes.ElementType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@link Rules} of each operator. The engine derives the gradients. */
final class EngineTable implements Primitive.Rules<Rules.Rule> {
    static final RuleTable<Rules.Rule> TABLE = new RuleTable<>(new EngineTable());

    private EngineTable() {}

    @Override
    public Rules.@Nullable Rule leaf(Leaf leaf) {
        return null;
    }

    @Override
    public Rules.Rule unary(Elementwise.Unary operator) {
        return (to, v) -> ElementwiseRules.unary(to, v, operator);
    }

    @Override
    public Rules.Rule leakyRelu(Elementwise.LeakyRelu operator) {
        return (to, v) -> ElementwiseRules.leakyRelu(to, v, operator);
    }

    @Override
    public Rules.Rule elu(Elementwise.Elu operator) {
        return (to, v) -> ElementwiseRules.elu(to, v, operator);
    }

    @Override
    public Rules.Rule scalar(Elementwise.Scalar operator) {
        return (to, v) -> ElementwiseRules.scalar(to, v, operator);
    }

    @Override
    public Rules.Rule binary(Elementwise.Binary operator) {
        return (to, v) -> ElementwiseRules.binary(to, v, operator);
    }

    @Override
    public Rules.Rule where(Elementwise.Where operator) {
        return (to, v) -> ElementwiseRules.where(to, v, operator);
    }

    @Override
    public Rules.Rule clip(Elementwise.Clip operator) {
        return (to, v) -> ElementwiseRules.clip(to, v, operator);
    }

    @Override
    public Rules.Rule dropout(Elementwise.Dropout operator) {
        return (to, v) -> ElementwiseRules.dropout(to, v, operator);
    }

    @Override
    public Rules.Rule byMode(Elementwise.ByMode operator) {
        return (to, v) -> Rules.taken(to, v);
    }

    @Override
    public Rules.Rule running(Elementwise.Running operator) {
        return (to, v) -> to.operator("BlockGrad", v, "", Rules.taken(to, v));
    }

    @Override
    public Rules.Rule stopGradient(Elementwise.StopGradient operator) {
        return (to, v) -> to.operator("BlockGrad", v, "", input(to, v, 0));
    }

    @Override
    public Rules.Rule dense(Products.Dense operator) {
        return (to, v) -> ProductRules.dense(to, v, operator);
    }

    @Override
    public Rules.Rule denseInput(Products.DenseInput operator) {
        return (to, v) -> ProductRules.denseInput(to, v, operator);
    }

    @Override
    public Rules.Rule denseWeight(Products.DenseWeight operator) {
        return (to, v) -> ProductRules.denseWeight(to, v, operator);
    }

    @Override
    public Rules.Rule convolution(Products.Convolution operator) {
        return (to, v) -> ProductRules.convolution(to, v, operator);
    }

    @Override
    public Rules.Rule transposedConvolution(Products.TransposedConvolution operator) {
        return (to, v) -> ProductRules.transposedConvolution(to, v, operator);
    }

    @Override
    public Rules.Rule convolutionWeight(Products.ConvolutionWeight operator) {
        return (to, v) -> ProductRules.convolutionWeight(to, v, operator);
    }

    @Override
    public Rules.Rule embedding(Products.Embedding operator) {
        return (to, v) -> ProductRules.embedding(to, v, operator);
    }

    @Override
    public Rules.Rule matmul(Matmul operator) {
        return (to, v) -> ProductRules.matmul(to, v, operator);
    }

    @Override
    public Rules.Rule reshape(Arrangement.Reshape operator) {
        return (to, v) -> Rules.reshaped(to, v, operator);
    }

    @Override
    public Rules.Rule concat(Arrangement.Concat operator) {
        return (to, v) -> Rules.concat(to, v, operator);
    }

    @Override
    public Rules.Rule slice(Arrangement.Slice operator) {
        return (to, v) -> Rules.slice(to, v, operator);
    }

    @Override
    public Rules.Rule transpose(Arrangement.Transpose operator) {
        return (to, v) -> Rules.transpose(to, v, operator);
    }

    @Override
    public Rules.Rule pad(Arrangement.Pad operator) {
        return (to, v) -> Rules.pad(to, v, operator);
    }

    @Override
    public Rules.Rule spread(Arrangement.Spread operator) {
        return (to, v) -> Rules.spread(to, v, operator);
    }

    @Override
    public Rules.Rule pick(Arrangement.Pick operator) {
        return (to, v) -> to.operator("pick", v, "", Map.of("axis", "-1"), input(to, v, 0), input(to, v, 1));
    }

    @Override
    public Rules.Rule oneHot(Arrangement.OneHot operator) {
        return (to, v) -> Rules.oneHot(to, v, operator);
    }

    @Override
    public Rules.Rule reduce(Reduction.Reduce operator) {
        return (to, v) -> Rules.reduce(to, v, operator);
    }

    @Override
    public Rules.Rule argMax(Reduction.ArgMax operator) {
        return (to, v) -> cast(
                to, v, ElementType.INT64, to.operator("argmax", v, "index", Map.of("axis", "-1"), input(to, v, 0)));
    }

    @Override
    public Rules.Rule argSort(Reduction.ArgSort operator) {
        return (to, v) -> {
            Map<String, String> attributes = Map.of(
                    "axis", Integer.toString(to.axis(v, operator.axis())),
                    "is_ascend", flag(!operator.descending()),
                    "dtype", "int64");
            // What is not a number has no place in the engine's order.
            Ref x = input(to, v, 0);
            Ref number = to.operator("broadcast_equal", v, "number", x, x);
            Ref zeros = to.operator("zeros_like", v, "zeros", x);
            Ref large = to.operator("_plus_scalar", v, "large", Map.of("scalar", "1000"), zeros);
            Ref infinite = to.operator("exp", v, "infinite", large); // the engine reads no infinite scalar
            return to.operator("argsort", v, "", attributes, to.operator("where", v, "sorted", number, x, infinite));
        };
    }

    @Override
    public Rules.Rule softmax(Reduction.Softmax operator) {
        return (to, v) -> Rules.softmax(to, v, operator);
    }

    @Override
    public Rules.Rule cumulativeSum(Reduction.CumulativeSum operator) {
        return (to, v) -> Rules.cumulativeSum(to, v, operator);
    }

    @Override
    public Rules.Rule maxPool(Pooling.MaxPool operator) {
        return (to, v) -> PoolingRules.maxPool(to, v, operator);
    }

    @Override
    public Rules.Rule maxPoolInput(Pooling.MaxPoolInput operator) {
        return (to, v) -> PoolingRules.maxPoolInput(to, v, operator);
    }

    @Override
    public Rules.Rule maxPoolPick(Pooling.MaxPoolPick operator) {
        return (to, v) -> PoolingRules.maxPoolPick(to, v, operator);
    }

    @Override
    public Rules.Rule batchNorm(BatchNorm operator) {
        return (to, v) -> Rules.batchNorm(to, v, operator);
    }
}
