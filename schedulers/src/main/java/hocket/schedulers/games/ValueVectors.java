package hocket.schedulers.games;

import hocket.programs.Operators;
import hocket.programs.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;

/** Vectors that are lists of values: one for each weight of a player, of the weight's shape. */
final class ValueVectors {
    private ValueVectors() {}

    /** {@code Σ aᵢ·bᵢ} over all elements of all values: one number. */
    static Value dot(List<Value> a, List<Value> b) {
        return IntStream.range(0, a.size())
                .mapToObj(i -> Operators.sum(Operators.multiply(a.get(i), b.get(i))))
                .reduce(Operators::add)
                .orElseThrow();
    }

    /** {@code a + factor·b}. */
    static List<Value> plus(List<Value> a, double factor, List<Value> b) {
        return each(a, b, (x, y) -> Operators.add(x, Operators.scale(y, factor)));
    }

    /** {@code a + factor·b}, the factor one number. */
    static List<Value> plus(List<Value> a, Value factor, List<Value> b) {
        return each(a, b, (x, y) -> Operators.add(x, Operators.multiply(y, factor)));
    }

    static List<Value> minus(List<Value> a, List<Value> b) {
        return each(a, b, Operators::subtract);
    }

    /** The same vector without a gradient. */
    static List<Value> held(List<Value> a) {
        return a.stream().map(Operators::stopGradient).toList();
    }

    /** Returns the number of its elements. */
    static int size(List<Value> a) {
        return a.stream().mapToInt(x -> x.shape().size()).sum();
    }

    private static List<Value> each(List<Value> a, List<Value> b, BinaryOperator<Value> of) {
        List<Value> all = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            all.add(of.apply(a.get(i), b.get(i)));
        }
        return all;
    }
}
