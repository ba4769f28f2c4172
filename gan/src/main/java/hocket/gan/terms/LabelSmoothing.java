package hocket.gan.terms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;

import hocket.gan.parts.Pass;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * One-sided label smoothing (Salimans et al. 2016, section 3.4) of the non-saturating, minimax and least-squares losses: real
 * rows have the target {@code 1 − share} in place of 1. The loss with that target is the one with 1 plus {@code share · D(real)},
 * up to a constant, so the term is {@code share · mean D(real)}.
 *
 * @param share usually 0.1, in 0..1
 */
public record LabelSmoothing(
        @Setting(usually = "0.1", least = 0, most = 1, help = "share of the target that is taken from real rows")
        double share)
        implements Term, LabelSmoothingCopies {
    /** @throws IllegalArgumentException if the share is out of 0..1 */
    public LabelSmoothing {
        LabelSmoothingCopies.check(share);
    }

    @Override
    public boolean changesTargets() {
        return true;
    }

    @Override
    public Value of(Pass pass) {
        return scale(mean(pass.onReal().logit()), share);
    }
}
