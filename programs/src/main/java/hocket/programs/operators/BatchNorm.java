package hocket.programs.operators;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;

import hocket.programs.Mode;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.programs.operators.Reduction.How;
import hocket.programs.operators.Reduction.Reduce;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Batch normalisation over everything but the channel axis (Ioffe and Szegedy 2015): {@code (x - mean) / sqrt(variance
 * + epsilon) · scale + shift}. Inputs: x (channels, …), then scale, shift, running mean and running variance, each
 * (channels). In TRAIN programs mean and (biased) variance are the batch's, and a turn that selects scale and shift
 * updates the running values by {@code momentum} towards the batch's mean and unbiased variance; in EVAL programs, or
 * with {@code frozen}, they are the running values.
 *
 * <p>With a sixth input, the owner, scale and shift may be computed, and both differ from row to row: a conditional batch
 * norm (de Vries et al. 2017). The owner is a weight, and the turns that select it update the running values.
 *
 * @param epsilon added to the variance
 * @param momentum the weight of the new batch in the running values
 * @param frozen whether TRAIN programs use the running values too, and do not update them
 */
public record BatchNorm(double epsilon, double momentum, boolean frozen) implements Primitive {
    @Override
    public Arity arity() {
        return new Arity(5, 6);
    }

    @Override
    public <R> @Nullable R rule(Rules<R> rules) {
        return rules.batchNorm(this);
    }

    /** Positions of the inputs. */
    public static final int X = 0, SCALE = 1, SHIFT = 2, MEAN = 3, VARIANCE = 4, OWNER = 5;

    @Override
    public String settings() {
        return "epsilon " + epsilon + " momentum " + momentum + (frozen ? " frozen" : "");
    }

    @Override
    public Result check(List<Value> inputs) {
        Value scale = inputs.get(SCALE);
        Shape channels = scale.shape();
        boolean owned = inputs.size() > OWNER;
        for (Value each : inputs.subList(SCALE, OWNER)) {
            Operator.require(
                    (owned || isParameter(each))
                            && channels.rank() == 1
                            && each.shape().equals(channels),
                    owned
                            ? "needs four inputs of one number a channel, got " + each
                            : "needs four parameters of one number a channel, got " + each);
        }
        Leaf.requireStatistic(inputs.get(MEAN));
        Leaf.requireStatistic(inputs.get(VARIANCE));
        Value x = Operator.floating(inputs.get(X));
        if (owned) {
            Operator.require(
                    isParameter(inputs.get(OWNER)), "needs a parameter as its owner, got " + inputs.get(OWNER));
            Operator.require(
                    scale.result().equals(inputs.get(SHIFT).result()) && scale.type() == x.type(),
                    "needs scale and shift of one type, each for all rows or for each, got " + scale + " and "
                            + inputs.get(SHIFT));
        }
        if (!x.batched() || x.shape().rank() < 1 || x.shape().get(0) != channels.size()) {
            throw new IllegalArgumentException("scale " + channels + " needs a batch of "
                    + Products.count(channels.size(), "channel") + ", input is " + x);
        }
        return x.result();
    }

    private static boolean isParameter(Value value) {
        return value.operator() instanceof Leaf.Variable;
    }

    /**
     * Returns the parameters of a batch norm whose turn updates its running values: its owner, or scale and shift.
     *
     * @param norm a value of this operator
     */
    public static List<Value> owners(Value norm) {
        List<Value> inputs = norm.inputs();
        return inputs.size() > OWNER ? inputs.subList(OWNER, OWNER + 1) : inputs.subList(SCALE, MEAN);
    }

    /**
     * Returns the weight that is nearest to a value among those that it is made of and that train with it, so not beyond a
     * {@code stopGradient}: one of the same module, where there is one.
     *
     * @param module the first part of paths in the module
     */
    public static Optional<Value> nearestWeight(Value value, String module) {
        Optional<Value> inside = nearest(value, weight -> weight.path().text().startsWith(module + "/"));
        return inside.isPresent() ? inside : nearest(value, weight -> true);
    }

    private static Optional<Value> nearest(Value value, Predicate<Value> isWanted) {
        Set<Value> level = new LinkedHashSet<>(List.of(value));
        Set<Value> seen = new LinkedHashSet<>();
        while (!level.isEmpty()) {
            Set<Value> above = new LinkedHashSet<>();
            for (Value each : level) {
                if (each.operator() instanceof Leaf.Variable variable
                        && variable.declaration().kind() == Kind.WEIGHT
                        && isWanted.test(each)) {
                    return Optional.of(each);
                }
                if (seen.add(each) && !(each.operator() instanceof Elementwise.StopGradient)) {
                    above.addAll(each.inputs());
                }
            }
            level = above;
        }
        return Optional.empty();
    }

    /** Returns whether a batch norm has a scale and a shift for each row. */
    public static boolean isConditional(List<Value> inputs) {
        return inputs.get(SCALE).batched();
    }

