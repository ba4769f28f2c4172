package hocket.programs.layers;

import hocket.programs.Layers;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Pooling;
import hocket.programs.operators.Products;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Map;

/**
 * Checks arguments of {@link Layers} and {@link Operators}: the number of inputs, and whether weight, bias and window
 * match. Shape rules and lowerings rely on these checks, also for graphs from files.
 */
public final class ArgumentChecks {
    private static final int MANY = Integer.MAX_VALUE;

    /** A limit far above any window and far below an overflow of products. */
    private static final int LARGEST_WINDOW = 10_000;

    private record Count(int least, int most) {}

    private static final Count NONE = new Count(0, 0);
    private static final Count ONE = new Count(1, 1);
    private static final Count TWO = new Count(2, 2);
    private static final Count THREE = new Count(3, 3);
    private static final Count WITH_BIAS = new Count(2, 3);

    private static final Map<Class<? extends Operator>, Count> INPUTS = Map.ofEntries(
            Map.entry(Leaf.Input.class, NONE),
            Map.entry(Leaf.Noise.class, NONE),
            Map.entry(Leaf.Variable.class, NONE),
            Map.entry(Leaf.Constant.class, NONE),
            Map.entry(Elementwise.Binary.class, TWO),
            Map.entry(Elementwise.Where.class, THREE),
            Map.entry(Elementwise.Dropout.class, TWO),
            Map.entry(Elementwise.ByMode.class, TWO),
            Map.entry(Elementwise.Running.class, THREE),
            Map.entry(Products.Dense.class, WITH_BIAS),
            Map.entry(Products.DenseInput.class, TWO),
            Map.entry(Products.DenseWeight.class, TWO),
            Map.entry(Products.Convolution.class, WITH_BIAS),
            Map.entry(Products.TransposedConvolution.class, WITH_BIAS),
            Map.entry(Products.ConvolutionWeight.class, TWO),
            Map.entry(Products.Embedding.class, TWO),
            Map.entry(Arrangement.Concat.class, new Count(1, MANY)),
            Map.entry(Arrangement.Pick.class, TWO),
            Map.entry(Pooling.MaxPoolInput.class, TWO),
            Map.entry(Pooling.MaxPoolPick.class, TWO),
            Map.entry(BatchNorm.class, new Count(5, 5)));

    private ArgumentChecks() {}

    /** @throws IllegalArgumentException if an operator cannot have these inputs, with a message that continues a path */
    public static void check(Operator operator, List<Value> inputs) {
        Count count = INPUTS.getOrDefault(operator.getClass(), ONE);
        require(
                inputs.size() >= count.least && inputs.size() <= count.most,
                operator.kind() + " needs " + count.least
                        + (count.most == count.least ? "" : count.most == MANY ? " or more" : " or " + count.most)
                        + " inputs, has " + inputs.size());
        if (operator instanceof Products.Dense) {
            bias(inputs, weight(inputs, 2).get(0));
        } else if (operator instanceof Products.DenseInput) {
            weight(inputs, 2);
        } else if (operator instanceof Products.DenseWeight) {
            inputs.forEach(Operator::floating);
        } else if (operator instanceof Products.Convolution convolution) {
            Shape weight = windowed(inputs, convolution.kernel());
            int groups = convolution.kernel().groups();
            require(weight.get(0) % groups == 0, groups + " groups must divide the filters of weight " + weight);
            bias(inputs, weight.get(0));
        } else if (operator instanceof Products.TransposedConvolution transposed) {
            Shape weight = windowed(inputs, transposed.kernel());
            int groups = transposed.kernel().groups();
            require(weight.get(0) % groups == 0, groups + " groups must divide the channels of weight " + weight);
            bias(inputs, weight.get(1) * groups);
        } else if (operator instanceof Products.ConvolutionWeight product) {
            window(product.kernel(), product.window());
        } else if (operator instanceof Products.Embedding) {
            weight(inputs, 2);
        } else if (operator instanceof BatchNorm) {
            batchNorm(inputs);
        } else if (operator instanceof Elementwise.Dropout) {
            dropout(inputs);
        } else if (operator instanceof Elementwise.Running) {
            statistic(inputs.get(Elementwise.Running.STATISTIC));
        } else if (operator instanceof Pooling.MaxPool pool) {
            window(pool.kernel());
        } else if (operator instanceof Pooling.MaxPoolInput pool) {
            window(pool.kernel());
        } else if (operator instanceof Pooling.MaxPoolPick pool) {
            window(pool.kernel());
        }
    }

    private static Shape weight(List<Value> inputs, int rank) {
        Value weight = Operator.floating(inputs.get(1));
        require(
                !weight.batched() && weight.shape().rank() == rank,
                "needs a weight of rank " + rank + " that is the same for every row, got " + weight);
        return weight.shape();
    }

    private static Shape windowed(List<Value> inputs, Window kernel) {
        Shape weight = weight(inputs, 4);
        window(kernel, Shape.of(weight.get(2), weight.get(3)));
        return weight;
    }

    private static void window(Window kernel, Shape window) {
        window(kernel);
        require(
                window.equals(Shape.of(kernel.size().get(0), kernel.size().get(1))),
                "the weight's window " + window + " must be the kernel's, " + kernel);
    }

    private static void window(Window kernel) {
        for (List<Integer> pair :
                List.of(kernel.size(), kernel.stride(), kernel.pad(), kernel.dilation(), kernel.outputPad())) {
            require(
                    pair.get(0) <= LARGEST_WINDOW && pair.get(1) <= LARGEST_WINDOW,
                    "numbers of a kernel must be at most " + LARGEST_WINDOW + ", got " + kernel);
        }
    }

    private static void bias(List<Value> inputs, int outputs) {
        if (inputs.size() > 2) {
            Value bias = Operator.floating(inputs.get(2));
            require(
                    !bias.batched() && bias.shape().equals(Shape.of(outputs)),
                    "needs a bias (" + outputs + "), got " + bias);
        }
    }

    private static void batchNorm(List<Value> inputs) {
        Shape scale = inputs.get(BatchNorm.SCALE).shape();
        for (Value parameter : inputs.subList(BatchNorm.SCALE, inputs.size())) {
            require(
                    parameter.operator() instanceof Leaf.Variable
                            && parameter.shape().rank() == 1
                            && parameter.shape().equals(scale),
                    "needs four parameters of one number a channel, got " + parameter);
        }
        statistic(inputs.get(BatchNorm.MEAN));
        statistic(inputs.get(BatchNorm.VARIANCE));
    }

    private static void statistic(Value value) {
        require(
                value.operator() instanceof Leaf.Variable variable
                        && variable.declaration().kind() == Kind.RUNNING_STATISTIC,
                "needs a running statistic, got " + value);
    }

    private static void dropout(List<Value> inputs) {
        Value mask = inputs.get(1);
        require(
                mask.operator() instanceof Leaf.Noise noise
                        && noise.distribution() instanceof Leaf.Distribution.Mask
                        && mask.result().equals(inputs.get(0).result()),
                "needs a mask like its input " + inputs.get(0) + ", got " + mask);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
