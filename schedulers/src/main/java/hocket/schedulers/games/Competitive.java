package hocket.schedulers.games;

import hocket.programs.Graph;
import hocket.programs.Operators;
import hocket.programs.Value;
import java.util.List;
import java.util.stream.Stream;

/**
 * The linear system of competitive gradient descent for one of two players, {@code M·u = b} with {@code M = I - η²·F·G}
 * and {@code b = ∇ₓf - η·F·∇ᵧg}, solved in the graph. The matrices are never formed: a product of one with a vector is
 * the gradient of a gradient's product with it, held constant (Pearlmutter 1994).
 */
final class Competitive {
    private final double rate;
    private final List<Value> x;
    private final List<Value> y;
    private final List<Value> fx;
    private final List<Value> fy;
    private final List<Value> gx;
    private final List<Value> gy;

    Competitive(Player me, Player opponent, double rate) {
        this.rate = rate;
        this.x = me.own();
        this.y = opponent.own();
        List<Value> both = Stream.concat(x.stream(), y.stream()).toList();
        List<Value> f = Player.slope(me.loss(), both);
        List<Value> g = Player.slope(opponent.loss(), both);
        this.fx = f.subList(0, x.size());
        this.fy = f.subList(x.size(), both.size());
        this.gx = g.subList(0, x.size());
        this.gy = g.subList(x.size(), both.size());
    }

    /** {@code u} after some steps from 0: conjugate gradients on {@code MᵀM·u = Mᵀb}. */
    List<Value> direction(int steps) {
        List<Value> residual = ValueVectors.held(ValueVectors.plus(fx, -rate, times(fy, gy, x)));
        List<Value> slope = transposed(residual);
        List<Value> search = slope;
        Value length = ValueVectors.dot(slope, slope);
        List<Value> solution = List.of();
        for (int i = 0; i < steps; i++) {
            List<Value> image = matrix(search);
            Value step = quotient(length, ValueVectors.dot(image, image));
            solution = i == 0
                    ? search.stream()
                            .map(value -> Operators.multiply(value, step))
                            .toList()
                    : ValueVectors.plus(solution, step, search);
            if (i < steps - 1) {
                residual = ValueVectors.plus(residual, Operators.negate(step), image);
                slope = transposed(residual);
                Value next = ValueVectors.dot(slope, slope);
                search = ValueVectors.plus(slope, quotient(next, length), search);
                length = next;
            }
        }
        return solution;
    }

    /** {@code M·v = v - η²·F·(G·v)}. */
    private List<Value> matrix(List<Value> v) {
        return ValueVectors.plus(v, -rate * rate, times(fy, times(gx, v, y), x));
    }

    /** {@code Mᵀ·v = v - η²·Gᵀ·(Fᵀ·v)}. */
    private List<Value> transposed(List<Value> v) {
        return ValueVectors.plus(v, -rate * rate, times(gy, times(fx, v, y), x));
    }

    /** The mixed Hessian of a gradient, transposed, times a vector: the gradient of their product. */
    private static List<Value> times(List<Value> gradient, List<Value> vector, List<Value> by) {
        return Player.slope(ValueVectors.dot(gradient, ValueVectors.held(vector)), by);
    }

    /** {@code a / b}, and 0 where b is 0, which it is once the system is solved. */
    private static Value quotient(Value a, Value b) {
        Graph graph = a.graph();
        Value some = Operators.step(b);
        return Operators.where(
                some, Operators.divide(a, Operators.where(some, b, graph.constant(1))), graph.constant(0));
    }
}
