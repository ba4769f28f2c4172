package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.step;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.where;

import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Leaf.Distribution;
import hocket.programs.Leaf.Redraw;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.scopes.Shape;
import java.util.function.UnaryOperator;

/**
 * What a discriminator's loss is raised by, so that the discriminator stays smooth: most are made of its gradient by the
 * rows it is shown. Add it to a game with {@link GanLoss#with}. Each row's gradient is its own only where rows do not
 * mix: a discriminator that normalises by the batch makes another penalty of it. Its noise is named in the scope that is
 * open, so two discriminators of one graph with the same penalty need a scope each.
 */
@FunctionalInterface
public interface Penalty {
    /**
     * The penalty, one number.
     *
     * @param discriminator gives one number a row
     * @param real rows, detached from what made them
     * @param fake likewise, as many and of the same shape
     */
    Value of(UnaryOperator<Value> discriminator, Value real, Value fake);

    /**
     * WGAN-GP (Gulrajani et al. 2017, equation 3): {@code weight · mean (‖∇D(x)‖ - 1)²} at {@code x = ε·real + (1 -
     * ε)·fake}, ε uniform in [0, 1) for each row: the noise {@code wgan_gp/epsilon}. The usual weight is 10.
     */
    static Penalty wganGp(double weight) {
        return (discriminator, real, fake) -> {
            Value norms = norms(discriminator, between("wgan_gp", real, fake));
            return scale(mean(square(shift(norms, -1))), weight);
        };
    }

    /**
     * WGAN-LP (Petzka et al. 2018, equation 8): {@code weight · mean max(0, ‖∇D(x)‖ - 1)²} between real and fake as in
     * {@link #wganGp}; noise {@code wgan_lp/epsilon}.
     */
    static Penalty wganLp(double weight) {
        return (discriminator, real, fake) -> {
            Value norms = norms(discriminator, between("wgan_lp", real, fake));
            return scale(mean(square(relu(shift(norms, -1)))), weight);
        };
    }

    /**
     * Zero-centred between real and fake (Thanh-Tung et al. 2019): {@code weight · mean ‖∇D(x)‖²}; noise {@code
     * zero_centred/epsilon}.
     */
    static Penalty zeroCentred(double weight) {
        return (discriminator, real, fake) ->
                scale(mean(squares(discriminator, between("zero_centred", real, fake))), weight);
    }

    /** R1 (Mescheder et al. 2018, equation 9): {@code weight/2 · mean ‖∇D(real)‖²}. The usual weight is 10. */
    static Penalty r1(double weight) {
        return (discriminator, real, fake) -> scale(mean(squares(discriminator, real)), weight / 2);
    }

    /** R2 (Mescheder et al. 2018, equation 10): {@code weight/2 · mean ‖∇D(fake)‖²}. */
    static Penalty r2(double weight) {
        return (discriminator, real, fake) -> scale(mean(squares(discriminator, fake)), weight / 2);
    }

    /**
     * DRAGAN (Kodali et al. 2017): {@code weight · mean (‖∇D(x)‖ - 1)²} around the real rows, {@code x = real +
     * α/2·σ·noise} with σ the standard deviation of all numbers of the batch, α uniform in [0, 1) for each row (noise
     * {@code dragan/alpha}) and the noise {@code dragan/noise} uniform in [0, 1). The usual weight is 10.
     */
    static Penalty dragan(double weight) {
        return (discriminator, real, fake) -> {
            Graph graph = real.graph();
            Value alpha = uniform(graph, "dragan/alpha", Shape.scalar());
            Value noise = uniform(graph, "dragan/noise", real.shape());
            Value steps = multiply(alignedTo(alpha, real), multiply(scale(deviation(real), 0.5), noise));
            Value norms = norms(discriminator, add(real, steps));
            return scale(mean(square(shift(norms, -1))), weight);
        };
    }

    /**
     * Consistency (Zhang et al. 2020): {@code weight · mean (D(augmented real) - D(real))²}.
     *
     * @param augmentation of rows, such as a flip, of the same shape
     */
    static Penalty consistency(double weight, UnaryOperator<Value> augmentation) {
        return (discriminator, real, fake) -> scale(change(discriminator, real, augmentation), weight);
    }

    /** Balanced consistency (Zhao et al. 2021): that of the real rows plus that of the generated ones. */
    static Penalty balancedConsistency(double weight, UnaryOperator<Value> augmentation) {
        return (discriminator, real, fake) -> scale(
                add(change(discriminator, real, augmentation), change(discriminator, fake, augmentation)), weight);
    }

    private static Value change(UnaryOperator<Value> discriminator, Value rows, UnaryOperator<Value> augmentation) {
        Value moved = discriminator.apply(stopGradient(augmentation.apply(rows)));
        return mean(square(subtract(moved, discriminator.apply(rows))));
    }

    /** A point on the line between each real row and its fake one. */
    private static Value between(String name, Value real, Value fake) {
        Value epsilon = alignedTo(uniform(real.graph(), name + "/epsilon", Shape.scalar()), real);
        return add(multiply(epsilon, real), multiply(shift(scale(epsilon, -1), 1), fake));
    }

    private static Value uniform(Graph graph, String name, Shape shape) {
        return graph.noise(name, shape, new Distribution.Uniform(0, 1), Redraw.EACH_TURN);
    }

    /** One number a row with as many axes as the rows. */
    private static Value alignedTo(Value number, Value rows) {
        return Operators.reshape(number, Shape.ones(rows.shape().rank()).extents());
    }

    /** ‖∇D(x)‖² of each row. */
    private static Value squares(UnaryOperator<Value> discriminator, Value rows) {
        Value point = stopGradient(rows);
        Value gradient = Gradients.of(sum(discriminator.apply(point)), point).get(0);
        return sum(flatten(square(gradient)), 0);
    }

    /** ‖∇D(x)‖ of each row, with gradient 0 where it is 0. */
    private static Value norms(UnaryOperator<Value> discriminator, Value rows) {
        Value squares = squares(discriminator, rows);
        Value positive = step(squares);
        Value one = squares.graph().constant(1);
        return multiply(positive, sqrt(where(positive, squares, one)));
    }

    /** The unbiased standard deviation of all numbers of a batch. */
    private static Value deviation(Value rows) {
        Value centred = subtract(rows, mean(rows));
        Value count = sum(equal(rows, rows));
        return sqrt(Operators.divide(sum(square(centred)), shift(count, -1)));
    }
}
