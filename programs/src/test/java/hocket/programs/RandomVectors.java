package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.tanh;

import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Reduction;
import hocket.programs.operators.Reduction.How;
import hocket.programs.operators.Reduction.Reduce;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A graph of vectors and matrices put together at random: nearly any operator on nearly any value. */
public final class RandomVectors {
    public static final int CLASSES = 3;

    private static final int LARGEST = 200;

    private final Graph graph;
    private final Random random;
    private final List<Value> values = new ArrayList<>();
    private int layers;

    RandomVectors(Graph graph, Random random) {
        this.graph = graph;
        this.random = random;
    }

    /** One number that depends on all of it. */
    Value loss() {
        try (var module = graph.module("m")) {
            Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
            Value x = graph.input("x", Shape.of(2 + random.nextInt(6)));
            values.add(dense("first", x, 1 + random.nextInt(8)));
            values.add(Fixture.parameter(graph, "own", 1 + random.nextInt(3), 2));
            for (int i = 0; i < 10; i++) {
                Value from = values.get(random.nextInt(3) == 0 ? random.nextInt(values.size()) : values.size() - 1);
                Value next = next(from, label);
                if (next.shape().size() <= LARGEST && next.shape().rank() <= 3) {
                    values.add(next);
                }
            }
            Value loss = mean(square(values.get(values.size() - 1)));
            for (Value value : values) {
                loss = random.nextInt(3) == 0 ? add(loss, mean(tanh(value))) : loss;
            }
            loss = random.nextInt(4) == 0 ? RandomProgramsTest.often(loss, values, random) : loss;
            return random.nextInt(3) == 0 ? add(loss, penalty(loss)) : loss;
        }
    }

    /** Something that is made of a gradient. */
    private Value penalty(Value loss) {
        Value by = RandomProgramsTest.part(values.get(random.nextInt(values.size())), random);
        return scale(mean(square(Gradients.of(loss, by).get(0))), 0.1);
    }

    private Value next(Value x, Value label) {
        int rank = x.shape().rank();
        int axis = rank == 0 ? 0 : random.nextInt(rank);
        if (rank == 0) {
            return random.nextBoolean() ? function(x) : pair(x, partner(x));
        }
        return switch (random.nextInt(28)) {
            case 0, 1, 2, 3 -> function(x);
            case 4, 5, 6 -> pair(x, partner(x));
            case 7, 8 -> dense("layer" + layers++, x, 1 + random.nextInt(6));
            case 9 -> random.nextBoolean() ? Operators.softmax(x, axis) : Operators.logSoftmax(x, axis);
            case 10 -> graph.numbered(new Reduction.CumulativeSum(axis, random.nextBoolean()), x);
            case 11 -> graph.numbered(new Reduce(How.values()[random.nextInt(3)], axis), x);
            case 12 -> graph.numbered(new Reduce(How.values()[random.nextInt(3)], Reduce.ALL), x);
            case 13 ->
                x.batched()
                        ? graph.numbered(new Reduce(How.values()[random.nextInt(3)], Reduce.BATCH), x)
                        : graph.numbered(new Arrangement.Spread(x.shape(), true, random.nextBoolean()), x);
            case 14 -> reshape(x, extents(x.shape().size()));
            case 15 -> {
                List<Integer> order =
                        new ArrayList<>(IntStream.range(0, rank).boxed().toList());
                Collections.shuffle(order, random);
                yield graph.numbered(new Arrangement.Transpose(order), x);
            }
            case 16 -> Operators.concat(axis, x, function(x), x);
            case 17 -> {
                int begin = random.nextInt(x.shape().get(axis));
                yield Operators.slice(x, axis, begin, x.shape().get(axis));
            }
            case 18 -> Operators.pad(x, axis, random.nextInt(2), random.nextInt(3));
            case 19 -> {
                int[] longer = Arrays.copyOf(x.shape().extents(), rank + 1);
                longer[rank] = 1;
                Value column = reshape(x, longer);
                longer[rank] = 1 + random.nextInt(3);
                yield graph.numbered(
                        new Arrangement.Spread(Shape.of(longer), x.batched(), random.nextBoolean()), column);
            }
            case 20 ->
                x.batched() && rank == 1 && x.shape().get(0) >= CLASSES
                        ? Operators.pick(x, label)
                        : multiply(x, mean(Operators.oneHot(label, CLASSES)));
            case 21 -> stopGradient(x);
            case 22 -> multiply(tanh(function(x)), function(x));
            case 23 -> {
                Value other = values.get(random.nextInt(values.size()));
                yield other.shape().rank() == 0 ? x : pair(function(other), partner(other));
            }
            case 26 -> Layers.embedding("layer" + layers++, label, CLASSES, 1 + random.nextInt(4));
            case 27 -> multiply(x, mean(multiply(values.get(0), largest(values.get(0)))));
            case 24 -> x.batched() ? batchNorm("layer" + layers++, varied(x)) : function(x);
            default ->
                x.batched()
                        ? Operators.dropout("layer" + layers++, x, 0.3)
                        : graph.numbered(new Elementwise.ByMode(), x, function(x));
        };
    }

