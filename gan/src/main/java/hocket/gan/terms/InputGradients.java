package hocket.gan.terms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.step;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.where;

import hocket.gan.parts.Pass;
import hocket.gan.parts.Scored;
import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.scopes.Shape;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Gradients of a discriminator with respect to its input rows, and the points they are taken at. */
public final class InputGradients {
    private InputGradients() {}

    /** A uniform random point on the line between each real row and its fake one. */
    static Value interpolated(String name, Pass pass) {
        Value real = pass.real();
        Value epsilon = alignedTo(uniform(real.graph(), name + "/epsilon", Shape.scalar()), real);
        return add(multiply(epsilon, real), multiply(shift(scale(epsilon, -1), 1), pass.fake()));
    }

    /** A random point near each real row: at most half the batch's standard deviation away along each axis. */
    static Value perturbed(String name, Value real) {
        Graph graph = real.graph();
        Value alpha = uniform(graph, name + "/alpha", Shape.scalar());
        Value noise = uniform(graph, name + "/noise", real.shape());
        Value steps = multiply(alignedTo(alpha, real), multiply(scale(deviation(real), 0.5), noise));
        return add(real, steps);
    }

    /** Computes ‖∇D(x)‖² of each row from the output for these rows. */
    static Value squaredNorms(Scored on, Value rows) {
        Value gradient = Gradients.of(sum(on.logit()), rows).get(0);
        return sum(flatten(square(gradient)), 0);
    }

    /** Computes ‖∇D(x)‖² of each row at other points, under the condition of the real rows. */
    static Value squaredNorms(Pass pass, Value points) {
        Value x = stopGradient(points);
        return squaredNorms(pass.d().score(x, pass.ofReal()), x);
    }

    /** Computes ‖∇D(x)‖ of each row at other points, with gradient 0 where it is 0. */
    static Value norms(Pass pass, Value points) {
        Value squares = squaredNorms(pass, points);
        Value positive = step(squares);
        Value one = squares.graph().constant(1);
        return multiply(positive, sqrt(where(positive, squares, one)));
    }

    /**
     * Checks that a discriminator does not mix the rows of a batch.
     *
     * @param term that uses each row's gradient
     * @throws IllegalArgumentException if a batch norm is between the rows and the output
     */
    public static void requireApart(Term term, Value rows, Scored on) {
        batchNorm(rows, on.logit()).ifPresent(norm -> {
            throw new IllegalArgumentException("term " + term.key() + " takes the gradient of each row, and "
                    + norm.path() + " normalises by the batch, so that the gradient of a row depends on the other rows;"
                    + " normalise by layer or instance, by the spectral norm of the weights, or not at all (norm: layer"
                    + " of dcgan); a network of your own that was trained so before this was refused still builds by"
                    + " GanLoss.withUnchecked in place of with");
        });
    }

    /** Finds a batch norm between rows and an output, which mixes the rows' gradients. */
    private static Optional<Value> batchNorm(Value rows, Value output) {
        Set<Value> seen = new HashSet<>();
        Deque<Value> open = new ArrayDeque<>(List.of(output));
        while (!open.isEmpty()) {
            Value value = open.pop();
            if (value.equals(rows) || !seen.add(value)) {
                continue;
            }
            if (value.operator() instanceof BatchNorm norm
                    && norm.usesBatch(Mode.TRAIN)
                    && Value.above(List.of(value), Value::inputs).contains(rows)) {
                return Optional.of(value);
            }
            for (int i = 0; i < value.inputs().size(); i++) {
                if (value.operator().differentiable(i)) {
                    open.push(value.inputs().get(i));
                }
            }
        }
        return Optional.empty();
    }

    private static Value uniform(Graph graph, String name, Shape shape) {
        return graph.noise(name, shape, new Distribution.Uniform(0, 1), Redraw.EACH_TURN);
    }

    /** Reshapes one number a row to the rows' number of axes. */
    private static Value alignedTo(Value number, Value rows) {
        return Operators.reshape(number, Shape.ones(rows.shape().rank()).extents());
    }

    /** The unbiased standard deviation of all numbers of a batch. */
    private static Value deviation(Value rows) {
        Value centred = subtract(rows, mean(rows));
        Value count = sum(equal(rows, rows));
        return sqrt(divide(sum(square(centred)), shift(count, -1)));
    }
}