    /** Further results. */
    public static final int BATCH_MEAN = 0, BATCH_VARIANCE = 1;

    /** The batch's mean and biased variance, where a program normalises by them: each (channels), in double precision. */
    @Override
    public List<Result> furtherResults(List<Value> inputs) {
        Result moment = new Result(inputs.get(SCALE).shape(), false, ElementType.FLOAT64);
        return List.of(moment, moment);
    }

    /** The running values are read where the batch's are not. */
    @Override
    public List<Value> inputsIn(Mode mode, List<Value> inputs) {
        return inputs.subList(0, usesBatch(mode) ? SHIFT + 1 : VARIANCE + 1);
    }

    @Override
    public boolean differentiable(int input) {
        return input <= SHIFT;
    }

    /**
     * The batch's moments depend on the input, and the gradient includes that (Ioffe and Szegedy 2015, section 3); the
     * running ones are constants.
     */
    @Override
    public Value gradient(int input, Value y, Value upstream) {
        boolean eachRow = isConditional(y.inputs());
        if (input == SHIFT) {
            return sums(upstream, eachRow);
        }
        Value x = y.inputs().get(X);
        Value scale = y.inputs().get(SCALE);
        Value deviation = sqrt(shift(y.inputs().get(VARIANCE), epsilon));
        Value normalised = divide(subtract(x, perChannel(y.inputs().get(MEAN), x)), perChannel(deviation, x));
        Value running = input == SCALE
                ? sums(multiply(upstream, normalised), eachRow)
                : multiply(upstream, perChannel(divide(scale, deviation), x));
        if (frozen) {
            return running;
        }
        Value batch = input == SCALE
                ? (eachRow ? new BatchNormGradient.ByRowScale(epsilon) : new BatchNormGradient.ByScale(epsilon))
                        .of(x, upstream)
                : new BatchNormGradient.ByInput(epsilon).of(x, scale, upstream);
        return y.graph().numbered(new Elementwise.ByMode(), batch, running);
    }

    /**
     * Returns the same value from operators that read running statistics as numbers only: they are not updated, and
     * scale and shift may be any values (channels).
     */
    public Value composed(List<Value> inputs) {
        Value x = inputs.get(X);
        Value running = composed(inputs, inputs.get(MEAN), inputs.get(VARIANCE));
        if (frozen) {
            return running;
        }
        Value mean = ofChannels(x, How.MEAN);
        Value variance = ofChannels(square(subtract(x, perChannel(mean, x))), How.MEAN);
        return x.graph().numbered(new Elementwise.ByMode(), composed(inputs, mean, variance), running);
    }

    private Value composed(List<Value> inputs, Value mean, Value variance) {
        Value x = inputs.get(X);
        Value deviation = perChannel(sqrt(shift(variance, epsilon)), x);
        Value normalised = divide(subtract(x, perChannel(mean, x)), deviation);
        return add(multiply(normalised, perChannel(inputs.get(SCALE), x)), perChannel(inputs.get(SHIFT), x));
    }

    /** Combined over the batch and all axes but the first. */
    static Value ofChannels(Value x, How how) {
        return x.graph().numbered(new Reduce(how, Reduce.BATCH), ofRows(x, how));
    }

    /** Combined over all axes but the first, row by row. */
    static Value ofRows(Value x, How how) {
        int channels = x.shape().get(0);
        return x.graph()
                .numbered(new Reduce(how, 1), reshape(x, channels, x.shape().size() / channels));
    }

    /** The sums of a channel, over all rows or of each. */
    private static Value sums(Value x, boolean eachRow) {
        return eachRow ? ofRows(x, How.SUM) : ofChannels(x, How.SUM);
    }

    /** Returns a number for each channel, with the axes of x. */
    static Value perChannel(Value v, Value x) {
        return reshape(v, Shape.ones(x.shape().rank()).with(0, v.shape().size()).extents());
    }

    /** Returns whether a program of this mode normalises by the batch. */
    public boolean usesBatch(Mode mode) {
        return mode == Mode.TRAIN && !frozen;
    }

    /**
     * {@code x - mean} once, then the quotient, scale and shift; the root once a channel. The batch's own moments add the
     * sum, the squares and theirs, and two quotients a channel.
     */
    @Override
    public RowCost flops(List<Value> inputs, Result result) {
        boolean ofBatch = inputs.size() <= MEAN;
        long channels = inputs.get(SCALE).shape().size();
        return RowCost.each(result, ofBatch ? 7 : 4).plus(new RowCost(0, channels * (ofBatch ? 4 : 2)));
    }

    @Override
    public RowCost gradientFlops(int input, List<Value> inputs, Result result) {
        return input == X ? flops(inputs, result) : RowCost.each(result, input == SCALE ? 2 : 1);
    }
}