    /** 1 where a row is largest. */
    private static Value largest(Value rows) {
        return Operators.oneHot(Operators.argMax(rows), rows.shape().get(0));
    }

    /** Not the same for every row: a batch norm makes large numbers of what rounding leaves of that. */
    private Value varied(Value x) {
        return add(x, Operators.sum(values.get(0), 0));
    }

    private Value function(Value x) {
        return switch (random.nextInt(16)) {
            case 0 -> Operators.negate(x);
            case 1 -> Operators.relu(x);
            case 2 -> Operators.leakyRelu(x, 0.2);
            case 3 -> Operators.elu(x, 1.2);
            case 4 -> tanh(x);
            case 5 -> Operators.sigmoid(x);
            case 6 -> Operators.softplus(x);
            case 7 -> Operators.exp(tanh(x));
            case 8 -> Operators.log(shift(square(x), 0.5));
            case 9 -> Operators.sqrt(shift(square(x), 0.5));
            case 10 -> square(tanh(x));
            case 11 -> Operators.abs(x);
            case 12 -> Operators.sin(x);
            case 13 -> Operators.erf(x);
            case 14 -> Operators.clip(x, -0.5, 0.7);
            default -> shift(scale(x, -0.7), 0.2);
        };
    }

    private Value pair(Value a, Value b) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> add(a, b);
            case 2 -> Operators.subtract(a, b);
            case 3 -> multiply(tanh(a), b);
            case 4 -> Operators.divide(a, shift(square(b), 0.7));
            case 5 -> Operators.maximum(a, b);
            case 6 -> Operators.minimum(a, b);
            default -> Operators.where(Operators.step(shift(b, 0.05)), a, tanh(b));
        };
    }

    /** Another value that can be combined with x element by element, which may be x. */
    private Value partner(Value x) {
        List<Value> alike = values.stream()
                .filter(value -> combines(x.shape(), value.shape()))
                .toList();
        return alike.isEmpty() ? x : alike.get(random.nextInt(alike.size()));
    }

    private static boolean combines(Shape a, Shape b) {
        for (int i = 1; i <= Math.min(a.rank(), b.rank()); i++) {
            if (a.get(-i) != b.get(-i) && a.get(-i) != 1 && b.get(-i) != 1) {
                return false;
            }
        }
        return true;
    }

    /** One to three extents of that many elements. */
    private int[] extents(int size) {
        int first = divisor(size);
        int second = divisor(size / first);
        return switch (random.nextInt(3)) {
            case 0 -> new int[] {size};
            case 1 -> new int[] {first, size / first};
            default -> new int[] {first, second, size / first / second};
        };
    }

    private int divisor(int size) {
        List<Integer> all = IntStream.rangeClosed(1, size)
                .filter(i -> size % i == 0)
                .boxed()
                .toList();
        return all.get(random.nextInt(all.size()));
    }
}
