package hocket.gan.terms;

import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.programs.layers.OrthogonalRegularisation;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Orthogonal regularisation of the generator's weights (Brock et al. 2019, equation 3), by {@link OrthogonalRegularisation}:
 * {@code weight · Σ ‖(W·Wᵀ) ∘ (1 − I)‖²} over the selected weights of at least two axes.
 *
 * @param weight usually 1e-4, at least 0
 * @param selection globs of the weights
 */
public record OrthogonalTerm(
        @Setting(usually = "1e-4", least = 0, help = "weight of the penalty")
        double weight,

        @Setting(usually = "[generator/**]", help = "globs of the generator's weights that it takes")
        List<String> selection)
        implements Term, OrthogonalTermCopies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public OrthogonalTerm {
        OrthogonalTermCopies.check(weight);
        selection = List.copyOf(selection);
    }

    /** @throws IllegalArgumentException if the globs select no weight of at least two axes */
    @Override
    public Value of(Pass pass) {
        return OrthogonalRegularisation.orthogonal(weight).of(pass.fake().graph(), selection.toArray(String[]::new));
    }

    @Override
    public Side side() {
        return Side.GENERATOR;
    }
}
