package hocket.schedulers.optimizers;

import java.util.List;

/**
 * The update rules by name, for static import: {@code chain(clipByGlobalNorm(1), adam(2e-4).beta1(0.5), decay(1e-2))}.
 * Defaults are PyTorch's. A rate that changes is set by the rule's {@code rate(Rate)}.
 */
public final class Optimizers {
    private Optimizers() {}

    /** Links, one behind the other; see {@link Chain}. */
    public static Chain chain(Link... links) {
        return new Chain(List.of(links));
    }

    /** Stochastic gradient descent without momentum; see {@link Sgd}. */
    public static Sgd sgd(double rate) {
        return new Sgd(Rate.constant(rate), 0, 0, false, 0);
    }

    /** Adam with beta1 0.9, beta2 0.999, epsilon 1e-8 and no weight decay; see {@link Adam}. */
    public static Adam adam(double rate) {
        return new Adam(Rate.constant(rate), 0.9, 0.999, 1e-8, 0, false, 0, false);
    }

    /** RMSprop with decay 0.99, epsilon 1e-8, neither centered nor with momentum; see {@link RmsProp}. */
    public static RmsProp rmsProp(double rate) {
        return new RmsProp(Rate.constant(rate), 0.99, 1e-8, false, 0, false, 0);
    }

    /** Scales all updates together so that their norm is at most this; see {@link ClipByGlobalNorm}. */
    public static ClipByGlobalNorm clipByGlobalNorm(double norm) {
        return new ClipByGlobalNorm(norm, 1e-6);
    }

    /** Weight decay, decoupled where a rule stands before it; see {@link Decay}. */
    public static Decay decay(double factor) {
        return new Decay(factor, "**");
    }

    /** Ascends; see {@link Maximize}. */
    public static Maximize maximize() {
        return new Maximize();
    }

    /** Updates at every k-th turn, by the mean; see {@link Accumulate}. */
    public static Accumulate accumulate(int k) {
        return new Accumulate(k);
    }

    /** See {@link Adagrad}. */
    public static Adagrad adagrad(double rate) {
        return new Adagrad(Rate.constant(rate), 1e-10, 0, 0, false);
    }

    /** See {@link Adadelta}. */
    public static Adadelta adadelta(double rate) {
        return new Adadelta(Rate.constant(rate), 0.9, 1e-6);
    }

    /** See {@link Adamax}. */
    public static Adamax adamax(double rate) {
        return new Adamax(Rate.constant(rate), 0.9, 0.999, 1e-8);
    }

    /** See {@link AmsGrad}. */
    public static AmsGrad amsGrad(double rate) {
        return new AmsGrad(Rate.constant(rate), 0.9, 0.999, 1e-8, 0, Convention.PYTORCH);
    }

    /** See {@link NAdam}. */
    public static NAdam nAdam(double rate) {
        return new NAdam(Rate.constant(rate), 0.9, 0.999, 1e-8, 4e-3);
    }

    /** See {@link RAdam}. */
    public static RAdam rAdam(double rate) {
        return new RAdam(Rate.constant(rate), 0.9, 0.999, 1e-8, Convention.PYTORCH);
    }

    /** See {@link AdaBelief}. */
    public static AdaBelief adaBelief(double rate) {
        return new AdaBelief(Rate.constant(rate), 0.9, 0.999, 1e-16, 1e-16);
    }

    /** See {@link Lion}. */
    public static Lion lion(double rate) {
        return new Lion(Rate.constant(rate), 0.9, 0.99);
    }

    /** See {@link Yogi}. */
    public static Yogi yogi(double rate) {
        return new Yogi(Rate.constant(rate), 0.9, 0.999, 1e-3, 1e-6);
    }

    /** See {@link Adan}. */
    public static Adan adan(double rate) {
        return new Adan(Rate.constant(rate), 0.98, 0.92, 0.99, 1e-8, 1e-8);
    }

    /** See {@link Rprop}. */
    public static Rprop rprop(double rate) {
        return new Rprop(Rate.constant(rate), 0.5, 1.2, 1e-6, 50);
    }

    /** See {@link Lamb}. */
    public static Lamb lamb(double rate) {
        return new Lamb(Rate.constant(rate), 0.9, 0.999, 1e-6, 0, false, 0);
    }

    /** See {@link Scale}. */
    public static Scale scale(double rate) {
        return new Scale(Rate.constant(rate));
    }

    /** See {@link Lookahead}. */
    public static Lookahead lookahead(int period, double share) {
        return new Lookahead(period, share);
    }

    /** With alpha and beta 1; see {@link Optimistic}. */
    public static Optimistic optimistic() {
        return new Optimistic(1, 1, false);
    }

    /** See {@link ClipByValue}. */
    public static ClipByValue clipByValue(double value) {
        return new ClipByValue(value);
    }

    /** See {@link ClipByNorm}. */
    public static ClipByNorm clipByNorm(double norm) {
        return new ClipByNorm(norm, 1e-6);
    }

    /** See {@link ClipByBlockRms}. */
    public static ClipByBlockRms clipByBlockRms(double rms) {
        return new ClipByBlockRms(rms);
    }

    /** See {@link ClipAdaptively}. */
    public static ClipAdaptively clipAdaptively(double share) {
        return new ClipAdaptively(share, 1e-3);
    }

    /** Momentum behind a rule, which may be negative; see {@link HeavyBall}. */
    public static HeavyBall heavyBall(double momentum) {
        return new HeavyBall(momentum);
    }

    /** Extrapolation from the past behind a rule; see {@link Extrapolate}. */
    public static Extrapolate extrapolate() {
        return new Extrapolate();
    }

    /** Weight clipping behind a rule; see {@link Bound}. */
    public static Bound bound(double bound) {
        return new Bound(bound);
    }
}
