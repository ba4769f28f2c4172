package hocket.programs;

import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction.How;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of gradients until their sum is asked for. Parts that come through slices of one value are put beside each
 * other, and the products of many steps with one weight become one product: a sum of parts of full size would take time
 * in proportion to the square of the number of steps.
 */
final class GradientParts {
    /** From this number of products on with one weight. */
    private static final int MANY = 8;

    private record Cut(Arrangement.Slice slice, Value gradient) {}

    private record Product(Value x, Value gradient) {}

    private final Map<Value, Value> sums = new HashMap<>();
    private final Map<Value, List<Cut>> cuts = new HashMap<>();
    private final Map<Value, List<Product>> products = new HashMap<>();
    private final Map<Value, List<Value>> biases = new HashMap<>();

    boolean has(Value x) {
        return sums.containsKey(x) || cuts.containsKey(x) || products.containsKey(x) || biases.containsKey(x);
    }

    /** Adds a part of the gradient by a value, of its shape. */
    void add(Value x, Value part) {
        sums.merge(x, part, Operators::add);
    }

    /**
     * Keeps what is put together later, given a value and the gradient by it.
     *
     * @param wanted positions of inputs
     * @return those of the positions whose gradients are not kept
     */
    SortedSet<Integer> kept(Value y, Value gradient, SortedSet<Integer> wanted) {
        if (y.operator() instanceof Arrangement.Slice slice) {
            wanted.forEach(i -> list(cuts, y.inputs().get(i)).add(new Cut(slice, gradient)));
            return new TreeSet<>();
        }
        SortedSet<Integer> others = new TreeSet<>(wanted);
        if (y.operator() instanceof Products.Dense) {
            if (others.remove(1)) {
                list(products, y.inputs().get(1)).add(new Product(y.inputs().get(0), gradient));
            }
            if (others.remove(2)) {
                list(biases, y.inputs().get(2)).add(gradient);
            }
        }
        return others;
    }

    private static <T> List<T> list(Map<Value, List<T>> all, Value of) {
        return all.computeIfAbsent(of, x -> new ArrayList<>());
    }

    /**
     * Returns the gradient by a value, and forgets its parts.
     *
     * @throws IllegalStateException if it has none
     */
    Value total(Value x) {
        List<Value> all = new ArrayList<>();
        Value sum = sums.remove(x);
        if (sum != null) {
            all.add(sum);
        }
        byResult(products.remove(x), Product::x).forEach(some -> all.addAll(weights(some)));
        byResult(biases.remove(x), gradient -> gradient).forEach(some -> all.addAll(biases(x, some)));
        List<Cut> some = cuts.remove(x);
        if (some != null) {
            all.addAll(joined(x, some));
        }
        return all.stream().reduce(Operators::add).orElseThrow(() -> new IllegalStateException(x + " has no gradient"));
    }

    /** Returns the members of equal extents together, in the order of their first. */
    private static <T> List<List<T>> byResult(@Nullable List<T> all, Function<T, Value> value) {
        Map<Object, List<T>> groups = new LinkedHashMap<>();
        for (T one : all == null ? List.<T>of() : all) {
            groups.computeIfAbsent(value.apply(one).result(), result -> new ArrayList<>())
                    .add(one);
        }
        return List.copyOf(groups.values());
    }

    private static List<Value> weights(List<Product> some) {
        Graph graph = some.get(0).x().graph();
        if (some.size() < MANY) {
            return some.stream()
                    .map(one -> graph.numbered(new Products.DenseWeight(), one.x(), one.gradient()))
                    .toList();
        }
        Value x = rows(some.stream().map(Product::x).toList());
        Value gradient = rows(some.stream().map(Product::gradient).toList());
        return List.of(graph.numbered(new Products.DenseWeight(), x, gradient));
    }

    private static List<Value> biases(Value bias, List<Value> some) {
        List<Value> all = some.size() < MANY ? some : List.of(rows(some));
        return all.stream()
                .map(gradient -> Gradients.reduced(gradient, bias, How.SUM))
                .toList();
    }

    /** Values (…, width) below each other. */
    private static Value rows(List<Value> values) {
        int width = values.get(0).shape().get(-1);
        int rows = values.get(0).shape().size() / width;
        return Operators.concat(
                0,
                values.stream()
                        .map(value -> Operators.reshape(value, rows, width))
                        .toArray(Value[]::new));
    }

    /** Returns the gradients that come through slices: as one where these lie beside each other. */
    private static List<Value> joined(Value x, List<Cut> some) {
        SortedMap<Arrangement.Slice, Value> each = new TreeMap<>(Comparator.comparingInt(Arrangement.Slice::axis)
                .thenComparingInt(Arrangement.Slice::begin)
                .thenComparingInt(Arrangement.Slice::end));
        some.forEach(cut -> each.merge(cut.slice(), cut.gradient(), Operators::add));
        int axis = each.firstKey().axis();
        int extent = x.shape().get(axis);
        int at = 0;
        boolean apart = each.lastKey().axis() == axis;
        for (Arrangement.Slice slice : each.keySet()) {
            apart &= slice.begin() >= at;
            at = slice.end();
        }
        if (!apart) {
            return each.entrySet().stream()
                    .map(one -> padded(one.getKey(), one.getKey().begin(), one.getValue(), x))
                    .toList();
        }
        List<Value> parts = new ArrayList<>();
        int begin = 0;
        for (Map.Entry<Arrangement.Slice, Value> one : each.entrySet()) {
            Arrangement.Slice slice = one.getKey();
            int behind = slice.equals(each.lastKey()) ? extent - slice.end() : 0;
            parts.add(padded(axis, slice.begin() - begin, behind, one.getValue()));
            begin = slice.end();
        }
        return List.of(parts.size() == 1 ? parts.get(0) : Operators.concat(axis, parts.toArray(Value[]::new)));
    }

    private static Value padded(Arrangement.Slice slice, int before, Value gradient, Value x) {
        return padded(slice.axis(), before, x.shape().get(slice.axis()) - slice.end(), gradient);
    }

    private static Value padded(int axis, int before, int behind, Value gradient) {
        return before == 0 && behind == 0
                ? gradient
                : gradient.graph().numbered(new Arrangement.Pad(axis, before, behind), gradient);
    }
}
