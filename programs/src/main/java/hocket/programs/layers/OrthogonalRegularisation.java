package hocket.programs.layers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Products;
import hocket.scopes.Declaration;
import hocket.scopes.Selection;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;

/**
 * Orthogonal regularisation, a term of a loss: {@code beta·‖G ∘ (1 - I)‖²} of a weight's Gram matrix {@code G = W·Wᵀ}
 * (Brock et al. 2019, equation 3, which leaves the diagonal free), W read as (first extent, rest). Those are outputs, and inputs of
 * a transposed convolution, as in their code.
 *
 * <p>The gradient is {@code 4·beta·(G ∘ (1 - I))·W}. BigGAN's and StudioGAN's code adds half of that to the gradients:
 * their strength of 1e-4 is a beta of 0.5e-4.
 *
 * @param beta the factor
 * @param diagonal whether the diagonal counts too: {@code beta·‖G - I‖²} (Brock et al. 2017)
 * @param columns whether {@code G = Wᵀ·W}, of the weight's columns
 */
public record OrthogonalRegularisation(double beta, boolean diagonal, boolean columns)
        implements OrthogonalRegularisationCopies {
    /** @throws IllegalArgumentException if beta is negative or not finite */
    public OrthogonalRegularisation {
        if (!(beta >= 0 && beta < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "orthogonal regularisation: beta must be at least 0 and finite, was " + beta);
        }
    }

    /** The term of BigGAN: rows of W, without the diagonal. */
    public static OrthogonalRegularisation orthogonal(double beta) {
        return new OrthogonalRegularisation(beta, false, false);
    }

    /**
     * Returns the term of one weight, a number.
     *
     * @throws IllegalArgumentException if it has fewer than two axes
     */
    public Value of(Value weight) {
        if (weight.shape().rank() < 2 || weight.batched()) {
            throw new IllegalArgumentException(
                    "orthogonal regularisation needs a weight of at least two axes, got " + weight);
        }
        Graph graph = weight.graph();
        int outputs = weight.shape().get(0);
        Value w = reshape(weight, outputs, weight.shape().size() / outputs);
        Value gram =
                columns ? graph.numbered(new Products.DenseWeight(), w, w) : graph.numbered(new Products.Dense(), w, w);
        Value rest = diagonal
                ? subtract(gram, masked(graph, gram.shape(), true))
                : multiply(gram, masked(graph, gram.shape(), false));
        return scale(sum(square(rest)), beta);
    }

    /**
     * Returns the sum of the terms of all weights with at least two axes among the selected parameters of a graph:
     * {@code orthogonal(1e-4).of(graph, "generator/**", "!generator/embedding/**")}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Value of(Graph graph, String... globs) {
        Selection selection = Selection.of(globs);
        List<Value> terms = graph.declarations().stream()
                .filter(declaration -> declaration.kind() == Declaration.Kind.WEIGHT)
                .filter(declaration -> declaration.shape().rank() > 1 && selection.matches(declaration.path()))
                .map(declaration -> of(graph.value(declaration.path().text())))
                .toList();
        if (terms.isEmpty()) {
            throw new IllegalArgumentException(
                    "orthogonal regularisation: " + selection + " selects no weight of at least two axes");
        }
        return terms.stream().reduce((a, b) -> add(a, b)).orElseThrow();
    }

    /** The unit matrix, or 1 everywhere else. */
    private static Value masked(Graph graph, Shape square, boolean unit) {
        int n = square.get(0);
        double[] numbers = new double[square.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (i / n == i % n) == unit ? 1 : 0;
        }
        return graph.constant(Tensor.rounded(square, graph.floatType(), numbers));
    }
}
