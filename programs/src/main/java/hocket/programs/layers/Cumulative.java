package hocket.programs.layers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.cumulativeSum;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.finite;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pad;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.transpose;
import static hocket.programs.Operators.where;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;

/** Sums, products and the like of all elements up to each along an axis. */
public final class Cumulative {
    /** Far below every logarithm, and finite, so that differences of two are numbers. */
    private static final double LOWEST = -1e30;

    private Cumulative() {}

    /**
     * The sum of the elements up to each.
     *
     * @param reversed whether the sums begin at the end
     * @param exclusive whether each is without its own element
     */
    public static Value sum(Value x, int axis, boolean reversed, boolean exclusive) {
        Value sums = reversed ? x.graph().numbered(new Reduction.CumulativeSum(axis, true), x) : cumulativeSum(x, axis);
        return exclusive ? moved(sums, axis, reversed ? -1 : 1, 0) : sums;
    }

    /**
     * The discounted sum {@code s[i] = x[i] + discount·s[i-1]}, reversed {@code x[i] + discount·s[i+1]}, as of rewards. It
     * is a product with a triangular matrix, so it takes time in proportion to the square of the extent.
     */
    public static Value discountedSum(Value x, int axis, double discount, boolean reversed) {
        Arrangement.checkAxis(x, axis);
        int extent = x.shape().get(axis);
        Shape square = Shape.of(extent, extent);
        double[] powers = new double[square.size()];
        for (int i = 0; i < extent; i++) {
            for (int j = 0; j < extent; j++) {
                int distance = reversed ? j - i : i - j;
                powers[i * extent + j] = distance < 0 ? 0 : Math.pow(discount, distance);
            }
        }
        Graph graph = x.graph();
        Value matrix = graph.constant(Tensor.rounded(square, graph.floatType(), powers));
        return exchanged(graph.numbered(new Products.Dense(), exchanged(x, axis), matrix), axis);
    }

    /** The product of the elements up to each. Its gradient divides by none of them, so they may be 0. */
    public static Value product(Value x, int axis) {
        return combined(x, axis, 1, (before, own) -> multiply(before, own));
    }

    /** {@code log Σ exp(x)} of the elements up to each, without overflow. */
    public static Value logSumExp(Value x, int axis) {
        return combined(x, axis, LOWEST, (before, own) -> {
            Value largest = finite(stopGradient(maximum(before, own)));
            return add(log(add(exp(subtract(before, largest)), exp(subtract(own, largest)))), largest);
        });
    }

    /** Combines in a logarithmic number of steps (Hillis and Steele 1986). */
    private static Value combined(Value x, int axis, double neutral, BinaryOperator<Value> combination) {
        Arrangement.checkAxis(x, axis);
        Value all = x;
        for (int distance = 1; distance < x.shape().get(axis); distance *= 2) {
            all = combination.apply(moved(all, axis, distance, neutral), all);
        }
        return all;
    }

    /** Returns a value with its elements some places further along an axis, and a number where there are none. */
    private static Value moved(Value x, int axis, int by, double otherwise) {
        int extent = x.shape().get(axis);
        int empty = Math.min(extent, Math.abs(by));
        Graph graph = x.graph();
        if (empty == extent) {
            Value number = graph.constant(otherwise);
            return where(graph.constant(0), x, number);
        }
        Value kept = by > 0 ? slice(x, axis, 0, extent - empty) : slice(x, axis, empty, extent);
        if (otherwise == 0) {
            return pad(kept, axis, Math.max(by, 0), Math.max(-by, 0));
        }
        Value edge = slice(x, axis, 0, empty);
        Value numbers = where(graph.constant(0), edge, graph.constant(otherwise));
        return by > 0 ? concat(axis, numbers, kept) : concat(axis, kept, numbers);
    }

    private static Value exchanged(Value x, int axis) {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, x.shape().rank()).boxed().toList());
        Collections.swap(order, axis, order.size() - 1);
        return transpose(x, order.stream().mapToInt(Integer::intValue).toArray());
    }
}
