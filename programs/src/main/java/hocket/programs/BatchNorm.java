package hocket.programs;

import hocket.scopes.Shape;
import java.util.List;

/**
 * Batch normalisation over everything but the channel axis (Ioffe and Szegedy 2015): {@code (x - mean) / sqrt(variance +
 * epsilon) · scale + shift}. Inputs: x (channels, …), then scale, shift, running mean and running variance, each
 * (channels). In TRAIN programs mean and (biased) variance are the batch's, and a turn that selects scale and shift moves
 * the running values by {@code momentum} towards the batch's mean and unbiased variance; in EVAL programs, or with
 * {@code frozen}, they are the running values.
 *
 * @param epsilon added to the variance
 * @param momentum the weight of the new batch in the running values
 * @param frozen whether TRAIN programs use the running values too, and do not move them
 */
public record BatchNorm(double epsilon, double momentum, boolean frozen) implements Operator {
    /** Positions of the inputs. */
    public static final int X = 0, SCALE = 1, SHIFT = 2, MEAN = 3, VARIANCE = 4;

    @Override
    public String kind() {
        return "batch_norm";
    }

    @Override
    public String settings() {
        return "epsilon " + epsilon + " momentum " + momentum + (frozen ? " frozen" : "");
    }

    @Override
    public Result infer(List<Value> inputs) {
        Value x = Operator.floating(inputs.get(X));
        Shape scale = inputs.get(SCALE).shape();
        if (!x.batched() || x.shape().rank() < 1 || x.shape().get(0) != scale.size()) {
            throw new IllegalArgumentException("scale " + scale + " needs a batch of "
                    + Products.count(scale.size(), "channel") + ", input is " + x);
        }
        return x.result();
    }

    @Override
    public boolean differentiable(int input) {
        return input <= SHIFT;
    }

    /** Whether a program of this mode normalises by the batch. */
    public boolean usesBatch(Mode mode) {
        return mode == Mode.TRAIN && !frozen;
    }

    /**
     * {@code x - mean} once, then the quotient, scale and shift; the root once a channel. The batch's own moments add the
     * sum, the squares and theirs, and two quotients a channel.
     */
    @Override
    public Amount flops(List<Value> inputs, Result result) {
        boolean ofBatch = inputs.size() <= MEAN;
        long channels = inputs.get(SCALE).shape().size();
        return Amount.each(result, ofBatch ? 7 : 4).plus(new Amount(0, channels * (ofBatch ? 4 : 2)));
    }

    @Override
    public Amount gradientFlops(int input, List<Value> inputs, Result result) {
        return input == X ? flops(inputs, result) : Amount.each(result, input == SCALE ? 2 : 1);
    }
}
