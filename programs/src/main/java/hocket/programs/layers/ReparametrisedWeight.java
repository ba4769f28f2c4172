package hocket.programs.layers;

import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.transpose;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Value;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Products;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import java.util.Optional;

/**
 * A layer's weight with the factor of a {@link Weights.Use}: one number, or one for each entry of an axis.
 *
 * @param name the layer's name, a prefix of further parameters
 * @param weight (outputs, rest …), for a transposed convolution (inputs, outputs/groups, rest …)
 * @param groups parts into which a transposed convolution's channels are split; 0 for other layers
 */
public record ReparametrisedWeight(String name, Value weight, int groups) {
    private static final double LEAST_NORM = 1e-12;

    /** Returns the factor of each output, () or (outputs), which an output can be multiplied by in place of the weight. */
    public Optional<Value> factor(Weights.Use use) {
        if (use instanceof Weights.WeightNorm) {
            return Optional.of(gainOver(sqrt(squares())));
        }
        if (use instanceof Weights.SpectralNorm spectral) {
            return Optional.of(divide(weight.graph().constant(1), largestSingularValue(spectral.iterations())));
        }
        return Optional.empty();
    }

    /**
     * Returns the weight times its factor. Of a transposed convolution only the factors of {@link
     * Weights.WeightNormAlong} are the weight's.
     */
    public Value by(Weights.Use use) {
        if (use instanceof Weights.WeightNormAlong along) {
            return times(gainOver(sqrt(squares(along.axis()))), along.axis());
        }
        return factor(use).map(factor -> times(factor, 0)).orElse(weight);
    }

    /** Returns what a transposed convolution multiplies by, before the factor of its outputs. */
    public Value transposed(Weights.Use use) {
        return use instanceof Weights.WeightNormAlong ? by(use) : weight;
    }

    private Value gainOver(Value norms) {
        Value gain = Layers.declare(
                weight.graph(), name + "/gain", norms.shape(), Fan.NONE, Initialiser.constant(1), Kind.WEIGHT);
        return divide(gain, norms);
    }

    private Value times(Value factor, int axis) {
        if (factor.shape().rank() == 0) {
            return multiply(weight, factor);
        }
        Shape aligned =
                Shape.ones(weight.shape().rank()).with(axis, factor.shape().size());
        return multiply(weight, reshape(factor, aligned.extents()));
    }

    /** Returns the sum of squares of each entry of an axis, or of all. */
    private Value squares(int axis) {
        if (axis == Weights.WeightNormAlong.WHOLE) {
            return sum(square(weight));
        }
        Shape shape = weight.shape();
        if (axis >= shape.rank()) {
            throw new IllegalArgumentException(
                    name + ": weight norm along axis " + axis + " needs a weight that has it, got " + weight);
        }
        int extent = shape.get(axis);
        int before = 1;
        for (int i = 0; i < axis; i++) {
            before *= shape.get(i);
        }
        Value parts = reshape(square(weight), before, extent, shape.size() / before / extent);
        return sum(sum(parts, 2), 0);
    }

    /** Returns the sum of squares of each output's weights. */
    private Value squares() {
        Shape shape = weight.shape();
        int first = shape.get(0);
        if (groups == 0) {
            return sum(square(reshape(weight, first, shape.size() / first)), 1);
        }
        int outputs = shape.get(1);
        int inputs = first / groups;
        Value parts = reshape(square(weight), groups, inputs, outputs, shape.size() / first / outputs);
        return reshape(sum(sum(parts, 3), 1), groups * outputs);
    }

    /** Returns the weight as a matrix (outputs, rest). */
    private Value matrix() {
        Shape shape = weight.shape();
        if (groups == 0) {
            return shape.rank() == 2 ? weight : reshape(weight, shape.get(0), shape.size() / shape.get(0));
        }
        int outputs = shape.get(1);
        int taps = shape.size() / shape.get(0) / outputs;
        Value turned = transpose(reshape(weight, shape.get(0), outputs, taps), 1, 0, 2);
        return reshape(turned, outputs, shape.get(0) * taps);
    }

    private Value largestSingularValue(int iterations) {
        Graph graph = weight.graph();
        Value matrix = matrix();
        Value storedU = statistic("u", matrix.shape().get(0));
        Value storedV = statistic("v", matrix.shape().get(1));
        Value u = storedU;
        Value v = storedV;
        for (int i = 0; i < iterations; i++) {
            v = unit(graph.numbered(new Products.DenseInput(), u, matrix));
            u = unit(graph.numbered(new Products.Dense(), v, matrix));
        }
        u = graph.numbered(new Elementwise.Running(), u, storedU, weight);
        v = graph.numbered(new Elementwise.Running(), v, storedV, weight);
        return sum(multiply(u, graph.numbered(new Products.Dense(), v, matrix)));
    }

    private Value statistic(String part, int extent) {
        return Layers.declare(
                weight.graph(),
                name + "/" + part,
                Shape.of(extent),
                Fan.NONE,
                Initialiser.orthogonal(1),
                Kind.RUNNING_STATISTIC);
    }

    private static Value unit(Value x) {
        return divide(x, maximum(sqrt(sum(square(x))), x.graph().constant(LEAST_NORM)));
    }
}
