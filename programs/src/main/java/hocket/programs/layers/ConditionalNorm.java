package hocket.programs.layers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Layers.Normalisation;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Arrangement.Reshape;
import hocket.programs.operators.Arrangement.Spread;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Elementwise.Binary;
import hocket.programs.operators.Elementwise.Function;
import hocket.programs.operators.Elementwise.Pair;
import hocket.programs.operators.Elementwise.Scalar;
import hocket.programs.operators.Elementwise.Unary;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Normalised;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Reduction.How;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A batch norm without scale and shift, and what a condition makes of it. The batch's moments and the running ones are
 * those of {@link hocket.programs.operators.BatchNorm}.
 */
public final class ConditionalNorm {
    private ConditionalNorm() {}

    /**
     * {@code (x - mean) / sqrt(variance + epsilon)}, unnamed. Declares the running statistics under the name.
     *
     * @param owner the weight whose turn updates the running statistics
     */
    public static Value normalised(String name, Value x, Normalisation settings, Value owner) {
        Graph graph = x.graph();
        if (!x.batched() || x.shape().rank() < 1) {
            throw new IllegalArgumentException(name + ": batch norm needs a batch of (channels, …), input is " + x);
        }
        int channels = x.shape().get(0);
        Value storedMean = statistic(graph, name + "/mean", channels, 0);
        Value storedVariance = statistic(graph, name + "/variance", channels, 1);
        if (settings.frozen()) {
            return divided(x, storedMean, storedVariance, settings.epsilon());
        }
        Value mean = ofChannels(x);
        Value variance = ofChannels(square(subtract(x, perChannel(mean, x))));
        Value count = scale(rows(graph), (double) x.shape().size() / channels);
        Value unbiased = divide(multiply(variance, count), maximum(shift(count, -1), graph.constant(1)));
        Value nextMean = next(settings.momentum(), storedMean, mean, owner);
        Value nextVariance = next(settings.momentum(), storedVariance, unbiased, owner);
        // Times 0, so that a TRAIN program computes the next statistics although its output does not depend on them.
        Value ofBatch =
                divided(x, add(mean, scale(nextMean, 0)), add(variance, scale(nextVariance, 0)), settings.epsilon());
        Value running = divided(x, nextMean, nextVariance, settings.epsilon());
        return graph.numbered(new Elementwise.ByMode(), ofBatch, running);
    }

    /**
     * A {@link #normalised} value in a program that reads the running statistics.
     *
     * @param mean parameter (channels)
     * @param variance parameter (channels)
     * @param between the values that are computed from x on the way to the result
     */
    public record RunningNorm(Value x, Value mean, Value variance, double epsilon, List<Value> between) {}

    /** Returns the parts of a {@link #normalised} value; nothing if it is another, or reads the batch's moments. */
    public static Optional<RunningNorm> running(Program program, Value value) {
        if (value.shape().rank() < 1) {
            return Optional.empty();
        }
        Value quotient = chosen(program, value);
        Operator perChannel = new Reshape(perChannel(value.shape()));
        Optional<Value> root = input(quotient, new Binary(Pair.DIVIDE), 1).flatMap(v -> input(v, perChannel, 0));
        Optional<Value> shifted = root.flatMap(v -> input(v, new Unary(Function.SQRT), 0));
        Optional<Value> mean = input(quotient, new Binary(Pair.DIVIDE), 0)
                .flatMap(v -> input(v, new Binary(Pair.SUBTRACT), 1))
                .flatMap(v -> input(v, perChannel, 0))
                .map(v -> chosen(program, v))
                .filter(v -> v.operator() instanceof Leaf.Variable);
        if (mean.isEmpty()
                || !(shifted.isPresent() && shifted.get().operator() instanceof Scalar shift && shift.scale() == 1)) {
            return Optional.empty();
        }
        Value variance = chosen(program, shifted.get().inputs().get(0));
        Value centred = quotient.inputs().get(0);
        Value x = centred.inputs().get(0);
        List<Value> between = quotient == value ? List.of(centred) : List.of(centred, quotient);
        return variance.operator() instanceof Leaf.Variable && x.shape().equals(value.shape())
                ? Optional.of(new RunningNorm(x, mean.get(), variance, shift.shift(), between))
                : Optional.empty();
    }

