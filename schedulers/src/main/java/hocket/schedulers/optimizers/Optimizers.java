package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.transforms.Accumulate;
import hocket.schedulers.optimizers.transforms.Bound;
import hocket.schedulers.optimizers.transforms.ClipAdaptively;
import hocket.schedulers.optimizers.transforms.ClipAdaptivelyCopies;
import hocket.schedulers.optimizers.transforms.ClipByBlockRms;
import hocket.schedulers.optimizers.transforms.ClipByGlobalNorm;
import hocket.schedulers.optimizers.transforms.ClipByGlobalNormCopies;
import hocket.schedulers.optimizers.transforms.ClipByNorm;
import hocket.schedulers.optimizers.transforms.ClipByNormCopies;
import hocket.schedulers.optimizers.transforms.ClipByValue;
import hocket.schedulers.optimizers.transforms.Decay;
import hocket.schedulers.optimizers.transforms.DecayCopies;
import hocket.schedulers.optimizers.transforms.Extrapolate;
import hocket.schedulers.optimizers.transforms.HeavyBall;
import hocket.schedulers.optimizers.transforms.Lookahead;
import hocket.schedulers.optimizers.transforms.Maximize;
import hocket.schedulers.optimizers.transforms.Optimistic;
import hocket.schedulers.optimizers.transforms.OptimisticCopies;
import hocket.schedulers.optimizers.transforms.Scale;
import java.util.List;

/**
 * The optimizers by name, for static import: {@code chain(clipByGlobalNorm(1), adam(2e-4).beta1(0.5), decay(1e-2))}.
 * Defaults are PyTorch's. A rate that changes is set by the optimizer's {@code rate(Rate)}.
 */
public final class Optimizers {
    private Optimizers() {}

    /** Transformations, one after the other; see {@link Chain}. */
    public static Chain chain(GradientTransformation... gradientTransformations) {
        return new Chain(List.of(gradientTransformations));
    }

    /** An optimizer that updates the rows of embedding tables that a step looks up, and no others; see {@link Lazy}. */
    public static Lazy lazy(UpdateRule rule) {
        return new Lazy(rule);
    }

    /** Stochastic gradient descent without momentum; see {@link Sgd}. */
    public static Sgd sgd(double rate) {
        return SgdCopies.usual(Rate.constant(rate));
    }

    /** Adam with beta1 0.9, beta2 0.999, epsilon 1e-8 and no weight decay; see {@link Adam}. */
    public static Adam adam(double rate) {
        return AdamCopies.usual(Rate.constant(rate));
    }

    /** RMSprop with decay 0.99, epsilon 1e-8, neither centered nor with momentum; see {@link RmsProp}. */
    public static RmsProp rmsProp(double rate) {
        return RmsPropCopies.usual(Rate.constant(rate));
    }

    /** Scales all updates together so that their norm is at most this; see {@link ClipByGlobalNorm}. */
    public static ClipByGlobalNorm clipByGlobalNorm(double norm) {
        return ClipByGlobalNormCopies.usual(norm);
    }

    /** Weight decay, decoupled if an optimizer is before it; see {@link Decay}. */
    public static Decay decay(double factor) {
        return DecayCopies.usual(factor);
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
        return AdagradCopies.usual(Rate.constant(rate));
    }

    /** See {@link Adadelta}. */
    public static Adadelta adadelta(double rate) {
        return AdadeltaCopies.usual(Rate.constant(rate));
    }

    /** See {@link Adamax}. */
    public static Adamax adamax(double rate) {
        return AdamaxCopies.usual(Rate.constant(rate));
    }

    /** See {@link AmsGrad}. */
    public static AmsGrad amsGrad(double rate) {
        return AmsGradCopies.usual(Rate.constant(rate));
    }

    /** See {@link NAdam}. */
    public static NAdam nAdam(double rate) {
        return NAdamCopies.usual(Rate.constant(rate));
    }

    /** See {@link RAdam}. */
    public static RAdam rAdam(double rate) {
        return RAdamCopies.usual(Rate.constant(rate));
    }

    /** See {@link AdaBelief}. */
    public static AdaBelief adaBelief(double rate) {
        return AdaBeliefCopies.usual(Rate.constant(rate));
    }

    /** See {@link Lion}. */
    public static Lion lion(double rate) {
        return LionCopies.usual(Rate.constant(rate));
    }

    /** See {@link Yogi}. */
    public static Yogi yogi(double rate) {
        return YogiCopies.usual(Rate.constant(rate));
    }

    /** See {@link Adan}. */
    public static Adan adan(double rate) {
        return AdanCopies.usual(Rate.constant(rate));
    }

    /** See {@link Rprop}. */
    public static Rprop rprop(double rate) {
        return RpropCopies.usual(Rate.constant(rate));
    }

    /** See {@link Lamb}. */
    public static Lamb lamb(double rate) {
        return LambCopies.usual(Rate.constant(rate));
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
        return OptimisticCopies.usual();
    }

    /** See {@link ClipByValue}. */
    public static ClipByValue clipByValue(double value) {
        return new ClipByValue(value);
    }

    /** See {@link ClipByNorm}. */
    public static ClipByNorm clipByNorm(double norm) {
        return ClipByNormCopies.usual(norm);
    }

    /** See {@link ClipByBlockRms}. */
    public static ClipByBlockRms clipByBlockRms(double rms) {
        return new ClipByBlockRms(rms);
    }

    /** See {@link ClipAdaptively}. */
    public static ClipAdaptively clipAdaptively(double share) {
        return ClipAdaptivelyCopies.usual(share);
    }

    /** Momentum after an optimizer, which may be negative; see {@link HeavyBall}. */
    public static HeavyBall heavyBall(double momentum) {
        return new HeavyBall(momentum);
    }

    /** Extrapolation from the past after an optimizer; see {@link Extrapolate}. */
    public static Extrapolate extrapolate() {
        return new Extrapolate();
    }

    /** Weight clipping after an optimizer; see {@link Bound}. */
    public static Bound bound(double bound) {
        return new Bound(bound);
    }
}
