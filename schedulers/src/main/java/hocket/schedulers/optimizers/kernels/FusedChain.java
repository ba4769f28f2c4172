package hocket.schedulers.optimizers.kernels;

import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.RmsProp;
import hocket.schedulers.optimizers.Sgd;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.transforms.ClipByGlobalNorm;
import hocket.schedulers.optimizers.transforms.Decay;
import hocket.schedulers.optimizers.transforms.Maximize;
import hocket.schedulers.optimizers.updates.BoundTransformation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A chain as one fused loop, in the weight's own type: SGD, Adam or RMSprop, preceded by clipping by the global norm,
 * ascent and L2, and followed by decoupled decay. Other chains run transformation by transformation.
 */
public final class FusedChain {
    /**
     * The number of updates from one time that subnormal slots become 0 to the next. An average of gradients that stay 0, as
     * those of a unit that never fires, would decay to such numbers and remain there, and processors need ten times longer
     * for them.
     */
    private static final int UPDATES_BETWEEN_FLUSHES = 16;

    private final BoundTransformation rule;
    private final @Nullable BoundTransformation before;
    private final @Nullable BoundTransformation after;
    private final boolean ascends;

    /** Whether a slot of 0 is as good as a smaller one: it divides nothing, or a number is added to it before. */
    private final boolean isFlushable;

    private boolean flushes;
    private final Operands[] operands;
    private final UpdateStep[] updateSteps = {new UpdateStep(), new UpdateStep(), new UpdateStep(), new UpdateStep()};
    private final UpdateStep[] stepOf;

    private FusedChain(
            BoundTransformation rule,
            @Nullable BoundTransformation before,
            @Nullable BoundTransformation after,
            boolean ascends,
            List<Target> targets) {
        this.rule = rule;
        this.before = before;
        this.after = after;
        this.ascends = ascends;
        isFlushable = rule.link instanceof Sgd
                || (rule.link instanceof Adam adam && adam.epsilon() > 0)
                || (rule.link instanceof RmsProp rmsProp && rmsProp.epsilon() > 0);
        operands = new Operands[targets.size()];
        stepOf = new UpdateStep[operands.length];
        for (int t = 0; t < operands.length; t++) {
            Target target = targets.get(t);
            operands[t] = new Operands(target.weight(), target.gradient(), List.of(rule.slots[t]));
            stepOf[t] = updateSteps[
                    (before != null && before.touches[t] ? 1 : 0) + (after != null && after.touches[t] ? 2 : 0)];
        }
    }

    /** Returns the fused loop of the transformations; empty if there is none. */
    public static Optional<FusedChain> of(List<BoundTransformation> links, List<Target> targets) {
        List<BoundTransformation> left = new ArrayList<>(links);
        if (left.get(0).link instanceof ClipByGlobalNorm) {
            left.remove(0);
        }
        boolean ascends = !left.isEmpty() && left.get(0).link instanceof Maximize;
        if (ascends) {
            left.remove(0);
        }
        BoundTransformation before = !left.isEmpty() && left.get(0).link instanceof Decay ? left.remove(0) : null;
        if (left.isEmpty() || !isLoop(left.get(0).link)) {
            return Optional.empty();
        }
        BoundTransformation rule = left.remove(0);
        BoundTransformation after = !left.isEmpty() && left.get(0).link instanceof Decay ? left.remove(0) : null;
        return left.isEmpty() ? Optional.of(new FusedChain(rule, before, after, ascends, targets)) : Optional.empty();
    }

    private static boolean isLoop(GradientTransformation gradientTransformation) {
        return gradientTransformation instanceof Sgd
                || (gradientTransformation instanceof Adam adam && adam.epsilonRoot() == 0 && !adam.nesterov())
                || (gradientTransformation instanceof RmsProp rmsProp && !rmsProp.epsilonInside());
    }

    /** @param clip factor on the gradient */
    public void prepare(double clip) {
        flushes = isFlushable && rule.next % UPDATES_BETWEEN_FLUSHES == 0;
        UpdateStep updateStep = updateSteps[0];
        updateStep.scale = ascends ? -clip : clip;
        updateStep.decay = 0;
        updateStep.size = rule.value;
        double taken = 0;
        if (rule.link instanceof Adam adam) {
            double root = Math.sqrt(1 - Powers.of(adam.beta2(), rule.next));
            updateStep.size = rule.value * root / (1 - Powers.of(adam.beta1(), rule.next));
            updateStep.epsilon = adam.uncorrectedEpsilon() ? adam.epsilon() : adam.epsilon() * root;
            updateStep.decay = adam.decoupled() ? 0 : adam.weightDecay();
            taken = adam.decoupled() ? adam.weightDecay() : 0;
        } else if (rule.link instanceof Sgd sgd) {
            updateStep.fresh = rule.next == 1 ? 1 : 1 - sgd.dampening();
            updateStep.decay = sgd.weightDecay();
        } else if (rule.link instanceof RmsProp rmsProp) {
            updateStep.epsilon = rmsProp.epsilon();
        }
        double l2 = before == null ? 0 : ((Decay) before.link).decay();
        double decoupled = after == null ? 0 : ((Decay) after.link).decay();
        for (int i = before == null && after == null ? 0 : updateSteps.length - 1; i >= 0; i--) {
            updateSteps[i].scale = updateStep.scale;
            updateSteps[i].decay = updateStep.decay + ((i & 1) == 0 ? 0 : l2);
            updateSteps[i].keep = 1 - rule.value * (taken + ((i & 2) == 0 ? 0 : decoupled));
            updateSteps[i].size = updateStep.size;
            updateSteps[i].epsilon = updateStep.epsilon;
            updateSteps[i].fresh = updateStep.fresh;
        }
    }

    public void apply(Kernels kernels, int target, int from, int to) {
        if (flushes) {
            for (Reals slot : rule.slots[target]) {
                kernels.flush(slot, from, to);
            }
        }
        apply(kernels, rule.link, stepOf[target], operands[target], from, to);
    }

    /** Updates a range of a weight by one of the loops. */
    public static void apply(
            Kernels kernels, GradientTransformation rule, UpdateStep updateStep, Operands on, int from, int to) {
        Loops loops = kernels.loops(on.weight().type());
        List<Reals> slots = on.slots();
        if (rule instanceof Adam adam) {
            loops.adam(adam, updateStep, on.weight(), on.gradient(), slots.get(0), slots.get(1), from, to);
        } else if (rule instanceof Sgd sgd) {
            if (sgd.momentum() != 0) {
                loops.momentum(sgd, updateStep, on.weight(), on.gradient(), slots.get(0), from, to);
            } else {
                loops.sgd(sgd, updateStep, on.weight(), on.gradient(), from, to);
            }
        } else {
            RmsProp rms = (RmsProp) rule;
            Reals mean = rms.centered() ? slots.get(1) : null;
            Reals buffer = rms.momentum() > 0 ? slots.get(slots.size() - 1) : null;
            loops.rmsProp(rms, updateStep, on.weight(), on.gradient(), slots.get(0), mean, buffer, from, to);
        }
    }
}
