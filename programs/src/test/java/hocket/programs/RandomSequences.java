package hocket.programs;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.matmul;
import static hocket.programs.Operators.matmulTransposed;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.pad;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;

import hocket.programs.layers.Cumulative;
import hocket.programs.layers.MultiHeadAttention;
import hocket.programs.layers.Positions;
import hocket.programs.layers.Recurrence;
import hocket.programs.layers.TransformerBlock;
import hocket.programs.operators.Arrangement;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** A graph of sequences put together at random: each value is (T, width), with or without a batch. */
final class RandomSequences {
    private static final int CLASSES = RandomVectors.CLASSES;
    private static final int WIDTH = 4;

    private final Graph graph;
    private final Random random;
    private final int steps;
    private final List<Value> values = new ArrayList<>();
    private int layers;

    RandomSequences(Graph graph, Random random) {
        this.graph = graph;
        this.random = random;
        this.steps = 1 + random.nextInt(5);
    }

    /** One number that depends on all of it. */
    Value loss() {
        try (var module = graph.module("m")) {
            Value text = graph.input("text", Shape.of(steps + 1), ElementType.INT64);
            values.add(embedding("first", slice(text, 0, 0, steps), CLASSES, WIDTH));
            values.add(dense("second", graph.input("x", Shape.of(steps, 3)), WIDTH));
            values.add(Fixture.parameter(graph, "own", steps, WIDTH));
            for (int i = 0; i < 5; i++) {
                Value from = values.get(random.nextInt(3) == 0 ? random.nextInt(values.size()) : values.size() - 1);
                values.add(next(from, text));
            }
            Value logits = dense("logits", values.get(values.size() - 1), CLASSES);
            Value loss = mean(Operators.softmaxCrossEntropy(batched(logits), slice(text, 0, 1, steps + 1)));
            for (Value value : values) {
                loss = random.nextInt(3) == 0 ? add(loss, mean(tanh(value))) : loss;
            }
            if (random.nextInt(2) == 0) {
                Value by = RandomProgramsTest.part(values.get(random.nextInt(values.size())), random);
                loss = add(loss, scale(mean(square(Gradients.of(loss, by).get(0))), 0.1));
            }
            return loss;
        }
    }

    /** Each row alike where a value has no batch. */
    private Value batched(Value x) {
        return x.batched() ? x : graph.numbered(new Arrangement.Spread(x.shape(), true, false), x);
    }

    private Value next(Value x, Value text) {
        String name = "layer" + layers++;
        Value other = values.get(random.nextInt(values.size()));
        boolean both = x.batched() == other.batched();
        return switch (random.nextInt(14)) {
            case 0 -> recurrence().apply(name, x).outputs();
            case 1 -> recurrence().apply(name, x, null, mask()).outputs();
            case 2 -> {
                Recurrence cells = recurrence();
                Value state = Fixture.parameter(
                        graph, name + "_start", cells.stateShape().extents());
                Value end = cells.apply(name, x, state, null).state();
                yield add(x, slice(reshape(end, end.shape().size() / WIDTH, WIDTH), 0, 0, 1));
            }
            case 3 -> heads().apply(name, x);
            case 4 -> heads().apply(name, x, other, other, null, other.batched() ? mask() : null);
            case 5 -> block().apply(name, x);
            case 6 -> matmul(softmax(matmulTransposed(x, other)), other);
            case 7 -> matmul(Fixture.parameter(graph, name, steps, steps), x);
            case 8 -> Operators.sort(x, random.nextInt(2), random.nextBoolean());
            case 9 -> Cumulative.sum(x, 0, random.nextBoolean(), random.nextBoolean());
            case 10 ->
                random.nextBoolean()
                        ? Cumulative.product(tanh(x), 0)
                        : Cumulative.discountedSum(x, 0, 0.9, random.nextBoolean());
            case 11 ->
                random.nextBoolean()
                        ? Positions.interleaved().sinusoidal(x)
                        : Positions.inHalves().rotary(x);
            case 12 -> both ? Operators.scatterAdd(x, 0, chosen(other, x), tanh(other)) : layerNorm(name, x, 1, 1e-3);
            default -> {
                // Indices that are moved, repeated and constant.
                Value places = slice(pad(text, 0, 1, 0), 0, 0, steps);
                Value fixed = graph.constant(Tensor.of(
                        Shape.of(1), LongStream.of(random.nextInt(CLASSES)).toArray()));
                Value all = x.batched() ? places : spread(fixed);
                yield add(x, embedding(name, all, CLASSES, WIDTH));
            }
        };
    }

    private Value spread(Value fixed) {
        Value[] all = new Value[steps];
        Arrays.fill(all, fixed);
        return concat(0, all);
    }

    private static Value chosen(Value by, Value like) {
        Value order = Operators.argSort(by, 0, false);
        return order.shape().equals(like.shape()) ? order : Operators.argSort(like, 0, false);
    }

    private Value mask() {
        return graph.input("mask" + layers, Shape.of(steps));
    }

    private Recurrence recurrence() {
        Recurrence cells = Recurrence.of(Recurrence.Cell.values()[random.nextInt(4)], WIDTH)
                .layers(1 + random.nextInt(2));
        cells = random.nextBoolean() ? cells.backward() : cells;
        return random.nextBoolean() ? cells.maskedAsZeros() : cells;
    }

    private MultiHeadAttention heads() {
        MultiHeadAttention heads = MultiHeadAttention.of(1 << random.nextInt(3));
        return random.nextBoolean() ? heads.causal() : heads;
    }

    private TransformerBlock block() {
        TransformerBlock block = TransformerBlock.of(2, 3);
        block = random.nextBoolean() ? block.causal() : block;
        return random.nextBoolean() ? block.normLast() : block;
    }
}