    /** Returns the input that a program takes where values differ by mode; otherwise the value. */
    private static Value chosen(Program program, Value value) {
        boolean byMode =
                value.operator() instanceof Elementwise.ByMode || value.operator() instanceof Elementwise.Running;
        return byMode ? program.inputsOf(value).get(0) : value;
    }

    private static Optional<Value> input(Value value, Operator operator, int input) {
        return Optional.of(value)
                .filter(v -> v.operator().equals(operator))
                .map(v -> v.inputs().get(input));
    }

    /** The weight that is nearest to a value among those that it is made of. */
    public static Optional<Value> nearestWeight(Value value) {
        Set<Value> level = new LinkedHashSet<>(List.of(value));
        Set<Value> seen = new LinkedHashSet<>();
        while (!level.isEmpty()) {
            Set<Value> above = new LinkedHashSet<>();
            for (Value each : level) {
                if (each.operator() instanceof Leaf.Variable variable
                        && variable.declaration().kind() == Kind.WEIGHT) {
                    return Optional.of(each);
                }
                if (seen.add(each)) {
                    above.addAll(each.inputs());
                }
            }
            level = above;
        }
        return Optional.empty();
    }

    /** {@code x·gain + bias} with a gain and a bias for each channel, of each row or of all. */
    public static Value modulated(String name, Value x, Value gain, Value bias) {
        Shape channels = Shape.of(Normalised.channels(name, x));
        if (!gain.shape().equals(channels) || !bias.shape().equals(channels)) {
            throw new IllegalArgumentException(
                    name + ": needs a gain and a bias " + channels + " for " + x + ", got " + gain + " and " + bias);
        }
        return add(multiply(x, perChannel(gain, x)), perChannel(bias, x));
    }

    private static Value next(double momentum, Value stored, Value ofBatch, Value owner) {
        Value next = add(scale(stored, 1 - momentum), scale(ofBatch, momentum));
        return stored.graph().numbered(new Elementwise.Running(), next, stored, owner);
    }

    /**
     * Returns the statistic of the batch (channels) towards which a running statistic moves; nothing if the running statistic is
     * another, such as the vector of a spectral norm.
     *
     * @param running a value of {@link Elementwise.Running}
     */
    public static Optional<Value> ofBatch(Value running) {
        Value next = running.inputs().get(Elementwise.Running.NEXT);
        Value stored = running.inputs().get(Elementwise.Running.STATISTIC);
        return Optional.of(next)
                .filter(v -> v.operator().equals(new Binary(Pair.ADD)))
                .filter(v -> v.inputs().stream().allMatch(each -> each.operator() instanceof Scalar))
                .filter(v -> v.inputs().get(0).inputs().get(0).equals(stored))
                .map(v -> v.inputs().get(1).inputs().get(0));
    }

    private static Value divided(Value x, Value mean, Value variance, double epsilon) {
        return divide(subtract(x, perChannel(mean, x)), perChannel(sqrt(shift(variance, epsilon)), x));
    }

    private static Value statistic(Graph graph, String name, int channels, double value) {
        Initialiser initialiser = value == 0 ? Initialiser.zeros() : Initialiser.constant(value);
        return Layers.declare(graph, name, Shape.of(channels), Fan.NONE, initialiser, Kind.RUNNING_STATISTIC);
    }

    /** The mean over the batch and all axes but the first. */
    private static Value ofChannels(Value x) {
        int channels = x.shape().get(0);
        Value rows = mean(reshape(x, channels, x.shape().size() / channels), 1);
        return BatchStatistics.combined(How.MEAN, rows);
    }

    private static Value perChannel(Value v, Value x) {
        return reshape(v, perChannel(x.shape()).extents());
    }

    private static Shape perChannel(Shape x) {
        return Shape.ones(x.rank()).with(0, x.get(0));
    }

    /** The number of rows of the batch. */
    private static Value rows(Graph graph) {
        return sum(graph.numbered(new Spread(Shape.scalar(), true, false), graph.constant(1)));
    }
}
