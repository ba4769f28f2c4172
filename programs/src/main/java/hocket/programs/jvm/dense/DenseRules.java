package hocket.programs.jvm.dense;

import hocket.programs.Mode;
import hocket.programs.Value;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.layers.AttentionGradient;
import hocket.programs.layers.ScanGradient;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.BatchNormGradient;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Products;
import hocket.scopes.ElementType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The computation of each operator by the {@link DenseKernels}, and common parts of its rules. */
final class DenseRules {
    /** A rule that computes an operator's result into an array. */
    @FunctionalInterface
    interface Step {
        Runnable of(DenseRules in, Value value, List<Value> inputs, float[] out);
    }

    private static final float[] NONE = {};

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
     * @param companions what is computed together with it, see {@link DenseFusion#companions}
     */
    Runnable step(DenseFusion.Node node, List<Value> companions) {
        Value value = node.value();
        float[] out = value.type() == ElementType.INT64 ? NONE : array(value);
        if (!companions.isEmpty() && value.operator() instanceof AttentionGradient gradient) {
            return DenseTable.attentionGradients(this, gradient, node.reads(), companions, out);
        }
        if (!companions.isEmpty() && value.operator() instanceof ScanGradient gradient) {
            return DenseTable.scanGradients(this, gradient, node.reads(), companions, out);
        }
        if (!companions.isEmpty()) {
            return value.operator() instanceof BatchNormGradient norm
                    ? DenseNormRules.gradients(this, norm, node.reads(), companions, out)
                    : DenseProductRules.denseWeight(this, node.reads(), array(companions.get(0)), out);
        }
        if (node.fusion() instanceof DenseFusion.Activated activated) {
            return activated(activated, node.reads(), out);
        }
        if (node.fusion() instanceof DenseFusion.Sloped sloped) {
            return DenseElementwiseRules.sloped(this, sloped, node.reads(), out);
        }
        if (node.fusion() instanceof DenseFusion.Totals totals) {
            return DenseReductionRules.totals(this, totals.axis(), node.reads().get(0), out);
        }
        return DenseTable.TABLE.require(value).of(this, value, node.reads(), out);
    }

    private Runnable activated(DenseFusion.Activated activated, List<Value> reads, float[] out) {
        Value product = activated.product();
        Operator operator = product.operator();
        if (operator instanceof Products.Convolution convolution) {
            return DenseConvolutionRules.convolution(this, convolution, product, reads, activated, out);
        } else if (operator instanceof Products.TransposedConvolution transposed) {
            return DenseConvolutionRules.transposedConvolution(this, transposed, product, reads, activated, out);
        } else if (operator instanceof BatchNorm norm) {
            return DenseNormRules.batchNorm(this, norm, product, reads, activated, out);
        }
        return DenseProductRules.dense(this, reads, activated.activation(), activated.slope(), out);
    }

    /** Returns the means and variances of a batch norm's input, channel by channel; null if no step before has them. */
    double @Nullable [][] moments(Value x) {
        return moments.get(x);
    }

    /** Makes the arrays for means and variances that a step computes. */
    double[][] newMoments(Value x) {
        double[][] both = new double[2][x.shape().get(0)];
        moments.put(x, both);
        return both;
    }
}
