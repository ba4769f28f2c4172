package hocket.schedulers.optimizers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A chain that is one loop, in the weight's own type: SGD, Adam or RMSprop, before it clipping by the global norm,
 * ascent and L2, behind it decoupled decay. Everything else is computed link by link.
 */
final class Fused {
    private final BoundLink rule;
    private final @Nullable BoundLink before;
    private final @Nullable BoundLink after;
    private final boolean ascends;
    private final Operands[] operands;
    private final Step[] steps = {new Step(), new Step(), new Step(), new Step()};
    private final Step[] stepOf;

    private Fused(
            BoundLink rule,
            @Nullable BoundLink before,
            @Nullable BoundLink after,
            boolean ascends,
            List<Target> targets) {
        this.rule = rule;
        this.before = before;
        this.after = after;
        this.ascends = ascends;
        operands = new Operands[targets.size()];
        stepOf = new Step[operands.length];
        for (int t = 0; t < operands.length; t++) {
            Target target = targets.get(t);
            operands[t] = new Operands(target.weight(), target.gradient(), List.of(rule.slots[t]));
            stepOf[t] =
                    steps[(before != null && before.touches[t] ? 1 : 0) + (after != null && after.touches[t] ? 2 : 0)];
        }
    }

    /** The one loop that does what the links do; empty where there is none. */
    static Optional<Fused> of(List<BoundLink> links, List<Target> targets) {
        List<BoundLink> left = new ArrayList<>(links);
        if (left.get(0).link instanceof ClipByGlobalNorm) {
            left.remove(0);
        }
        boolean ascends = !left.isEmpty() && left.get(0).link instanceof Maximize;
        if (ascends) {
            left.remove(0);
        }
        BoundLink before = !left.isEmpty() && left.get(0).link instanceof Decay ? left.remove(0) : null;
        if (left.isEmpty() || !isLoop(left.get(0).link)) {
            return Optional.empty();
        }
        BoundLink rule = left.remove(0);
        BoundLink after = !left.isEmpty() && left.get(0).link instanceof Decay ? left.remove(0) : null;
        return left.isEmpty() ? Optional.of(new Fused(rule, before, after, ascends, targets)) : Optional.empty();
    }

    private static boolean isLoop(Link link) {
        return link instanceof Sgd
                || (link instanceof Adam adam && adam.epsilonRoot() == 0 && !adam.nesterov())
                || (link instanceof RmsProp rmsProp && !rmsProp.epsilonInside());
    }

    /** @param clip factor on the gradient */
    void prepare(double clip) {
        Step step = steps[0];
        step.scale = ascends ? -clip : clip;
        step.decay = 0;
        step.size = rule.value;
        double taken = 0;
        if (rule.link instanceof Adam adam) {
            double root = Math.sqrt(1 - Powers.of(adam.beta2(), rule.next));
            step.size = rule.value * root / (1 - Powers.of(adam.beta1(), rule.next));
            step.epsilon = adam.epsilon() * root;
            step.decay = adam.decoupled() ? 0 : adam.weightDecay();
            taken = adam.decoupled() ? adam.weightDecay() : 0;
        } else if (rule.link instanceof Sgd sgd) {
            step.fresh = rule.next == 1 ? 1 : 1 - sgd.dampening();
            step.decay = sgd.weightDecay();
        } else if (rule.link instanceof RmsProp rmsProp) {
            step.epsilon = rmsProp.epsilon();
        }
        double l2 = before == null ? 0 : ((Decay) before.link).decay();
        double decoupled = after == null ? 0 : ((Decay) after.link).decay();
        for (int i = before == null && after == null ? 0 : steps.length - 1; i >= 0; i--) {
            steps[i].scale = step.scale;
            steps[i].decay = step.decay + ((i & 1) == 0 ? 0 : l2);
            steps[i].keep = 1 - rule.value * (taken + ((i & 2) == 0 ? 0 : decoupled));
            steps[i].size = step.size;
            steps[i].epsilon = step.epsilon;
            steps[i].fresh = step.fresh;
        }
    }

    void apply(Kernels kernels, int target, int from, int to) {
        apply(kernels, rule.link, stepOf[target], operands[target], from, to);
    }

    /** Updates a range of a weight by one of the loops. */
    static void apply(Kernels kernels, Link rule, Step step, Operands on, int from, int to) {
        Loops loops = kernels.loops(on.weight().type());
        List<Reals> slots = on.slots();
        if (rule instanceof Adam adam) {
            loops.adam(adam, step, on.weight(), on.gradient(), slots.get(0), slots.get(1), from, to);
        } else if (rule instanceof Sgd sgd) {
            if (sgd.momentum() != 0) {
                loops.momentum(sgd, step, on.weight(), on.gradient(), slots.get(0), from, to);
            } else {
                loops.sgd(sgd, step, on.weight(), on.gradient(), from, to);
            }
        } else {
            RmsProp rms = (RmsProp) rule;
            Reals mean = rms.centered() ? slots.get(1) : null;
            Reals buffer = rms.momentum() > 0 ? slots.get(slots.size() - 1) : null;
            loops.rmsProp(rms, step, on.weight(), on.gradient(), slots.get(0), mean, buffer, from, to);
        }
    }
}
